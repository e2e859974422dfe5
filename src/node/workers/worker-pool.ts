import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { WORKER_QUESTIONS_MAX, WORKER_RESTART_MS, WORKER_START_MS } from '../../limits.ts';
import { invariant } from '../../protocol/index.ts';
import { type QueryWorkers, type WorkerAnswer, WorkerLostError } from '../../rpc/index.ts';
import { FrameReader, readMessage, WORKER_STREAM, writeQuestion } from './frames.ts';
import type { WorkerOrder } from './query-worker.ts';

/** What workers are run with. */
export interface WorkerPoolOptions {
  readonly count: number;
  readonly order: WorkerOrder;
  /** Seconds by which the node's time of day is ahead of the system's now. */
  secondsAhead(): number;
  /** Told when a worker has ended that was not to; it is started again. */
  onLost(processId: number | undefined, reason: string): void;
}

/** Who waits for an answer. */
interface Asker {
  resolve(answer: WorkerAnswer): void;
  reject(error: WorkerLostError): void;
}

/** A worker that runs. */
interface RunningWorker {
  readonly process: ChildProcess;
  readonly stream: Duplex;
  readonly askers: Map<number, Asker>;
  isReady: boolean;
}

/** The worker processes of a node. One that ends is started again; what it was asked is rejected. */
export class WorkerPool implements QueryWorkers {
  readonly #options: WorkerPoolOptions;
  readonly #workers = new Set<RunningWorker>();
  readonly #starts = new Set<NodeJS.Timeout>();
  #questions = 0;
  #isClosing = false;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
  }

  /** Starts the workers soon, when the node's own start is over; they answer from when they are ready. */
  start(): void {
    for (let count = 0; count < this.#options.count; count += 1) this.#startIn(WORKER_START_MS);
  }

  get capacity(): number {
    return this.ready * WORKER_QUESTIONS_MAX;
  }

  /** Workers that answer. */
  get ready(): number {
    let ready = 0;
    for (const { isReady } of this.#workers) if (isReady) ready += 1;
    return ready;
  }

  ask(request: string): Promise<WorkerAnswer> {
    const worker = this.#freest();
    if (worker === undefined) return Promise.reject(new WorkerLostError());
    // A frame has 32 bits for it, of which 0 is taken.
    this.#questions = (this.#questions % 0xffff_ffff) + 1;
    const number = this.#questions;
    const secondsAhead = this.#options.secondsAhead();
    worker.stream.write(writeQuestion({ number, secondsAhead, request }));
    return new Promise((resolve, reject) => worker.askers.set(number, { resolve, reject }));
  }

  /** Ends the workers. */
  async close(): Promise<void> {
    this.#isClosing = true;
    for (const start of this.#starts) clearTimeout(start);
    await Promise.all(
      Array.from(this.#workers, ({ process, stream }) => {
        const ended = once(process, 'close');
        // It ends with its stream; what it is working on has nobody who waits for it any more.
        stream.destroy();
        process.kill('SIGKILL');
        return ended;
      }),
    );
  }

  #freest(): RunningWorker | undefined {
    let freest: RunningWorker | undefined;
    for (const worker of this.#workers) {
      if (!worker.isReady) continue;
      if (freest === undefined || worker.askers.size < freest.askers.size) freest = worker;
    }
    return freest;
  }

  #start(): void {
    const process = spawn(globalThis.process.execPath, [workerFile(), JSON.stringify(this.#options.order)], {
      stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
    });
    const stream = process.stdio[WORKER_STREAM];
    invariant(stream != null && 'write' in stream && 'read' in stream, 'a pipe is a stream both ways');
    const worker: RunningWorker = { process, stream: stream as Duplex, askers: new Map(), isReady: false };
    this.#workers.add(worker);
    const frames = new FrameReader((frame) => take(worker, frame));
    worker.stream.on('data', (piece: Buffer) => frames.take(piece));
    // Its end tells what matters.
    worker.stream.on('error', () => undefined);
    process.on('error', (error) => this.#ended(worker, error.message));
    process.on('close', (status, signal) => this.#ended(worker, signal ?? `status ${status}`));
  }

  #ended(worker: RunningWorker, reason: string): void {
    if (!this.#workers.delete(worker)) return;
    for (const { reject } of worker.askers.values()) reject(new WorkerLostError());
    if (this.#isClosing) return;
    this.#options.onLost(worker.process.pid, reason);
    this.#startIn(WORKER_RESTART_MS);
  }

  #startIn(milliseconds: number): void {
    const start = setTimeout(() => {
      this.#starts.delete(start);
      this.#start();
    }, milliseconds);
    this.#starts.add(start);
  }
}

function take(worker: RunningWorker, frame: Buffer): void {
  const message = readMessage(frame);
  if (message.kind === 'ready') {
    worker.isReady = true;
    return;
  }
  const asker = worker.askers.get(message.number);
  worker.askers.delete(message.number);
  asker?.resolve(message.answer);
}

/** Processes run compiled code, also those of tests, whose own source is compiled as they run. */
function workerFile(): string {
  const folder = import.meta.url.endsWith('.ts') ? '../../../dist/node/workers/' : './';
  return fileURLToPath(new URL(`${folder}query-worker.js`, import.meta.url));
}
