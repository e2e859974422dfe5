/** A web worker that searches for a nonce until it is terminated, and reports its progress. */

import { NonceSearch, type SearchTask } from './nonce-search.ts';

/** The search range of a worker. */
export interface SearchOrder {
  readonly task: SearchTask;
  readonly firstNonce: bigint;
}

/** A message of a worker: hashes since the last message, and the nonce once it is found. */
export interface SearchMessage {
  readonly hashes: number;
  readonly nonce: bigint | undefined;
}

/** Hashes between two messages: some hundredths of a second. */
const SLICE_HASHES = 32_768;

addEventListener('message', ({ data: { task, firstNonce } }: MessageEvent<SearchOrder>) => {
  const search = new NonceSearch(task, firstNonce);
  let nonce: bigint | undefined;
  while (nonce === undefined) {
    nonce = search.run(SLICE_HASHES);
    postMessage({ hashes: SLICE_HASHES, nonce } satisfies SearchMessage);
  }
});
