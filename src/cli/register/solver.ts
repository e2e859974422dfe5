import { Worker } from 'node:worker_threads';
import type { SearchTask } from './nonce-search.ts';
import type { SearchMessage, SearchOrder } from './solver-worker.ts';

export interface SolverOptions {
  readonly threads: number;
  /** Ends the search. */
  readonly signal: AbortSignal;
  /** Receives the number of hashes since the last call. */
  onHashes(hashes: number): void;
}

const NONCES = 2n ** 64n;

/**
 * Searches for the nonce of a proof of work in several threads, each with a separate range. Resolves when all of them
 * have ended.
 *
 * @returns undefined if the search was aborted
 */
export async function solve(task: SearchTask, options: SolverOptions): Promise<bigint | undefined> {
  const { threads, signal, onHashes } = options;
  if (signal.aborted) return undefined;
  const share = NONCES / BigInt(threads);
  const workers = Array.from({ length: threads }, (_, index) => {
    const order: SearchOrder = { task, firstNonce: share * BigInt(index) };
    return new Worker(workerFile(), { workerData: order });
  });
  try {
    return await new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => resolve(undefined), { once: true });
      for (const worker of workers) {
        worker.on('error', reject);
        worker.on('message', ({ hashes, nonce }: SearchMessage) => {
          onHashes(hashes);
          if (nonce !== undefined) resolve(nonce);
        });
      }
    });
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

/** Returns the compiled file of the threads, also in tests, which run sources. */
function workerFile(): URL {
  const folder = import.meta.url.endsWith('.ts') ? '../../../dist/cli/register/' : './';
  return new URL(`${folder}solver-worker.js`, import.meta.url);
}
