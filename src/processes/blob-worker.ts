/** A thread that verifies the proofs of blobs, so that the event loop of the node does not wait for them. */

import { parentPort } from 'node:worker_threads';
import { areBlobProofsValid } from '../evm/index.ts';
import type { BlobSidecar } from '../protocol/index.ts';

/** A sidecar to verify. */
export interface VerificationOrder {
  readonly id: number;
  readonly sidecar: BlobSidecar;
}

/** The result of a verification. */
export interface VerificationResult {
  readonly id: number;
  readonly isValid: boolean;
}

parentPort?.on('message', ({ id, sidecar }: VerificationOrder) => {
  parentPort?.postMessage({ id, isValid: areBlobProofsValid(sidecar) } satisfies VerificationResult);
});
