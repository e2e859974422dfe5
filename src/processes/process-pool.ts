import { Readable } from 'node:stream';
import { deserialize, serialize } from 'node:v8';
import { importResults, stepsBuilder } from '../evm/index.ts';
import type { BlockTiming } from '../ledger/index.ts';
import { invariant } from '../protocol/index.ts';
import {
  type JobListener,
  type JobProcesses,
  ResponseBody,
  type RpcLimits,
  TRACE_CHUNKS_AHEAD_MAX,
  type WorkerJob,
  WorkerLostError,
} from '../rpc/index.ts';
import { type ExecutionReport, type Frame, readResult, type SentJob, writeFrame } from './frames.ts';
import { type ProcessKind, WorkerProcess } from './worker-process.ts';

/** Queries that a worker has at a time: a running one and, if both are short, the next. */
const WORKER_QUERIES_MAX = 2;
/** Expected milliseconds of all queries of a worker that has more than one. */
const WORKER_AHEAD_MS_MAX = 10;
/** Milliseconds between two checks that the workers run. */
export const WORKER_CHECK_MS = 1_000;
/** Milliseconds, beyond the time limit of a call, after which a worker without a response is killed. */
export const WORKER_SILENCE_MS_MAX = 10_000;
/** Milliseconds between two checks of the tracing processes. */
export const TRACE_CHECK_MS = 250;
/** Milliseconds after which an idle tracing process ends. */
export const TRACE_IDLE_MS = 60_000;
/** Milliseconds that a trace waits for its client in all, and while others wait for their traces. */
const TRACE_PAUSE_MS_MAX = 120_000;
const TRACE_PAUSE_BEFORE_OTHERS_MS_MAX = 10_000;

/** Milliseconds from the start of the node to that of its query processes. */
const START_MS = 50;
/** Milliseconds from the end of a query process to its restart. */
const RESTART_MS = 1_000;
const CLIENT_DISCONNECTED = 'its client disconnected';

export interface ProcessPoolOptions {
  /** Number of query processes, which run permanently. */
  readonly queries: number;
  /** Maximum number of trace processes, which are started on demand. */
  readonly traces: number;
  /** Folder of the store, read at each start of a process: it changes with the file of the store. */
  readonly storePath: string;
  readonly limits: RpcLimits;
  /** Writes the chain to its file, and lets trace processes open it. @throws for a full disk */
  publish(): void;
  timing(): BlockTiming;
  reorgCount(): number;
  /** Receives a report of each query execution; absent: none are sent. */
  onExecutionReport?: ((report: ExecutionReport) => void) | undefined;
  /** Called when a process ended unexpectedly. */
  onLost(processId: number | undefined, reason: string): void;
}

interface RunningJob {
  readonly job: WorkerJob;
  readonly listener: JobListener;
  /** Rest of a streamed response. */
  rest: Readable | undefined;
}

interface Member {
  readonly kind: ProcessKind;
  readonly process: WorkerProcess;
  readonly jobs: Map<number, RunningJob>;
  isReady: boolean;
  isPaused: boolean;
  /** Milliseconds since the process last sent a frame, or was last read. */
  silentMs: number;
  /** Milliseconds for which its trace has waited for the client. */
  pausedMs: number;
}

/**
 * The processes of a node that run queries, prewarming calls and traces. A query process is restarted after its end,
 * and pinged while it is idle. A trace process runs one trace at a time. It is ended after an idle time, and when its
 * client disconnects or does not read. A process that is silent for longer than any job takes is killed, and its jobs
 * are lost.
 *
 * A trace reads a snapshot of the chain, so reverted blocks do not affect it. Queries are abandoned at a
 * reorganisation.
 */
export class ProcessPool implements JobProcesses {
  readonly #options: ProcessPoolOptions;
  readonly #members = new Set<Member>();
  readonly #starts = new Set<NodeJS.Timeout>();
  readonly #ends = new Set<Promise<void>>();
  #check: NodeJS.Timeout | undefined;
  #lastNumber = 0;
  #isClosing = false;
  /** Number of query processes that are ready. */
  ready = 0;

  constructor(options: ProcessPoolOptions) {
    this.#options = options;
  }

  /** Starts the query processes shortly after the start of the node. */
  start(): void {
    for (let count = 0; count < this.#options.queries; count += 1) this.#startIn(START_MS);
  }

  hasCapacityFor(job: WorkerJob): boolean {
    if (job.kind === 'trace') return this.#idleTracer() !== undefined || this.#mayStartTracer();
    const member = this.#leastLoaded();
    if (member === undefined || member.jobs.size === 0) return member !== undefined;
    return member.jobs.size < WORKER_QUERIES_MAX && loadOf(member) + job.expectedMs <= WORKER_AHEAD_MS_MAX;
  }

  get stepsBuilder(): (() => Promise<void>) | undefined {
    return stepsBuilder();
  }

  run(job: WorkerJob, listener: JobListener): void {
    const { publish, timing, reorgCount } = this.#options;
    if (job.kind === 'trace') publish();
    const member = job.kind === 'trace' ? this.#tracer() : this.#leastLoaded();
    if (member === undefined) throw new WorkerLostError();
    this.#lastNumber += 1;
    const number = this.#lastNumber;
    member.jobs.set(number, { job, listener, rest: undefined });
    const { kind, call, profile } = job;
    const acceptsStreams = job.kind === 'trace' && job.acceptsStreams;
    const chain = { timing: timing(), reorgCount: reorgCount() };
    const sent: SentJob = { number, kind, call, profile, acceptsStreams, ...chain };
    member.process.send(writeFrame('job', serialize(sent)));
  }

  /** Abandons all queries, since they may read reverted blocks, or the state before a patch. */
  abandonQueries(): void {
    for (const { kind, jobs } of this.#members) {
      if (kind !== 'query') continue;
      const abandoned = [...jobs.values()];
      jobs.clear();
      // Deferred until all listeners know of the reorganisation.
      for (const { listener } of abandoned) queueMicrotask(() => listener.onLost(new WorkerLostError()));
    }
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    for (const start of this.#starts) clearTimeout(start);
    for (const member of [...this.#members]) this.#end(member, 'the node stops');
    await Promise.all(this.#ends);
  }

  /** Returns the query process with the least load. */
  #leastLoaded(): Member | undefined {
    let best: Member | undefined;
    for (const member of this.#members) {
      if (member.kind !== 'query' || !member.isReady) continue;
      if (member.jobs.size === 0) return member;
      if (best === undefined || isLessLoaded(member, best)) best = member;
    }
    return best;
  }

  #idleTracer(): Member | undefined {
    for (const member of this.#members) if (member.kind === 'trace' && member.jobs.size === 0) return member;
    return undefined;
  }

  #mayStartTracer(): boolean {
    let tracers = 0;
    for (const { kind } of this.#members) if (kind === 'trace') tracers += 1;
    return !this.#isClosing && tracers < this.#options.traces;
  }

  /** Returns an idle trace process, or starts one. */
  #tracer(): Member {
    const member = this.#idleTracer() ?? this.#start('trace');
    member.silentMs = 0;
    member.pausedMs = 0;
    return member;
  }

  #start(kind: ProcessKind): Member {
    const { storePath, limits, onExecutionReport, onLost } = this.#options;
    const reportsExecutions = kind === 'query' && onExecutionReport !== undefined;
    const process = new WorkerProcess(
      { kind, storePath, limits, reportsExecutions },
      {
        onFrame: (frame) => this.#handle(member, frame),
        onEnded: (reason) => {
          onLost(process.processId, reason);
          this.#end(member, reason);
        },
      },
    );
    const member: Member = {
      kind,
      process,
      jobs: new Map(),
      isReady: false,
      isPaused: false,
      silentMs: 0,
      pausedMs: 0,
    };
    this.#members.add(member);
    this.#check ??= setInterval(() => this.#checkAll(), TRACE_CHECK_MS).unref();
    return member;
  }

  #startIn(milliseconds: number): void {
    const start = setTimeout(() => {
      this.#starts.delete(start);
      this.#start('query');
    }, milliseconds).unref();
    this.#starts.add(start);
  }

  #handle(member: Member, { kind, content }: Frame): void {
    member.silentMs = 0;
    switch (kind) {
      case 'ready':
        if (member.kind === 'query' && !member.isReady) this.ready += 1;
        member.isReady = true;
        return;
      case 'results':
        importResults(content);
        return;
      case 'execution':
        this.#options.onExecutionReport?.(deserialize(content));
        return;
      case 'piece':
        this.#handlePiece(member, content);
        return;
      default:
        invariant(kind === 'result', 'a process sends no jobs');
        handleResult(member, content);
    }
  }

  #handlePiece(member: Member, piece: Buffer): void {
    const [running] = member.jobs.values();
    invariant(running !== undefined, 'a piece belongs to the running trace');
    if (running.rest === undefined) {
      running.rest = this.#openRest(member, running);
      running.listener.onBody(new ResponseBody([], running.rest));
    }
    if (running.rest.push(piece)) return;
    member.isPaused = true;
    member.process.pause();
  }

  /** Opens the rest of a response. The process blocks while the client does not read. */
  #openRest(member: Member, running: RunningJob): Readable {
    const rest = new Readable({
      objectMode: true,
      highWaterMark: TRACE_CHUNKS_AHEAD_MAX,
      read: () => resume(member),
      destroy: (error, done) => {
        if ([...member.jobs.values()].includes(running)) this.#end(member, CLIENT_DISCONNECTED);
        done(error);
      },
    });
    // Ignored, since a reader gets the error too.
    return rest.on('error', () => undefined);
  }

  /** Counts time by checks, since a suspended node received nothing meanwhile. */
  #checkAll(): void {
    for (const member of [...this.#members]) {
      if (member.isPaused) member.pausedMs += TRACE_CHECK_MS;
      else member.silentMs += TRACE_CHECK_MS;
      if (member.kind === 'query') this.#checkQueries(member);
      else this.#checkTracer(member);
    }
  }

  #checkQueries(member: Member): void {
    const { callTimeMsMax, traceTimeMsMax } = this.#options.limits;
    if (member.silentMs > Math.max(callTimeMsMax, traceTimeMsMax) + WORKER_SILENCE_MS_MAX) {
      this.#endSilent(member);
    } else if (member.isReady && member.jobs.size === 0 && member.silentMs % WORKER_CHECK_MS === 0) {
      member.process.send(writeFrame('ping'));
    }
  }

  #checkTracer(member: Member): void {
    const [running] = member.jobs.values();
    if (running === undefined) {
      if (member.silentMs > TRACE_IDLE_MS) this.#end(member, '');
      return;
    }
    const { job } = running;
    invariant(job.kind === 'trace', 'a trace process makes traces only');
    const pauseMsMax = job.hasQueuedTraces() ? TRACE_PAUSE_BEFORE_OTHERS_MS_MAX : TRACE_PAUSE_MS_MAX;
    if (job.isGone()) this.#end(member, CLIENT_DISCONNECTED);
    else if (member.isPaused && member.pausedMs > pauseMsMax) this.#end(member, 'its client did not read');
    else if (member.silentMs > this.#options.limits.traceTimeMsMax + WORKER_SILENCE_MS_MAX) {
      this.#endSilent(member);
    }
  }

  #endSilent(member: Member): void {
    const reason = `it was silent for ${Math.floor(member.silentMs / 1_000)} s`;
    this.#options.onLost(member.process.processId, reason);
    this.#end(member, reason);
  }

  /** Ends a process and its jobs, and replaces a query process. */
  #end(member: Member, reason: string): void {
    if (!this.#members.delete(member)) return;
    if (member.kind === 'query' && member.isReady) this.ready -= 1;
    const end = member.process.end();
    this.#ends.add(end);
    void end.finally(() => this.#ends.delete(end));
    if (member.kind === 'query' && !this.#isClosing) this.#startIn(RESTART_MS);
    if (this.#members.size === 0) {
      clearInterval(this.#check);
      this.#check = undefined;
    }
    const lost = [...member.jobs.values()];
    member.jobs.clear();
    const error = new WorkerLostError(reason);
    for (const { rest, listener } of lost) {
      rest?.destroy(error);
      listener.onLost(error);
    }
  }
}

function resume(member: Member): void {
  if (!member.isPaused) return;
  member.isPaused = false;
  member.silentMs = 0;
  member.process.resume();
}

function handleResult(member: Member, content: Buffer): void {
  const { number, result } = readResult(content);
  const running = member.jobs.get(number);
  // The job was abandoned.
  if (running === undefined) return;
  member.jobs.delete(number);
  // Another client reads the next job.
  resume(member);
  if (result.outcome === 'result') running.rest?.push(null);
  else running.rest?.destroy(new Error(result.message));
  running.listener.onResult(result);
}

/** Returns the expected milliseconds of the jobs of a process. */
function loadOf({ jobs }: Member): number {
  let load = 0;
  for (const { job } of jobs.values()) if (job.kind !== 'trace') load += job.expectedMs;
  return load;
}

function isLessLoaded(member: Member, other: Member): boolean {
  const load = loadOf(member);
  const otherLoad = loadOf(other);
  return load < otherLoad || (load === otherLoad && member.jobs.size < other.jobs.size);
}
