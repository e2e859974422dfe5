import { SEARCH_WORKERS_MAX } from '../limits.ts';
import type { SearchTask } from './nonce-search.ts';
import type { SearchMessage, SearchOrder } from './search-worker.ts';

/** Low halves of a nonce: each worker has a different one, and counts the high half. */
const LOW_HALVES = 2 ** 32;

/** Options of solving a task. */
export interface SolverOptions {
  /** Ends the search. */
  readonly signal: AbortSignal;
  /** Called with the number of hashes since the last call. */
  onHashes(hashes: number): void;
}

/**
 * Searches for the nonce of a proof of work in web workers with separate ranges, which are terminated at the end.
 *
 * @returns undefined if the search was stopped
 */
export async function solve(
  task: SearchTask,
  { signal, onHashes }: SolverOptions,
): Promise<bigint | undefined> {
  if (signal.aborted) return undefined;
  // The page wants a processor as well.
  const count = Math.min(SEARCH_WORKERS_MAX, Math.max(1, (navigator.hardwareConcurrency ?? 2) - 1));
  const workers = Array.from(
    { length: count },
    () => new Worker(new URL('./search-worker.ts', import.meta.url), { type: 'module' }),
  );
  try {
    return await new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => resolve(undefined), { once: true });
      for (const [index, worker] of workers.entries()) {
        worker.addEventListener('error', ({ message }) =>
          reject(new SolverError(`the search has failed: ${message || 'its worker could not be loaded'}`)),
        );
        worker.addEventListener('message', ({ data }: MessageEvent<SearchMessage>) => {
          onHashes(data.hashes);
          if (data.nonce !== undefined) resolve(data.nonce);
        });
        const firstNonce = BigInt(Math.floor(LOW_HALVES / count) * index);
        worker.postMessage({ task, firstNonce } satisfies SearchOrder);
      }
    });
  } finally {
    for (const worker of workers) worker.terminate();
  }
}

/** A worker could not be loaded, or has failed. */
class SolverError extends Error {
  override readonly name = 'SolverError';
}
