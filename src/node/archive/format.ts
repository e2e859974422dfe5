import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { BLOCK_NUMBER_MAX, CLOCK_TIME_MAX } from '../../consensus.ts';
import {
  ByteReader,
  ByteWriter,
  bytesToHex,
  concatBytes,
  equalBytes,
  frameBlocks,
  LedgerdError,
  utf8ToBytes,
} from '../../protocol/index.ts';
import { inSlices } from '../../time/job.ts';
import type { ChainKind } from '../stored-chain.ts';

/** Bytes of one chunk of an archive, compressed or not (256 MiB): twice the largest block. */
export const ARCHIVE_CHUNK_BYTES_MAX = 256 * 1024 * 1024;
/** Bytes of the genesis in an archive (256 MiB). */
const ARCHIVE_GENESIS_BYTES_MAX = 256 * 1024 * 1024;

/** Reasons for which an archive is refused or cannot be written. */
export type ArchiveErrorCode =
  | 'NOT_AN_ARCHIVE' // it does not begin with the magic bytes
  | 'OTHER_FORMAT' // another version of the program wrote it
  | 'CUT' // it ends before its end mark
  | 'DAMAGED' // a checksum, a length or the content is invalid
  | 'OTHER_CHAIN' // it is of another chain than the folder's
  | 'MISSING_BLOCKS' // it begins after the next block, or does not have the requested range
  | 'FILE'; // its file exists already, or cannot be written or read

/** An archive of blocks cannot be written or read. The message is for the operator. */
export class ArchiveError extends LedgerdError {
  override readonly code: ArchiveErrorCode;

  constructor(code: ArchiveErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Bytes of an archive that are hashed between two checks of the clock (1 MiB). */
const DIGESTED_TOGETHER_BYTES = 1024 * 1024;

/**
 * An archive of blocks, byte by byte; integers are little endian.
 *
 *     header   magic (8)  version (4)  kind of chain (1)  length of the genesis (4)  digest (32)  genesis
 *     entry    kind (1)  length of the payload (4)  first block (4)  count (4)  digest (32)  payload
 *     …
 *     end      an entry of kind `end` without payload, with the first block and the count of the whole archive
 *
 * A digest is SHA-256 of all other bytes of its header or entry. The payload of a chunk of blocks is gzip of framed
 * blocks (`frameBlocks`). Block 0 is in no chunk: it follows from the genesis. The chunks' blocks are consecutive.
 *
 * An archive of a chain in test mode has two further kinds of entry. A chunk of patches is between the block before
 * them (the first block of its fields) and the next; its payload is the position of its first patch among those after
 * that block (4, from 1 on), then gzip of the framed records. `clock` has the seconds by which the chain's clock is
 * ahead (8, signed), and no block.
 */

/** Magic bytes. The line feed reveals an archive that was converted as a text. */
const MAGIC = utf8ToBytes('ledgerd\n');
const VERSION = 2;
const SEQUENCE_BYTES = 4;
const CLOCK_BYTES = 8;
const DIGEST_BYTES = 32;

const HEADER_FIELDS_BYTES = MAGIC.length + 4 + 1 + 4;
/** Bytes of a header before the genesis. */
export const HEADER_BYTES = HEADER_FIELDS_BYTES + DIGEST_BYTES;

const ENTRY_FIELDS_BYTES = 1 + 4 + 4 + 4;
/** Bytes of an entry before its payload. */
export const ENTRY_BYTES = ENTRY_FIELDS_BYTES + DIGEST_BYTES;

const CHAIN_KINDS: readonly ChainKind[] = ['test', 'node'];
const ENTRY_KINDS = ['blocks', 'end', 'patches', 'clock'] as const;

export interface ArchiveHeader {
  readonly chain: ChainKind;
  /** The record of the genesis, as stored. */
  readonly genesis: Uint8Array;
}

type HeaderStart = ReturnType<typeof decodeHeaderStart>;

/** The first part of an entry. */
export type EntryStart = ReturnType<typeof decodeEntryStart>;

type EntryKind = (typeof ENTRY_KINDS)[number];

const compress = promisify(gzip);

/** Writes a header. @throws ArchiveError FILE for a genesis beyond the bound */
export function encodeHeader({ chain, genesis }: ArchiveHeader): Uint8Array {
  if (genesis.length > ARCHIVE_GENESIS_BYTES_MAX) {
    throw new ArchiveError('FILE', `a genesis of ${genesis.length} bytes does not fit an archive`);
  }
  const writer = new ByteWriter();
  writer.writeBytes(MAGIC);
  writer.writeUint32(VERSION);
  writer.writeUint8(CHAIN_KINDS.indexOf(chain));
  writer.writeUint32(genesis.length);
  const fields = writer.finish();
  return concatBytes(fields, digestOf(fields, genesis), genesis);
}

/**
 * Reads the first `HEADER_BYTES` of an archive.
 * @throws ArchiveError NOT_AN_ARCHIVE, OTHER_FORMAT or DAMAGED, and CUT when there are fewer bytes
 */
export function decodeHeaderStart(bytes: Uint8Array) {
  const magic = bytes.subarray(0, MAGIC.length);
  if (magic.length === 0 || !equalBytes(magic, MAGIC.subarray(0, magic.length))) {
    throw new ArchiveError('NOT_AN_ARCHIVE', 'this is not an archive of blocks');
  }
  if (bytes.length < HEADER_BYTES) throw new ArchiveError('CUT', 'the archive is cut off in its header');
  const reader = new ByteReader(bytes.subarray(MAGIC.length));
  const version = reader.readUint32();
  if (version !== VERSION) {
    const known = `this version of the program reads version ${VERSION}`;
    throw new ArchiveError('OTHER_FORMAT', `the archive has version ${version} of its format; ${known}`);
  }
  const chain = CHAIN_KINDS[reader.readUint8()];
  const genesisBytes = reader.readUint32();
  if (chain === undefined || genesisBytes > ARCHIVE_GENESIS_BYTES_MAX) {
    throw new ArchiveError('DAMAGED', 'the header of the archive is damaged');
  }
  const digest = reader.readBytes(DIGEST_BYTES);
  return { chain, genesisBytes, digest, fields: bytes.subarray(0, HEADER_FIELDS_BYTES) };
}

/** Checks the genesis that follows a header. @throws ArchiveError DAMAGED */
export function checkGenesis({ fields, digest }: HeaderStart, genesis: Uint8Array): void {
  if (equalBytes(digestOf(fields, genesis), digest)) return;
  throw new ArchiveError('DAMAGED', 'the header of the archive is damaged: its checksum differs');
}

/**
 * Writes a chunk: serialized blocks from number `first` on, or the records of patches after that block.
 *
 * @param sequence position of the first patch among those after the block; absent for blocks
 * @throws ArchiveError FILE for records beyond the bound
 */
export async function encodeChunk(
  first: number,
  records: readonly Uint8Array[],
  sequence?: number,
): Promise<Uint8Array> {
  const framed = frameBlocks(records);
  const writer = new ByteWriter();
  if (sequence !== undefined) writer.writeUint32(sequence);
  const payload = concatBytes(writer.finish(), await compress(framed));
  if (Math.max(framed.length, payload.length) > ARCHIVE_CHUNK_BYTES_MAX) {
    const record =
      sequence === undefined
        ? `block ${first} has ${framed.length} bytes and`
        : `a patch after block ${first}`;
    throw new ArchiveError('FILE', `${record} does not fit an archive`);
  }
  return encodeEntry(sequence === undefined ? 'blocks' : 'patches', first, records.length, payload);
}

/** Writes the end mark of an archive with `count` blocks from `first` on. */
export function encodeEnd(first: number, count: number): Uint8Array {
  return encodeEntry('end', first, count, new Uint8Array());
}

/** Reads the first `ENTRY_BYTES` of an entry. @throws ArchiveError DAMAGED */
export function decodeEntryStart(bytes: Uint8Array) {
  const reader = new ByteReader(bytes);
  const kind = ENTRY_KINDS[reader.readUint8()];
  const payloadBytes = reader.readUint32();
  const first = reader.readUint32();
  const count = reader.readUint32();
  const digest = reader.readBytes(DIGEST_BYTES);
  const isSound = kind !== undefined && fits(kind, payloadBytes, first, count);
  if (!isSound || payloadBytes > ARCHIVE_CHUNK_BYTES_MAX) {
    throw new ArchiveError('DAMAGED', 'a chunk of the archive is damaged: its header is invalid');
  }
  return { kind, payloadBytes, first, count, digest, fields: bytes.subarray(0, ENTRY_FIELDS_BYTES) };
}

function fits(kind: EntryKind, payloadBytes: number, first: number, count: number): boolean {
  switch (kind) {
    case 'blocks':
      return first > 0 && count > 0 && first + count - 1 <= BLOCK_NUMBER_MAX;
    case 'end':
      return payloadBytes === 0;
    case 'patches':
      return first <= BLOCK_NUMBER_MAX && count > 0 && payloadBytes > SEQUENCE_BYTES;
    case 'clock':
      return payloadBytes === CLOCK_BYTES && first === 0 && count === 0;
  }
}

/** Splits the payload of a chunk of patches into the position of the first one and the compressed records. */
export function splitPatches(payload: Uint8Array): { sequence: number; packed: Uint8Array } {
  return { sequence: new ByteReader(payload).readUint32(), packed: payload.subarray(SEQUENCE_BYTES) };
}

/** Writes the seconds by which the clock of a chain is ahead. */
export function encodeClock(ahead: number): Uint8Array {
  const payload = new Uint8Array(CLOCK_BYTES);
  new DataView(payload.buffer).setBigInt64(0, BigInt(ahead), true);
  return encodeEntry('clock', 0, 0, payload);
}

/** Reads the seconds by which the clock is ahead. @throws ArchiveError DAMAGED */
export function decodeClock(entry: EntryStart, payload: Uint8Array): number {
  const { buffer, byteOffset } = payload;
  const ahead = Number(new DataView(buffer, byteOffset).getBigInt64(0, true));
  if (Math.abs(ahead) <= CLOCK_TIME_MAX) return ahead;
  throw damagedChunk(entry, `it is ${ahead} seconds ahead, beyond the possible times of blocks`);
}

/** Checks an entry's digest, in time slices. @throws ArchiveError DAMAGED */
export function checkEntry(entry: EntryStart, payload: Uint8Array): Promise<void> {
  return inSlices(checking(entry, payload));
}

function* checking(entry: EntryStart, payload: Uint8Array): Generator<void, void> {
  const hash = createHash('sha256').update(entry.fields);
  for (let offset = 0; offset < payload.length; offset += DIGESTED_TOGETHER_BYTES) {
    hash.update(payload.subarray(offset, offset + DIGESTED_TOGETHER_BYTES));
    yield;
  }
  const digest = hash.digest();
  if (equalBytes(digest, entry.digest)) return;
  throw damagedChunk(entry, `its checksum is ${bytesToHex(digest)}, not ${bytesToHex(entry.digest)}`);
}

/** Creates the error for an entry with an invalid payload. */
export function damagedChunk({ kind, first }: EntryStart, reason: string, cause?: unknown): ArchiveError {
  const names = {
    blocks: `the chunk of block ${first}`,
    end: 'the end mark',
    patches: `the patches after block ${first}`,
    clock: 'the clock',
  };
  return new ArchiveError('DAMAGED', `${names[kind]} of the archive is damaged: ${reason}`, { cause });
}

/** Writes an entry with its digest. */
export function encodeEntry(kind: EntryKind, first: number, count: number, payload: Uint8Array): Uint8Array {
  const writer = new ByteWriter();
  writer.writeUint8(ENTRY_KINDS.indexOf(kind));
  writer.writeUint32(payload.length);
  writer.writeUint32(first);
  writer.writeUint32(count);
  const fields = writer.finish();
  return concatBytes(fields, digestOf(fields, payload), payload);
}

function digestOf(fields: Uint8Array, rest: Uint8Array): Uint8Array {
  return createHash('sha256').update(fields).update(rest).digest();
}
