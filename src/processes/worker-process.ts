import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { setPriority } from 'node:os';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { deserialize, serialize } from 'node:v8';
import { TRACE_HEAP_GROWING_PERCENT } from '../limits.ts';
import { invariant } from '../protocol/index.ts';
import type { RpcLimits } from '../rpc/index.ts';
import { type Frame, FrameReader } from './frames.ts';

/** Kinds of processes: for queries and prewarming calls, and for traces. */
export type ProcessKind = 'query' | 'trace';

/** Settings of a process, given at its start. */
export interface ProcessSettings {
  readonly kind: ProcessKind;
  /** Folder of the store that it reads. */
  readonly storePath: string;
  /** Bounds of the interface, of which it keeps those of queries. */
  readonly limits: RpcLimits;
  /** True if it passes on what executions tell beside their outcomes. */
  readonly reportsExecutions: boolean;
}

/** File descriptor of the stream of jobs, in the process. */
export const JOB_STREAM = 3;
/** File descriptor of the stream to the node, in the process: writing to it waits until the node has read. */
export const NODE_STREAM = 4;

/** Niceness of the processes, the greatest being 19: where processors are few, the node goes first. */
export const NICENESS = 5;
/** MiB of young objects of a process that makes traces before they are collected. */
const TRACE_YOUNG_MEBIBYTES = 1;
/** Struct logs are made of short texts: what is young, and what got old, is collected while it is little. */
const NODE_FLAGS: Readonly<Record<ProcessKind, readonly string[]>> = {
  query: [],
  trace: [
    `--max-semi-space-size=${TRACE_YOUNG_MEBIBYTES}`,
    `--heap-growing-percent=${TRACE_HEAP_GROWING_PERCENT}`,
  ],
};

/** Receiver of what a process sends, and of its end. */
export interface ProcessEvents {
  onFrame(frame: Frame): void;
  /** It has ended, for whatever reason but `WorkerProcess.end`. */
  onEnded(reason: string): void;
}

/** A process with a stream of jobs and a stream back. It does not keep this process running, and ends with it. */
export class WorkerProcess {
  readonly #process: ChildProcess;
  readonly #jobs: Duplex;
  readonly #output: Duplex;
  #hasEnded = false;

  constructor(settings: ProcessSettings, events: ProcessEvents) {
    const words = [...NODE_FLAGS[settings.kind], programFile(), serialize(settings).toString('base64')];
    this.#process = spawn(process.execPath, words, {
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
    // Queries wait for their processes to start, which a loaded machine would delay for long.
    if (settings.kind === 'trace' && this.processId !== undefined) giveWay(this.processId);
  }

  get processId(): number | undefined {
    return this.#process.pid;
  }

  send(frame: Buffer): void {
    this.#jobs.write(frame);
  }

  /** Stops reading, so that the process waits as soon as its stream is full. */
  pause(): void {
    this.#output.pause();
  }

  resume(): void {
    this.#output.resume();
  }

  /** Ends it, whatever it is doing; no event follows. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const closed = once(this.#process, 'close');
    this.#jobs.destroy();
    // A stream that is not read would keep it from being closed.
    this.#output.destroy();
    this.#process.kill('SIGKILL');
    await closed;
  }

  #stream(descriptor: number): Duplex {
    const stream = this.#process.stdio[descriptor];
    invariant(stream != null && 'write' in stream && 'read' in stream, 'a pipe is a stream both ways');
    // The end of the process tells what matters.
    return (stream as Duplex).on('error', () => undefined);
  }
}

/** Reads the settings of this process from its command line. */
export function readSettings(): ProcessSettings {
  const [, , settings = ''] = process.argv;
  return deserialize(Buffer.from(settings, 'base64'));
}

function giveWay(processId: number): void {
  try {
    setPriority(processId, NICENESS);
  } catch {
    // It has ended already, or the system has no priorities: it runs as it is.
  }
}

/** Returns the file that processes run: compiled code, also in tests, whose own source is compiled as they run. */
function programFile(): string {
  const folder = import.meta.url.endsWith('.ts') ? '../../dist/processes/' : './';
  return fileURLToPath(new URL(`${folder}query-worker.js`, import.meta.url));
}
