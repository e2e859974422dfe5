import { TRANSACTION_BLOBS_MAX } from '../../consensus.ts';
import { bytesToHex, concatBytes, equalBytes, type Hash, toHash } from '../bytes/bytes.ts';
import { sha256 } from '../hashing/hashes.ts';
import { FormatError, locate } from '../protocol-errors.ts';
import { BLOB_TYPE, VERSIONED_HASH_VERSION } from './parse-transaction.ts';
import { encodeRlp, LIST, listOfRlp, type RlpItem, RlpReader } from './rlp.ts';

export const BLOB_BYTES = 131_072;
/** Cells of an extended blob, each with a proof (EIP-7594). */
export const BLOB_CELLS = 128;
/** Bytes of a commitment or of a proof: a compressed point of BLS12-381. */
const POINT_BYTES = 48;

/** The blobs of a transaction, with commitments and proofs. */
export interface BlobSidecar {
  /** 0: a proof for each blob (EIP-4844); 1: a proof for each cell (EIP-7594). */
  readonly version: 0 | 1;
  readonly blobs: readonly Uint8Array[];
  readonly commitments: readonly Uint8Array[];
  readonly proofs: readonly Uint8Array[];
}

/** A blob transaction in its network form. */
export interface BlobWrapper {
  /** The transaction in its consensus form, unread. */
  readonly transaction: Uint8Array;
  readonly sidecar: BlobSidecar;
}

/**
 * Reads the network form of a blob transaction: a list of the transaction, the version unless it is 0, blobs,
 * commitments and proofs. The lengths of the items are checked; their numbers, the transaction, its hashes and the
 * proofs are not checked. The caller bounds the length; the result has read-only views of the input.
 *
 * @returns undefined for any other transaction, the consensus form included
 * @throws {DecodeError} for malformed bytes, with the field and the offset
 */
export function parseBlobWrapper(raw: Uint8Array): BlobWrapper | undefined {
  const bytes = new Uint8Array(raw.buffer, raw.byteOffset, raw.byteLength);
  if (bytes[0] !== BLOB_TYPE) return undefined;
  try {
    return readWrapper(bytes);
  } catch (error) {
    throw locate(error, 'transaction');
  }
}

function readWrapper(bytes: Uint8Array): BlobWrapper | undefined {
  const whole = new RlpReader(bytes, 1);
  const list = whole.readList('');
  const start = list.offset;
  if ((bytes[start] ?? 0) < LIST) return undefined;
  whole.finish('');
  list.readList('transaction');
  const transaction = concatBytes(bytes.subarray(0, 1), bytes.subarray(start, list.offset));
  return { transaction, sidecar: readSidecar(bytes, list) };
}

/** Reads version, blobs, commitments and proofs, the rest of a list. */
function readSidecar(bytes: Uint8Array, list: RlpReader): BlobSidecar {
  const begin = list.offset;
  const version = (bytes[begin] ?? 0) < LIST ? list.readInteger('version', 8) : 0n;
  if (version > 1n) throw list.failure('version', `unknown sidecar version ${version}`, begin);
  const blobs = readItems(list, 'blobs', BLOB_BYTES, TRANSACTION_BLOBS_MAX);
  const commitments = readItems(list, 'commitments', POINT_BYTES, TRANSACTION_BLOBS_MAX);
  const proofs = readItems(list, 'proofs', POINT_BYTES, TRANSACTION_BLOBS_MAX * BLOB_CELLS);
  list.finish('');
  return { version: version === 0n ? 0 : 1, blobs, commitments, proofs };
}

function readItems(list: RlpReader, field: string, length: number, most: number): Uint8Array[] {
  const begin = list.offset;
  const items = list.readList(field);
  const read: Uint8Array[] = [];
  while (items.hasMore) {
    const name = `${field}[${read.length}]`;
    const offset = items.offset;
    const item = items.readBytes(name);
    if (item.length !== length) {
      throw items.failure(name, `must have ${length} bytes, not ${item.length}`, offset);
    }
    if (read.length === most) throw list.failure(field, `at most ${most} are allowed`, begin);
    read.push(item);
  }
  return read;
}

/** Serializes the network form of a blob transaction. */
export function serializeBlobWrapper(transaction: Uint8Array, sidecar: BlobSidecar): Uint8Array {
  const list = listOfRlp([transaction.subarray(1), ...sidecarItems(sidecar).map(encodeRlp)]);
  return concatBytes(Uint8Array.of(BLOB_TYPE), list);
}

/** Serializes a sidecar for storage: the items of the network form behind the transaction, as a list. */
export function serializeSidecar(sidecar: BlobSidecar): Uint8Array {
  return encodeRlp(sidecarItems(sidecar));
}

function sidecarItems({ version, blobs, commitments, proofs }: BlobSidecar): readonly RlpItem[] {
  return [...(version === 0 ? [] : [Uint8Array.of(version)]), blobs, commitments, proofs];
}

/** Reads a stored sidecar; the result has views of the input. @throws {DecodeError} for other bytes */
export function parseSidecar(bytes: Uint8Array): BlobSidecar {
  const whole = new RlpReader(bytes);
  const list = whole.readList('sidecar');
  whole.finish('sidecar');
  return readSidecar(bytes, list);
}

/** Returns the versioned hash of a commitment (EIP-4844). */
export function versionedHashOf(commitment: Uint8Array): Hash {
  const hash = sha256(commitment);
  hash[0] = VERSIONED_HASH_VERSION;
  return toHash(hash);
}

/**
 * Checks that a sidecar has the blobs of a transaction, with geth's messages. Proofs are not verified.
 *
 * @throws {FormatError}
 */
export function checkSidecar(
  { version, blobs, commitments, proofs }: BlobSidecar,
  hashes: readonly Hash[],
): void {
  const { length: count } = hashes;
  if (blobs.length !== count) {
    throw new FormatError(
      'sidecar',
      `invalid number of ${blobs.length} blobs compared to ${count} blob hashes`,
    );
  }
  if (commitments.length !== count) {
    const problem = `invalid number of ${commitments.length} blob commitments compared to ${count} blob hashes`;
    throw new FormatError('sidecar', problem);
  }
  const expected = version === 0 ? count : count * BLOB_CELLS;
  if (proofs.length !== expected) {
    throw new FormatError('sidecar', `invalid number of ${proofs.length} blob proofs expected ${expected}`);
  }
  commitments.forEach((commitment, index) => {
    const computed = versionedHashOf(commitment);
    const hash = hashes[index];
    if (hash !== undefined && equalBytes(computed, hash)) return;
    const given = bytesToHex(hash ?? computed);
    const problem = `blob ${index}: computed hash 0x${bytesToHex(computed)} mismatches transaction one 0x${given}`;
    throw new FormatError('sidecar', problem);
  });
}
