/** A thread that searches for a nonce until it is terminated, and reports its progress to its parent. */

import { parentPort, workerData } from 'node:worker_threads';
import { NonceSearch, type SearchTask } from './nonce-search.ts';

/** The task of one thread: it tries nonces from the first one on. */
export interface SearchOrder {
  readonly task: SearchTask;
  /** A uint64. */
  readonly firstNonce: bigint;
}

/** A report of a thread: hashes since the last one, and the nonce if it is found. */
export interface SearchMessage {
  readonly hashes: number;
  readonly nonce?: bigint | undefined;
}

/** Hashes between two messages: some hundredths of a second. */
const SLICE_HASHES = 65_536;

// `solve` starts this file with an order.
const { task, firstNonce } = workerData as SearchOrder;
const search = new NonceSearch(task, firstNonce);
let nonce: bigint | undefined;
for (let first = firstNonce; nonce === undefined; first += BigInt(SLICE_HASHES)) {
  nonce = search.run(SLICE_HASHES);
  const hashes = nonce === undefined ? SLICE_HASHES : Number(nonce - first) + 1;
  parentPort?.postMessage({ hashes, nonce } satisfies SearchMessage);
}
