import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import type { Duplex } from 'node:stream';
import { invariant } from '../../protocol/index.ts';
import { FrameReader, readMessage, TRACE_STREAM, WORKER_STREAM, type WorkerMessage } from './frames.ts';
import type { WorkerOrder } from './order.ts';
import { startWorker, streamOf } from './worker-program.ts';

/** Niceness of a process that makes traces; the greatest is 19. */
const TRACE_NICENESS = 5;

/** Who hears of a process that makes traces. */
export interface TraceProcessEvents {
  /** It has told something. */
  onMessage(message: WorkerMessage): void;
  /** It has ended, for whatever reason. */
  onEnded(reason: string): void;
}

/** A process that makes one trace after the other. What it tells waits in it as long as it is not read. */
export class TraceProcess {
  readonly #process: ChildProcess;
  readonly #questions: Duplex;
  readonly #told: Duplex;
  #hasEnded = false;

  constructor(order: WorkerOrder, events: TraceProcessEvents) {
    invariant(order.isTracing, 'what makes traces tells all by the stream that waits');
    this.#process = startWorker(order);
    this.#questions = streamOf(this.#process, WORKER_STREAM);
    this.#told = streamOf(this.#process, TRACE_STREAM);
    const frames = new FrameReader((frame) => events.onMessage(readMessage(frame)));
    this.#told.on('data', (piece: Buffer) => {
      if (!this.#hasEnded) frames.take(piece);
    });
    const ended = (reason: string): void => {
      if (this.#hasEnded) return;
      this.#hasEnded = true;
      events.onEnded(reason);
    };
    // Their end tells what matters.
    for (const stream of [this.#questions, this.#told]) stream.on('error', () => undefined);
    this.#process.on('error', (error) => ended(error.message));
    this.#process.on('close', (status, signal) => ended(signal ?? `status ${status}`));
    if (this.processId !== undefined) giveWay(this.processId);
  }

  get processId(): number | undefined {
    return this.#process.pid;
  }

  ask(question: Buffer): void {
    this.#questions.write(question);
  }

  /** Reads nothing more for the time being, so that the process waits. */
  pause(): void {
    this.#told.pause();
  }

  resume(): void {
    this.#told.resume();
  }

  /** Ends it, whatever it is doing; it is not heard of any more. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const closed = once(this.#process, 'close');
    this.#questions.destroy();
    // A stream that is not read would keep it from being closed.
    this.#told.destroy();
    this.#process.kill('SIGKILL');
    await closed;
  }
}

/** Traces take what time the node and its other workers leave. */
function giveWay(processId: number): void {
  try {
    setPriority(processId, TRACE_NICENESS);
  } catch {
    // It has ended already, or the system has no priorities: it runs as it is.
  }
}
