import { LedgerdError } from '../../protocol/index.ts';
import type { ProfileId } from '../context/profile-id.ts';
import type { Call, Outcome } from '../envelope/envelope.ts';
import type { ResponseBody } from '../json/response-body.ts';

/** A call that another process runs on the stored chain. */
interface ChainJob {
  /** Call that was read from a request, and whose parameters are valid. */
  readonly call: Call;
  /** Profile in whose shapes it is answered. */
  readonly profile: ProfileId;
}

/** A call for one of the query processes; of one that prewarms only the computed results matter, not the response. */
interface QueryJob extends ChainJob {
  readonly kind: 'query' | 'prewarm';
  /** Milliseconds that it is expected to take; infinite where nothing is known of its kind. */
  readonly expectedMs: number;
}

/** A trace, for a trace process. */
export interface TraceJob extends ChainJob {
  readonly kind: 'trace';
  /** True if the end of a long response may be produced while it is sent; else too long a one is refused. */
  readonly acceptsStreams: boolean;
  /** Returns true if no client waits for the response any more. */
  isGone(): boolean;
  /** Returns true if other traces are queued. */
  hasQueuedTraces(): boolean;
}

/** A job for another process. */
export type Job = QueryJob | TraceJob;

/** Outcome of a job, and what its node counts and reports of it. */
export interface JobResult {
  /** The response, an error object included; empty where it was sent while it was produced. */
  readonly response: string | ResponseBody;
  readonly outcome: Outcome;
  /** Milliseconds of computing. */
  readonly milliseconds: number;
  /** The message of an error object; empty for a result. */
  readonly message: string;
  /** Data of a revert, as the error object has it; undefined for other outcomes. */
  readonly revertData: string | undefined;
  /** Failure of the process itself, for the operator; empty otherwise. */
  readonly failure: string;
}

/** Receiver of the outcome of a job: exactly one of a result and a loss. */
export interface JobListener {
  /** The response of a trace begins; its rest is produced while it is sent. */
  onBody(body: ResponseBody): void;
  onResult(result: JobResult): void;
  onLost(error: WorkerLostError): void;
}

/** Processes that run jobs, each on its own view of the store, which is never older than the job. */
export interface JobProcesses {
  /** Number of processes that answer queries now. */
  readonly ready: number;
  /** Returns true if a process can begin with a job at once, or soon. */
  hasCapacityFor(job: Job): boolean;
  /**
   * Has a process run a job for which there is room.
   *
   * @throws WorkerLostError where no process is left, and what keeps a process from reading the chain
   */
  run(job: Job, listener: JobListener): void;
}

/** A job whose process ended before it was done: it was not carried out, or its response is lost. */
export class WorkerLostError extends LedgerdError {
  override readonly code = 'WORKER_LOST';
  /** Cause of the end; empty where the process goes on. */
  readonly reason: string;

  constructor(reason = '') {
    super('the worker ended before it had answered');
    this.reason = reason;
  }
}

/** A failure of another process, as that reported it. */
export class WorkerFailedError extends LedgerdError {
  override readonly code = 'WORKER_FAILED';
}
