/** A thread that verifies the proofs of blobs, so that the event loop of the node does not wait for them. */

import { createRequire } from 'node:module';
import { parentPort } from 'node:worker_threads';
import { BLOB_CELLS, type BlobSidecar } from '../protocol/index.ts';

/** A sidecar to verify, whose numbers of blobs, commitments and proofs fit each other. */
export interface VerificationOrder {
  readonly id: number;
  readonly sidecar: BlobSidecar;
}

/** The result of a verification. */
export interface VerificationResult {
  readonly id: number;
  /** True if all proofs are valid; a text if there is no library for this platform. */
  readonly outcome: boolean | { readonly failure: string };
}

/** The used part of the package @crate-crypto/node-eth-kzg. Its functions throw for bytes that are no points. */
interface KzgLibrary {
  verifyBlobKzgProofBatch(
    blobs: readonly Uint8Array[],
    commitments: readonly Uint8Array[],
    proofs: readonly Uint8Array[],
  ): boolean;
  computeCells(blob: Uint8Array): Uint8Array[];
  verifyCellKzgProofBatch(
    commitments: readonly Uint8Array[],
    cellIndices: readonly number[],
    cells: readonly Uint8Array[],
    proofs: readonly Uint8Array[],
  ): boolean;
}

/** The exports of the package, as documented. */
interface KzgPackage {
  readonly DasContextJs: { create(options: { usePrecomp: boolean }): KzgLibrary };
}

/** Loads the library, with the trusted setup of mainnet. Other platforms than Linux need the whole package. */
function loadLibrary(): KzgLibrary {
  const { DasContextJs } = loadPackage(createRequire(import.meta.url));
  return DasContextJs.create({ usePrecomp: false });
}

function loadPackage(load: NodeJS.Require): KzgPackage {
  try {
    return load('@crate-crypto/node-eth-kzg-linux-x64-gnu') as KzgPackage; // the compiled part of the package
  } catch {
    return load('@crate-crypto/node-eth-kzg') as KzgPackage;
  }
}

let library: KzgLibrary | undefined;

function verify(sidecar: BlobSidecar): VerificationResult['outcome'] {
  try {
    library ??= loadLibrary();
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
  try {
    return areValid(library, sidecar);
  } catch {
    // A field element or a point is not canonical.
    return false;
  }
}

function areValid(kzg: KzgLibrary, { version, blobs, commitments, proofs }: BlobSidecar): boolean {
  if (version === 0) return kzg.verifyBlobKzgProofBatch(blobs, commitments, proofs);
  const cells = blobs.flatMap((blob) => kzg.computeCells(blob));
  const ofCells = commitments.flatMap((commitment) => new Array<Uint8Array>(BLOB_CELLS).fill(commitment));
  const indices = cells.map((_, index) => index % BLOB_CELLS);
  return kzg.verifyCellKzgProofBatch(ofCells, indices, cells, proofs);
}

parentPort?.on('message', ({ id, sidecar }: VerificationOrder) => {
  parentPort?.postMessage({ id, outcome: verify(sidecar) } satisfies VerificationResult);
});
