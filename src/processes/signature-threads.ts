import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { QueuedCheck, SignatureCheck, SignatureThreads } from '../ledger/index.ts';
import { SignatureTable } from './signature-table.ts';
import { workerFile } from './worker-file.ts';

/** Threads that check signatures, where there are more processors. */
const SIGNATURE_THREADS_MAX = 4;
/** Checks that could have been queued before these threads start. */
export const SIGNATURE_CHECKS_BEFORE_THREADS = 64;

/**
 * Threads that check signatures before the thread of the ledger needs their results. They start once there were some
 * checks: most test nodes never have two transactions at a time.
 */
export class WorkerSignatureThreads implements SignatureThreads {
  readonly #onFailure: (error: unknown) => void;
  readonly #count: number;
  #table: SignatureTable | undefined = new SignatureTable();
  #workers: Worker[] = [];
  #untilStart = SIGNATURE_CHECKS_BEFORE_THREADS;

  /**
   * @param onFailure called with the error of a thread, after which the ledger checks all signatures itself
   * @param count of threads; by default one for each further processor
   */
  constructor(
    onFailure: (error: unknown) => void,
    count = Math.min(availableParallelism() - 1, SIGNATURE_THREADS_MAX),
  ) {
    this.#onFailure = onFailure;
    this.#count = count;
  }

  queue(check: SignatureCheck): QueuedCheck | undefined {
    const table = this.#table;
    if (table === undefined || !this.#areStarted(table)) return undefined;
    const position = table.add(check);
    return position === undefined ? undefined : { take: () => table.take(position) };
  }

  /** Stops the threads. Results that are taken later are not available. */
  async close(): Promise<void> {
    this.#table = undefined;
    const workers = this.#workers.splice(0);
    await Promise.all(workers.map((worker) => worker.terminate()));
  }

  #areStarted({ memory }: SignatureTable): boolean {
    if (this.#workers.length > 0) return true;
    this.#untilStart -= 1;
    if (this.#untilStart > 0 || this.#count < 1) return false;
    this.#workers = Array.from({ length: this.#count }, () => {
      const worker = new Worker(workerFile('signature-worker.js'), { workerData: memory });
      worker.unref();
      worker.on('error', (error) => {
        void this.close();
        this.#onFailure(error);
      });
      return worker;
    });
    return true;
  }
}
