import { LedgerdError } from '../../protocol/index.ts';
import type { ProfileId } from '../context/profile-id.ts';
import type { ResponseBody } from '../json/response-body.ts';
import type { Outcome } from '../messages/failure.ts';
import type { Call } from '../messages/json-rpc.ts';

/** Bytes of a chunk of a streamed trace: with a head of 8, as many as a process reads at a time. */
export const TRACE_CHUNK_BYTES = 64 * 1024 - 8;
/** Chunks of a trace that its client has not read. */
export const TRACE_CHUNKS_AHEAD_MAX = 4;

/** A call that another process runs on the stored chain. */
interface ChainJob {
  readonly call: Call;
  readonly profile: ProfileId;
}

/** A call for a query process. A prewarming call has no response. */
interface QueryJob extends ChainJob {
  readonly kind: 'query' | 'prewarm';
  /** Expected milliseconds; infinite for an unknown kind of call. */
  readonly expectedMs: number;
}

export interface TraceJob extends ChainJob {
  readonly kind: 'trace';
  /** True if a long response may be produced while it is sent; otherwise it is rejected. */
  readonly acceptsStreams: boolean;
  /** Returns true after the client disconnected. */
  isGone(): boolean;
  hasQueuedTraces(): boolean;
}

export type WorkerJob = QueryJob | TraceJob;

/** Outcome of a job, and data for the metrics and reports of the node. */
export interface JobResult {
  /** Response, which may have an error object; empty if it was sent while it was produced. */
  readonly response: string | ResponseBody;
  readonly outcome: Outcome;
  /** Milliseconds of computing. */
  readonly milliseconds: number;
  /** Message of the error object; empty for a result. */
  readonly message: string;
  /** `data` of the error object of a revert; undefined for other outcomes. */
  readonly revertData: string | undefined;
  /** Failure of the process, for the operator; empty otherwise. */
  readonly failure: string;
}

export interface JobListener {
  /** Receives the start of the response of a trace, whose rest is produced while it is sent. */
  onBody(body: ResponseBody): void;
  onResult(result: JobResult): void;
  onLost(error: WorkerLostError): void;
}

/** Processes that run jobs. Each has a view of the store that is never older than the job. */
export interface JobProcesses {
  /** Number of processes that can run queries now. */
  readonly ready: number;
  /** Returns true if a process can start a job immediately, or soon. */
  hasCapacityFor(job: WorkerJob): boolean;
  /** Compiles the engine's build for steps, or rejects with a LedgerdError; undefined if that build exists. */
  readonly stepsBuilder: (() => Promise<void>) | undefined;
  /**
   * Runs a job in a process with capacity for it.
   *
   * @throws WorkerLostError without a process, and errors of flushing the chain for it
   */
  run(job: WorkerJob, listener: JobListener): void;
}

/** The error of a job whose process ended before its response. */
export class WorkerLostError extends LedgerdError {
  override readonly code = 'WORKER_LOST';
  /** Cause of the end; empty if the process still runs. */
  readonly reason: string;

  constructor(reason = '') {
    super('the worker ended before it responded');
    this.reason = reason;
  }
}

export class WorkerFailedError extends LedgerdError {
  override readonly code = 'WORKER_FAILED';
}
