/** A thread that searches for a nonce until it is ended, and tells the thread that started it how far it is. */

import { parentPort, workerData } from 'node:worker_threads';
import { NonceSearch, type SearchTask } from './nonce-search.ts';

/** What one worker thread searches: a task's nonces from one on, its share of all of them. */
export interface SearchOrder {
  readonly task: SearchTask;
  /** A uint64. */
  readonly firstNonce: bigint;
}

/** What a thread tells: hashes since the last message, and the nonce once there is one. */
export interface SearchMessage {
  readonly hashes: number;
  readonly nonce?: bigint | undefined;
}

/** Hashes between two messages: some hundredths of a second. */
const SLICE_HASHES = 65_536;

// Whoever starts this file as a thread gives it an order.
const { task, firstNonce } = workerData as SearchOrder;
const search = new NonceSearch(task, firstNonce);
let nonce: bigint | undefined;
for (let first = firstNonce; nonce === undefined; first += BigInt(SLICE_HASHES)) {
  nonce = search.run(SLICE_HASHES);
  const hashes = nonce === undefined ? SLICE_HASHES : Number(nonce - first) + 1;
  parentPort?.postMessage({ hashes, nonce } satisfies SearchMessage);
}
