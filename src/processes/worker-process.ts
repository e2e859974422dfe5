import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { setPriority } from 'node:os';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { deserialize, serialize } from 'node:v8';
import { invariant } from '../protocol/index.ts';
import type { RpcLimits } from '../rpc/index.ts';
import { type Frame, FrameReader } from './frames.ts';
import { workerFile } from './worker-file.ts';

/** Per cent by which the heap of a tracing process grows before a full collection (V8's default doubles it). */
const TRACE_HEAP_GROWING_PERCENT = 20;

/** Kinds of processes. Query processes also run prewarming calls. */
export type ProcessKind = 'query' | 'trace';

export interface ProcessSettings {
  readonly kind: ProcessKind;
  readonly storePath: string;
  readonly limits: RpcLimits;
  /** True if the process sends an ExecutionReport of each query. */
  readonly reportsExecutions: boolean;
}

/** File descriptor of the stream of jobs in the process. */
export const JOB_STREAM = 3;
/** File descriptor of the stream to the node in the process. Writing blocks until the node reads. */
export const NODE_STREAM = 4;

/** Niceness of the processes (19 is the lowest priority), so that the node has priority. */
export const NICENESS = 5;
/** MiB of the young generation of a trace process. */
const TRACE_YOUNG_MEBIBYTES = 1;
/** Flags for Node.js. Struct logs create many short texts: early garbage collection keeps the heap small. */
const NODE_FLAGS: Readonly<Record<ProcessKind, readonly string[]>> = {
  query: [],
  trace: [
    `--max-semi-space-size=${TRACE_YOUNG_MEBIBYTES}`,
    `--heap-growing-percent=${TRACE_HEAP_GROWING_PERCENT}`,
  ],
};

export interface ProcessEvents {
  onFrame(frame: Frame): void;
  /** Called when the process ends, unless by `WorkerProcess.end`. */
  onEnded(reason: string): void;
}

/**
 * A child process with a stream of jobs and a stream of results. It does not keep the node running, and ends with it.
 */
export class WorkerProcess {
  readonly #process: ChildProcess;
  readonly #jobs: Duplex;
  readonly #output: Duplex;
  #hasEnded = false;

  constructor(settings: ProcessSettings, events: ProcessEvents) {
    const programArguments = [
      ...NODE_FLAGS[settings.kind],
      fileURLToPath(workerFile('query-worker.js')),
      serialize(settings).toString('base64'),
    ];
    this.#process = spawn(process.execPath, programArguments, {
      stdio: ['ignore', 'inherit', 'inherit', 'pipe', 'pipe'],
    });
    this.#process.unref();
    for (const stream of this.#process.stdio) if (stream instanceof Socket) stream.unref();
    this.#jobs = this.#stream(JOB_STREAM);
    this.#output = this.#stream(NODE_STREAM);
    const frames = new FrameReader((frame) => {
      if (!this.#hasEnded) events.onFrame(frame);
    });
    this.#output.on('data', (piece: Buffer) => frames.take(piece));
    const ended = (reason: string): void => {
      if (this.#hasEnded) return;
      this.#hasEnded = true;
      events.onEnded(reason);
    };
    this.#process.on('error', (error) => ended(error.message));
    this.#process.on('close', (status, signal) => ended(signal ?? `status ${status}`));
    // Query processes start with normal priority, since queries wait for them.
    if (settings.kind === 'trace' && this.processId !== undefined) lowerPriority(this.processId);
  }

  get processId(): number | undefined {
    return this.#process.pid;
  }

  send(frame: Buffer): void {
    this.#jobs.write(frame);
  }

  /** Stops reading, so that the process blocks once its stream is full. */
  pause(): void {
    this.#output.pause();
  }

  resume(): void {
    this.#output.resume();
  }

  /** Kills the process. No event follows. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const closed = once(this.#process, 'close');
    this.#jobs.destroy();
    // An unread stream would delay the close event.
    this.#output.destroy();
    this.#process.kill('SIGKILL');
    await closed;
  }

  #stream(descriptor: number): Duplex {
    const stream = this.#process.stdio[descriptor];
    invariant(stream != null && 'write' in stream && 'read' in stream, 'a pipe is a stream both ways');
    // Ignored, since the end of the process is reported.
    return (stream as Duplex).on('error', () => undefined);
  }
}

/** Reads the settings of this process from its command line. */
export function readSettings(): ProcessSettings {
  const [, , settings = ''] = process.argv;
  return deserialize(Buffer.from(settings, 'base64'));
}

function lowerPriority(processId: number): void {
  try {
    setPriority(processId, NICENESS);
  } catch {
    // The process has ended, or the system has no priorities.
  }
}
