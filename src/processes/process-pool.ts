import { Readable } from 'node:stream';
import { deserialize, serialize } from 'node:v8';
import { takeResults } from '../evm/index.ts';
import type { BlockTiming } from '../ledger/index.ts';
import {
  TRACE_CHECK_MS,
  TRACE_CHUNKS_AHEAD_MAX,
  TRACE_IDLE_MS,
  TRACE_PAUSE_BEFORE_OTHERS_MS_MAX,
  TRACE_PAUSE_MS_MAX,
  WORKER_AHEAD_MS_MAX,
  WORKER_CHECK_MS,
  WORKER_QUERIES_MAX,
  WORKER_SILENCE_MS_MAX,
} from '../limits.ts';
import { invariant } from '../protocol/index.ts';
import {
  type Job,
  type JobListener,
  type JobProcesses,
  ResponseBody,
  type RpcLimits,
  WorkerLostError,
} from '../rpc/index.ts';
import { type ExecutionReport, type Frame, readResult, type SentJob, writeFrame } from './frames.ts';
import { type ProcessKind, WorkerProcess } from './worker-process.ts';

/** Milliseconds after the node's start before its query processes are started. */
const START_MS = 50;
/** Milliseconds before a query process that has ended is started again. */
const RESTART_MS = 1_000;
/** Reason for the end of a trace that no client waits for. */
const GONE = 'its client is gone';

/** Numbers of processes, and the node's side of what they do. */
export interface ProcessPoolOptions {
  /** Query processes, which run at any time; 0: none. */
  readonly queries: number;
  /** Trace processes at a time; each is started when there is something to trace. */
  readonly traces: number;
  readonly storePath: string;
  readonly limits: RpcLimits;
  /** Writes what of the chain is not in the file yet. Throws where there is no room for that. */
  settle(): void;
  /** Of the blocks of the node's ledger. */
  timing(): BlockTiming;
  /** Of the node's ledger. */
  reorgCount(): number;
  /** Gets what executions of queries tell beside their outcomes; absent: nobody wants to know. */
  onExecutionReport?: ((told: ExecutionReport) => void) | undefined;
  /** Called when a process has ended that was not to. */
  onLost(processId: number | undefined, reason: string): void;
}

/** A job that a process runs. */
interface RunningJob {
  readonly job: Job;
  readonly listener: JobListener;
  /** What comes of it while it is sent. */
  rest: Readable | undefined;
}

/** A process, and what it does. */
interface Member {
  readonly kind: ProcessKind;
  readonly process: WorkerProcess;
  readonly jobs: Map<number, RunningJob>;
  isReady: boolean;
  isPaused: boolean;
  /** Milliseconds since it last sent something, or was last read. */
  silentMs: number;
  /** Milliseconds for which its trace has waited for its client. */
  pausedMs: number;
}

/**
 * The processes of a node that run queries, prewarming calls and traces. A query process is started again after its
 * end, and pinged while it is idle. A trace process makes one trace at a time, and ends when it is idle for a while,
 * when no client waits for its trace, and when its client does not read. Both are ended when they are silent for longer
 * than a job can take; the jobs of a process that ends are lost.
 *
 * A trace reads the chain as it was when it began, so that blocks that are reverted meanwhile do not end it; queries
 * are abandoned then.
 */
export class ProcessPool implements JobProcesses {
  readonly #options: ProcessPoolOptions;
  readonly #members = new Set<Member>();
  readonly #starts = new Set<NodeJS.Timeout>();
  readonly #ends = new Set<Promise<void>>();
  #check: NodeJS.Timeout | undefined;
  #lastNumber = 0;
  #isClosing = false;

  constructor(options: ProcessPoolOptions) {
    this.#options = options;
  }

  /** Starts the query processes soon, when the node's own start is over. */
  start(): void {
    for (let count = 0; count < this.#options.queries; count += 1) this.#startIn(START_MS);
  }

  get ready(): number {
    let ready = 0;
    for (const { kind, isReady } of this.#members) if (kind === 'query' && isReady) ready += 1;
    return ready;
  }

  hasCapacityFor(job: Job): boolean {
    if (job.kind === 'trace') return this.#idleTracer() !== undefined || this.#mayStartTracer();
    const member = this.#freest();
    if (member === undefined || member.jobs.size === 0) return member !== undefined;
    return member.jobs.size < WORKER_QUERIES_MAX && loadOf(member) + job.expectedMs <= WORKER_AHEAD_MS_MAX;
  }

  run(job: Job, listener: JobListener): void {
    const { settle, timing, reorgCount } = this.#options;
    if (job.kind === 'trace') settle();
    const member = job.kind === 'trace' ? this.#tracer() : this.#freest();
    if (member === undefined) throw new WorkerLostError();
    this.#lastNumber += 1;
    const number = this.#lastNumber;
    member.jobs.set(number, { job, listener, rest: undefined });
    const { kind, call, profile } = job;
    const acceptsStreams = job.kind === 'trace' && job.acceptsStreams;
    const sent: SentJob = {
      number,
      kind,
      call,
      profile,
      acceptsStreams,
      timing: timing(),
      reorgCount: reorgCount(),
    };
    member.process.send(writeFrame('job', serialize(sent)));
  }

  /** Abandons all queries, which may be of blocks that have vanished, or of a state before a patch. */
  abandonQueries(): void {
    for (const { kind, jobs } of this.#members) {
      if (kind !== 'query') continue;
      const abandoned = [...jobs.values()];
      jobs.clear();
      // When everybody knows of the other chain.
      for (const { listener } of abandoned) queueMicrotask(() => listener.onLost(new WorkerLostError()));
    }
  }

  /** Ends the processes. */
  async close(): Promise<void> {
    this.#isClosing = true;
    for (const start of this.#starts) clearTimeout(start);
    for (const member of [...this.#members]) this.#end(member, 'the node stops');
    await Promise.all(this.#ends);
  }

  /** The query process that has least to do. */
  #freest(): Member | undefined {
    let freest: Member | undefined;
    for (const member of this.#members) {
      if (member.kind !== 'query' || !member.isReady) continue;
      if (member.jobs.size === 0) return member;
      if (freest === undefined || isFreer(member, freest)) freest = member;
    }
    return freest;
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

  /** The trace process that begins with a trace now. */
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
        onFrame: (frame) => this.#take(member, frame),
        onEnded: (reason) => {
          onLost(process.processId, reason);
          this.#end(member, reason);
        },
      },
    );
    const member: Member = {
      ...{ kind, process, jobs: new Map() },
      ...{ isReady: false, isPaused: false, silentMs: 0, pausedMs: 0 },
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

  #take(member: Member, { kind, content }: Frame): void {
    member.silentMs = 0;
    switch (kind) {
      case 'ready':
        member.isReady = true;
        return;
      case 'results':
        takeResults(content);
        return;
      case 'told':
        this.#options.onExecutionReport?.(deserialize(content));
        return;
      case 'piece':
        this.#takePiece(member, content);
        return;
      default:
        invariant(kind === 'result', 'a process sends no jobs');
        takeResult(member, content);
    }
  }

  #takePiece(member: Member, piece: Buffer): void {
    const [running] = member.jobs.values();
    invariant(running !== undefined, 'a piece is of the one trace that is made');
    if (running.rest === undefined) {
      running.rest = this.#openRest(member, running);
      running.listener.onBody(new ResponseBody([], running.rest));
    }
    if (running.rest.push(piece)) return;
    member.isPaused = true;
    member.process.pause();
  }

  /** Opens the rest of a response, which has the process wait while its client does not read. */
  #openRest(member: Member, running: RunningJob): Readable {
    const rest = new Readable({
      objectMode: true,
      highWaterMark: TRACE_CHUNKS_AHEAD_MAX,
      read: () => resume(member),
      destroy: (error, done) => {
        if ([...member.jobs.values()].includes(running)) this.#end(member, GONE);
        done(error);
      },
    });
    // Its reader hears of an error, if there is one.
    return rest.on('error', () => undefined);
  }

  /** Time is counted by looks, since a node that was stopped itself has heard of nobody meanwhile. */
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
    if (job.isGone()) this.#end(member, GONE);
    else if (member.isPaused && member.pausedMs > pauseMsMax) this.#end(member, 'its client did not read');
    else if (member.silentMs > this.#options.limits.traceTimeMsMax + WORKER_SILENCE_MS_MAX) {
      this.#endSilent(member);
    }
  }

  #endSilent(member: Member): void {
    const reason = `it said nothing for ${Math.floor(member.silentMs / 1_000)} s`;
    this.#options.onLost(member.process.processId, reason);
    this.#end(member, reason);
  }

  /** Ends a process and its jobs, and starts another one in the place of a query process. */
  #end(member: Member, reason: string): void {
    if (!this.#members.delete(member)) return;
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

function takeResult(member: Member, content: Buffer): void {
  const { number, result } = readResult(content);
  const running = member.jobs.get(number);
  // An abandoned one.
  if (running === undefined) return;
  member.jobs.delete(number);
  // The next job is not of the client that did not read this one.
  resume(member);
  if (result.outcome === 'result') running.rest?.push(null);
  else running.rest?.destroy(new Error(result.message));
  running.listener.onResult(result);
}

/** Returns the milliseconds that the jobs of a process are expected to take. */
function loadOf({ jobs }: Member): number {
  let load = 0;
  for (const { job } of jobs.values()) if (job.kind !== 'trace') load += job.expectedMs;
  return load;
}

function isFreer(member: Member, other: Member): boolean {
  const [load, otherLoad] = [loadOf(member), loadOf(other)];
  return load < otherLoad || (load === otherLoad && member.jobs.size < other.jobs.size);
}
