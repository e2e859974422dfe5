import { afterEach, expect, test } from 'vitest';
import { type BlobSidecar, hexToBytes } from '../protocol/index.ts';
import { LimitError } from '../scheduling/index.ts';
import {
  BLOB_VERIFICATIONS_MAX,
  BLOB_VERIFICATIONS_OF_CLIENT_MAX,
  ThreadedBlobVerifier,
} from './blob-verifier.ts';

/** The point at infinity: commitment and proof of the blob of zeros. */
const INFINITY = hexToBytes(`c0${'00'.repeat(47)}`);

/** Returns a sidecar of one blob of zeros, whose last field element is a given number. */
function sidecarOf(version: 0 | 1, last = 0): BlobSidecar {
  const blob = new Uint8Array(131_072);
  blob[blob.length - 1] = last;
  const proofs = new Array<Uint8Array>(version === 0 ? 1 : 128).fill(INFINITY);
  return { version, blobs: [blob], commitments: [INFINITY], proofs };
}

let verifier = new ThreadedBlobVerifier();
afterEach(async () => {
  await verifier.close();
  verifier = new ThreadedBlobVerifier();
});

test('default: right proofs are valid, and others are not', { timeout: 120_000 }, async () => {
  for (const version of [0, 1] as const) {
    expect(await verifier.verify(sidecarOf(version), 'a')).toBe(true);
    expect(await verifier.verify(sidecarOf(version, 1), 'a')).toBe(false);
  }
  const { blobs, ...rest } = sidecarOf(1);
  const noField = blobs.map((blob) => new Uint8Array(blob.length).fill(255));
  expect(await verifier.verify({ ...rest, blobs: noField }, 'a')).toBe(false);
  const noPoints = rest.proofs.map((proof) => new Uint8Array(proof.length).fill(255));
  expect(await verifier.verify({ ...rest, blobs, proofs: noPoints }, 'a')).toBe(false);
});

test('error: too many of one client, and of all, and a node that stops', async () => {
  const all: Promise<unknown>[] = [];
  const verify = (client: string) => {
    const verified = verifier.verify(sidecarOf(0), client).catch((error: unknown) => error);
    all.push(verified);
    return verified;
  };
  for (let count = 0; count < BLOB_VERIFICATIONS_OF_CLIENT_MAX; count += 1) void verify('a');
  expect(await verify('a')).toBeInstanceOf(LimitError);
  for (let count = BLOB_VERIFICATIONS_OF_CLIENT_MAX; count < BLOB_VERIFICATIONS_MAX; count += 1) {
    void verify(`b${count}`);
  }
  expect(await verify('c')).toBeInstanceOf(LimitError);
  await verifier.close();
  for (const outcome of await Promise.all(all))
    expect(outcome === true || outcome instanceof LimitError).toBe(true);
  expect(await verify('d')).toBeInstanceOf(LimitError);
});
