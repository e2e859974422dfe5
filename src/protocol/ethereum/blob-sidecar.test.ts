import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesToHex, concatBytes, hexToBytes, toAddress, toHash } from '../bytes/bytes.ts';
import { DecodeError, FormatError } from '../protocol-errors.ts';
import {
  BLOB_BYTES,
  BLOB_CELLS,
  type BlobSidecar,
  checkSidecar,
  parseBlobWrapper,
  parseSidecar,
  serializeBlobWrapper,
  serializeSidecar,
  versionedHashOf,
} from './blob-sidecar.ts';
import { KEY } from './ethereum.testing.ts';
import { parseEthereumTransaction } from './parse-transaction.ts';
import { encodeRlp, type RlpItem } from './rlp.ts';
import { signEthereumTransaction } from './sign-transaction.ts';
import type { BlobFields } from './transaction.ts';

function sidecarOf(blobs: number, version: 0 | 1 = 1): BlobSidecar {
  const filled = (count: number, length: number) =>
    Array.from({ length: count }, (_, index) => new Uint8Array(length).fill(index + 1));
  const proofs = version === 0 ? blobs : blobs * BLOB_CELLS;
  return {
    version,
    blobs: filled(blobs, BLOB_BYTES),
    commitments: filled(blobs, 48),
    proofs: filled(proofs, 48),
  };
}

function fieldsOf({ commitments }: BlobSidecar): BlobFields {
  return {
    type: 'blob',
    chainId: 1n,
    nonce: 0n,
    maxFeePerGas: 2n,
    maxPriorityFeePerGas: 1n,
    gas: 21_000n,
    to: toAddress(new Uint8Array(20).fill(5)),
    value: 0n,
    data: new Uint8Array(),
    accessList: [],
    maxFeePerBlobGas: 3n,
    blobVersionedHashes: commitments.map(versionedHashOf),
  };
}

const SIDECAR = sidecarOf(2);
const TRANSACTION = signEthereumTransaction(fieldsOf(SIDECAR), KEY);

/** The network form with other items behind the transaction. */
function wrapped(...items: readonly RlpItem[]): Uint8Array {
  const list = encodeRlp([new Uint8Array(), ...items]);
  // The transaction replaces the empty string in front.
  const rest = list.subarray(list.indexOf(0x80) + 1);
  return concatBytes(Uint8Array.of(3), listAround(concatBytes(TRANSACTION.subarray(1), rest)));
}

function listAround(payload: Uint8Array): Uint8Array {
  const head = Uint8Array.of(0xfa, payload.length >> 16, (payload.length >> 8) & 255, payload.length & 255);
  if (payload.length < 65_536) return concatBytes(Uint8Array.of(0xf9), head.subarray(2), payload);
  return concatBytes(head, payload);
}

function errorOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('the network form', () => {
  test.each([0, 1] as const)('default: version %i is read as it is written', (version) => {
    const sidecar = sidecarOf(6, version);
    const bytes = serializeBlobWrapper(TRANSACTION, sidecar);
    const read = parseBlobWrapper(Buffer.from(bytes));
    expect(bytesToHex(read?.transaction ?? new Uint8Array())).toBe(bytesToHex(TRANSACTION));
    expect(read?.sidecar).toEqual(sidecar);
  });

  test('behavior: the consensus form, other types and other bytes are no wrapper', () => {
    for (const bytes of [TRANSACTION, new Uint8Array(), Uint8Array.of(2, 0xc0)]) {
      expect(parseBlobWrapper(bytes)).toBeUndefined();
    }
  });

  test('behavior: stored sidecars are read as they were written', () => {
    for (const sidecar of [sidecarOf(1, 0), SIDECAR])
      expect(parseSidecar(serializeSidecar(sidecar))).toEqual(sidecar);
  });

  const { blobs, commitments, proofs } = SIDECAR;
  const ONE = Uint8Array.of(1);
  test.each([
    ['an unknown version', [Uint8Array.of(2), blobs, commitments, proofs], 'unknown sidecar version 2'],
    ['a version of 0', [Uint8Array.of(0), blobs, commitments, proofs], 'a number with zeros in front'],
    ['a short blob', [ONE, [new Uint8Array(5)], commitments, proofs], 'must have 131072 bytes, not 5'],
    ['a short commitment', [ONE, blobs, [new Uint8Array(47)], proofs], 'must have 48 bytes, not 47'],
    ['too many commitments', [ONE, blobs, Array(7).fill(commitments[0]), proofs], 'at most 6 are allowed'],
    ['too many proofs', [ONE, blobs, commitments, Array(769).fill(proofs[0])], 'at most 768 are allowed'],
    ['no proofs', [ONE, blobs, commitments], 'is missing: too few items'],
    ['an item too many', [ONE, blobs, commitments, proofs, ONE], 'bytes too many'],
    ['a list within a list', [ONE, [blobs], commitments, proofs], 'must be a string, not a list'],
  ])('error: %s', (_, items: RlpItem[], message) => {
    const error = errorOf(() => parseBlobWrapper(wrapped(...items)));
    expect(error).toBeInstanceOf(DecodeError);
    expect(String(error)).toContain(message);
  });

  test('error: any changed byte of the heads is refused or read as other content', () => {
    const small = serializeBlobWrapper(TRANSACTION, { version: 1, blobs: [], commitments, proofs: [] });
    fc.assert(
      fc.property(fc.nat(small.length - 1), fc.integer({ min: 1, max: 255 }), (offset, change) => {
        const bytes = small.slice();
        bytes[offset] = (bytes[offset] ?? 0) ^ change;
        const read = errorOf(() => parseBlobWrapper(bytes));
        if (read !== undefined) expect(read).toBeInstanceOf(DecodeError);
        else {
          const parsed = parseBlobWrapper(bytes);
          if (parsed !== undefined) {
            expect(serializeBlobWrapper(parsed.transaction, parsed.sidecar)).toEqual(bytes);
          }
        }
      }),
    );
  });
});

describe('a sidecar and its transaction', () => {
  const hashes = SIDECAR.commitments.map(versionedHashOf);

  test('default: it has a blob for each hash', () => {
    expect(errorOf(() => checkSidecar(SIDECAR, hashes))).toBeUndefined();
    // The hash of the commitment to the blob of zeros, from EIP-4844's implementations.
    expect(bytesToHex(versionedHashOf(hexToBytes(`c0${'00'.repeat(47)}`)))).toBe(
      '010657f37554c781402a22917dee2f75def7ab966d7b770905398eba3c444014',
    );
  });

  test.each([
    [
      'a blob too few',
      { ...SIDECAR, blobs: SIDECAR.blobs.slice(1) },
      'invalid number of 1 blobs compared to 2 blob hashes',
    ],
    [
      'a commitment too few',
      { ...SIDECAR, commitments: SIDECAR.commitments.slice(1) },
      'invalid number of 1 blob commitments compared to 2 blob hashes',
    ],
    [
      'proofs of blobs as version 1',
      { ...sidecarOf(2, 0), version: 1 as const },
      'invalid number of 2 blob proofs expected 256',
    ],
    [
      'commitments in another order',
      { ...SIDECAR, commitments: SIDECAR.commitments.toReversed() },
      'mismatches transaction one',
    ],
  ])('error: %s', (_, sidecar, message) => {
    const error = errorOf(() => checkSidecar(sidecar, hashes));
    expect(error).toBeInstanceOf(FormatError);
    expect(String(error)).toContain(message);
  });
});

describe('the consensus form', () => {
  const read = (change: Partial<BlobFields>) =>
    errorOf(() =>
      parseEthereumTransaction(signEthereumTransaction({ ...fieldsOf(SIDECAR), ...change }, KEY)),
    );
  const [hash = toHash(new Uint8Array(32))] = fieldsOf(SIDECAR).blobVersionedHashes;

  test.each([
    ['no receiver', { to: new Uint8Array() as BlobFields['to'] }, 'blob transaction of type create'],
    ['no blobs', { blobVersionedHashes: [] }, 'blob transaction missing blob hashes'],
    [
      '7 blobs',
      { blobVersionedHashes: Array<typeof hash>(7).fill(hash) },
      'blob transaction has too many blobs',
    ],
    [
      'version 2',
      { blobVersionedHashes: [hash, toHash(new Uint8Array(32).fill(2))] },
      'blob 1 has invalid hash version',
    ],
  ])('error: %s', (_, change, message) => {
    const error = read(change);
    expect(error).toBeInstanceOf(DecodeError);
    expect(String(error)).toContain(message);
  });
});
