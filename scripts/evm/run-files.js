/** Distributes files to threads. */

import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

const WORKER = new URL('./state-tests-worker.js', import.meta.url);

/**
 * Runs every file in one of as many threads as there are cores.
 *
 * @param {readonly string[]} files
 * @param {boolean} traced true to run the traced build
 * @param {(result: { path: string, cases: any[], problem?: string }) => void} done called once for each
 *   file, with the problem of a file without tests
 * @throws {Error} when a thread dies
 */
export async function runFiles(files, traced, done) {
  const queue = [...files];
  const threads = Math.min(availableParallelism(), files.length);
  await Promise.all(Array.from({ length: threads }, () => runThread(queue, traced, done)));
}

function runThread(queue, traced, done) {
  return new Promise((settle, refuse) => {
    const worker = new Worker(WORKER, { workerData: { traced } });
    const next = () => {
      const path = queue.shift();
      if (path === undefined) worker.terminate().then(settle, refuse);
      else worker.postMessage(path);
    };
    worker.on('message', (result) => {
      done(result);
      next();
    });
    worker.on('error', refuse);
    next();
  });
}
