import { bls12_381 } from '@noble/curves/bls12-381.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BlobSidecar, hexToBytes } from '../../protocol/index.ts';
import { areBlobProofsValid } from './blob-proofs.ts';
import { loadKzgLibrary, setupPoint } from './kzg.testing.ts';
import { G1_POWERS, G2_GENERATOR, G2_SECRET, G2_SECRET_64 } from './kzg-setup.ts';

const kzg = loadKzgLibrary();
const INFINITY = hexToBytes(`c0${'00'.repeat(47)}`);
const ELEMENT_BYTES = 32;

/** A blob of numbers that differ, each below the order. */
function blobOf(seed: number): Uint8Array {
  const [blob = new Uint8Array()] = fc.sample(fc.uint8Array({ minLength: 131_072, maxLength: 131_072 }), {
    numRuns: 1,
    seed,
  });
  return blob.map((byte, index) => (index % ELEMENT_BYTES === 0 ? byte & 0x3f : byte));
}

/** The blobs with their proofs, by another library. */
function sidecarOf(version: 0 | 1, ...blobs: readonly Uint8Array[]): BlobSidecar {
  const commitments = blobs.map((blob) => kzg.blobToKzgCommitment(blob));
  const proofs = blobs.flatMap((blob, index) =>
    version === 0
      ? [kzg.computeBlobKzgProof(blob, commitments[index] ?? INFINITY)]
      : kzg.computeCellsAndKzgProofs(blob).proofs,
  );
  return { version, blobs, commitments, proofs };
}

/** A copy with another element at an index. */
function replaced<T>(list: readonly T[], index: number, element: T): readonly T[] {
  return list.map((one, at) => (at === index ? element : one));
}

test('default: the setup is that of the ceremony, by another project', () => {
  expect(G1_POWERS).toEqual(G1_POWERS.map((_, power) => setupPoint('g1', power).toHex()));
  for (const [power, coordinates] of [G2_GENERATOR, G2_SECRET].entries()) {
    expect(pointOf(coordinates).equals(setupPoint('g2', power))).toBe(true);
  }
  expect(pointOf(G2_SECRET_64).equals(setupPoint('g2', 64))).toBe(true);
});

function pointOf(coordinates: readonly string[]): typeof bls12_381.G2.Point.BASE {
  const [x0 = 0n, x1 = 0n, y0 = 0n, y1 = 0n] = coordinates.map((digits) => BigInt(`0x${digits}`));
  return bls12_381.G2.Point.fromAffine({ x: { c0: x0, c1: x1 }, y: { c0: y0, c1: y1 } });
}

describe.each([0, 1] as const)('proofs of version %s', (version) => {
  const valid = sidecarOf(version, blobOf(1), blobOf(2));
  const [blob = new Uint8Array()] = valid.blobs;
  const last = valid.proofs.length - 1;
  const refused = (changes: Partial<BlobSidecar>) =>
    expect(areBlobProofsValid({ ...valid, ...changes })).toBe(false);

  test('default: those of another library are valid, again and for other blobs', () => {
    expect([areBlobProofsValid(valid), areBlobProofsValid(valid)]).toEqual([true, true]);
    expect(areBlobProofsValid(sidecarOf(version, blobOf(3)))).toBe(true);
    expect(areBlobProofsValid({ version, blobs: [], commitments: [], proofs: [] })).toBe(true);
  });

  test('behavior: a constant blob has infinity for its proofs, and one of zeros for its commitment too', () => {
    const constant = blob.map((_, index) => (index % ELEMENT_BYTES === ELEMENT_BYTES - 1 ? 7 : 0));
    expect(areBlobProofsValid(sidecarOf(version, constant))).toBe(true);
    const zeros = sidecarOf(version, new Uint8Array(blob.length));
    expect(zeros.commitments).toEqual([INFINITY]);
    expect(areBlobProofsValid(zeros)).toBe(true);
  });

  test('error: any other element of a blob', () => {
    for (const element of [0, 1, 63, 64, 2_048, 4_095]) {
      const changed = Uint8Array.from(blob);
      const at = element * ELEMENT_BYTES + ELEMENT_BYTES - 1;
      changed[at] = (changed[at] ?? 0) ^ 1;
      refused({ blobs: replaced(valid.blobs, 0, changed) });
    }
  });

  test('error: another order, commitment, proof or number of them', () => {
    refused({ blobs: valid.blobs.toReversed() });
    refused({ commitments: valid.commitments.toReversed() });
    refused({ proofs: valid.proofs.toReversed() });
    refused({ commitments: replaced(valid.commitments, 1, INFINITY) });
    for (const index of [0, last]) refused({ proofs: replaced(valid.proofs, index, INFINITY) });
    refused({ proofs: valid.proofs.slice(1) });
    refused({ commitments: valid.commitments.slice(1) });
  });

  test('error: numbers that are no field elements, points that are malformed, other lengths', () => {
    refused({ blobs: replaced(valid.blobs, 0, new Uint8Array(blob.length).fill(0xff)) });
    const order = hexToBytes('73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001');
    const atOrder = Uint8Array.from(blob);
    atOrder.set(order, blob.length - ELEMENT_BYTES);
    refused({ blobs: replaced(valid.blobs, 0, atOrder) });
    refused({ blobs: replaced(valid.blobs, 0, blob.subarray(1)) });
    for (const point of [new Uint8Array(48), new Uint8Array(48).fill(0xff), INFINITY.subarray(1)]) {
      refused({ proofs: replaced(valid.proofs, last, point) });
      refused({ commitments: replaced(valid.commitments, 0, point) });
    }
  });
});
