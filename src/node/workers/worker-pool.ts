import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { takeResults } from '../../evm/index.ts';
import type { BlockTiming } from '../../ledger/index.ts';
import {
  WORKER_AHEAD_MS_MAX,
  WORKER_CHECK_MS,
  WORKER_QUESTION_NUMBERS_MAX,
  WORKER_QUESTIONS_MAX,
  WORKER_SILENCE_MS_MAX,
} from '../../limits.ts';
import { invariant } from '../../protocol/index.ts';
import { type QueryWorkers, type WorkerAnswer, type WorkerAsking, WorkerLostError } from '../../rpc/index.ts';
import {
  FrameReader,
  readMessage,
  type ToldExecution,
  WORKER_STREAM,
  writePing,
  writeQuestion,
} from './frames.ts';
import type { WorkerOrder } from './order.ts';
import { startWorker, streamOf } from './worker-program.ts';

/** Milliseconds after the node's start before its workers are started. */
const WORKER_START_MS = 50;
/** Milliseconds before a worker that has ended is started again. */
const WORKER_RESTART_MS = 1_000;

/** How many processes answer queries, and what they have to know of the node to see the chain that it has. */
export interface WorkerPoolOptions {
  readonly count: number;
  readonly order: WorkerOrder;
  /** Of the blocks of the node's ledger. */
  timing(): BlockTiming;
  /** Of the node's ledger. */
  epoch(): number;
  /** Gets what executions tell beside their outcomes; absent: nobody wants to know. */
  onTold?: ((told: ToldExecution) => void) | undefined;
  /** Told when a worker has ended that was not to; it is started again. */
  onLost(processId: number | undefined, reason: string): void;
}

/** Who waits for an answer. */
interface Asker {
  /** Milliseconds that the answer is expected to take. */
  readonly expected: number;
  resolve(answer: WorkerAnswer): void;
  reject(error: WorkerLostError): void;
}

/** A worker that runs. */
interface RunningWorker {
  readonly process: ChildProcess;
  readonly stream: Duplex;
  readonly askers: Map<number, Asker>;
  isReady: boolean;
  /** Milliseconds since it last said something, or was started. */
  silentMs: number;
}

/**
 * The worker processes of a node. One that ends is started again; what it was asked is rejected. One that says nothing
 * for longer than an answer can take is ended: each is asked whether it is there when there is nothing else to ask.
 */
export class WorkerPool implements QueryWorkers {
  readonly #options: WorkerPoolOptions;
  readonly #workers = new Set<RunningWorker>();
  readonly #starts = new Set<NodeJS.Timeout>();
  #check: NodeJS.Timeout | undefined;
  #questions = 0;
  #isClosing = false;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
  }

  /** Starts the workers soon, when the node's own start is over; they answer from when they are ready. */
  start(): void {
    for (let count = 0; count < this.#options.count; count += 1) this.#startIn(WORKER_START_MS);
    this.#check = setInterval(() => this.#lookAfterAll(), WORKER_CHECK_MS).unref();
  }

  get ready(): number {
    let ready = 0;
    for (const { isReady } of this.#workers) if (isReady) ready += 1;
    return ready;
  }

  hasRoomFor(expected: number): boolean {
    const worker = this.#freest();
    if (worker === undefined || worker.askers.size === 0) return worker !== undefined;
    return worker.askers.size < WORKER_QUESTIONS_MAX && loadOf(worker) + expected <= WORKER_AHEAD_MS_MAX;
  }

  ask({ request, expected, profile, isTrial = false }: WorkerAsking): Promise<WorkerAnswer> {
    const worker = this.#freest();
    if (worker === undefined) return Promise.reject(new WorkerLostError());
    this.#questions = (this.#questions % WORKER_QUESTION_NUMBERS_MAX) + 1;
    const number = this.#questions;
    const [timing, epoch] = [this.#options.timing(), this.#options.epoch()];
    worker.stream.write(
      writeQuestion({ number, timing, epoch, isTrial, takesRest: false, profile, request }),
    );
    return new Promise((resolve, reject) => worker.askers.set(number, { expected, resolve, reject }));
  }

  /**
   * Gives all answers up that are on their way, since they may be of blocks that have vanished, or of a state before a
   * patch; the workers go on.
   */
  abandonAnswers(): void {
    for (const { askers } of this.#workers) {
      for (const { reject } of askers.values()) reject(new WorkerLostError());
      askers.clear();
    }
  }

  /** Ends the workers. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearInterval(this.#check);
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

  /** The one that has least to do. */
  #freest(): RunningWorker | undefined {
    let freest: RunningWorker | undefined;
    for (const worker of this.#workers) {
      if (!worker.isReady) continue;
      if (worker.askers.size === 0) return worker;
      if (freest === undefined || isFreer(worker, freest)) freest = worker;
    }
    return freest;
  }

  /** Time is counted by looks, since a node that was stopped itself has heard of nobody meanwhile. */
  #lookAfterAll(): void {
    for (const worker of this.#workers) {
      worker.silentMs += WORKER_CHECK_MS;
      const { callTimeMsMax, traceTimeMsMax } = this.#options.order.limits;
      if (worker.silentMs > Math.max(callTimeMsMax, traceTimeMsMax) + WORKER_SILENCE_MS_MAX) {
        this.#end(worker);
      } else if (worker.isReady && worker.askers.size === 0) {
        worker.stream.write(writePing());
      }
    }
  }

  #end(worker: RunningWorker): void {
    worker.process.kill('SIGKILL');
    this.#ended(worker, `it said nothing for ${worker.silentMs / 1_000} s`);
  }

  #start(): void {
    const process = startWorker(this.#options.order);
    const worker: RunningWorker = {
      process,
      stream: streamOf(process, WORKER_STREAM),
      askers: new Map(),
      isReady: false,
      silentMs: 0,
    };
    this.#workers.add(worker);
    const frames = new FrameReader((frame) => take(worker, frame, this.#options.onTold));
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
    }, milliseconds).unref();
    this.#starts.add(start);
  }
}

/** Milliseconds that a worker is expected to take for what it is asked. */
function loadOf({ askers }: RunningWorker): number {
  let load = 0;
  for (const { expected } of askers.values()) load += expected;
  return load;
}

function isFreer(worker: RunningWorker, other: RunningWorker): boolean {
  const [load, otherLoad] = [loadOf(worker), loadOf(other)];
  return load < otherLoad || (load === otherLoad && worker.askers.size < other.askers.size);
}

function take(worker: RunningWorker, frame: Buffer, onTold: WorkerPoolOptions['onTold']): void {
  worker.silentMs = 0;
  const message = readMessage(frame);
  if (message.kind === 'ready') {
    worker.isReady = true;
    return;
  }
  if (message.kind === 'results') {
    takeResults(message.results);
    return;
  }
  if (message.kind === 'told') {
    onTold?.(message.told);
    return;
  }
  invariant(message.kind !== 'piece', 'only who takes pieces is sent some');
  const asker = worker.askers.get(message.number);
  worker.askers.delete(message.number);
  asker?.resolve(message.answer);
}
