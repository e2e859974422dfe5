import { LedgerdError } from '../../protocol/index.ts';
import type { ProfileId } from '../context/profile-id.ts';
import type { Outcome } from '../envelope/outcome.ts';
import type { ResponseBody } from '../json/response-body.ts';

/** The response of a worker, and what its node counts and tells of it. */
export interface WorkerAnswer {
  /** The response, an error object included; a long one as bytes. */
  readonly response: string | ResponseBody;
  readonly outcome: Outcome;
  /** Milliseconds of computing. */
  readonly milliseconds: number;
  /** The message of an error object; empty for a result. */
  readonly message: string;
  /** What the worker itself has failed over, for the operator; empty otherwise. */
  readonly failure: string;
}

/** A question that a worker did not live to answer: it was not carried out, or its response is lost. */
export class WorkerLostError extends LedgerdError {
  override readonly code = 'WORKER_LOST';

  /** Cause of the end of a process that made a trace; empty of other workers, in whose place the node answers. */
  readonly reason: string;

  constructor(reason = '') {
    super('the worker ended before it had answered');
    this.reason = reason;
  }
}

/** What a worker has failed over, as it told it. */
export class WorkerFailedError extends LedgerdError {
  override readonly code = 'WORKER_FAILED';
}

/** What is asked of a worker. */
export interface WorkerAsking {
  /** A request of JSON-RPC. */
  readonly request: string;
  /** Milliseconds that it is expected to take. */
  readonly expected: number;
  /** In whose shapes it is answered. */
  readonly profile: ProfileId;
  /** Whether this process is to remember what the worker computes, so that it need not compute it again. */
  readonly isTrial?: boolean;
}

/** Processes that answer queries from their own view of the store, which is never older than what was asked of it. */
export interface QueryWorkers {
  /** How many of them answer. */
  readonly ready: number;
  /** Whether one of them can begin at once, or soon, with a question that is expected to take so many milliseconds. */
  hasRoomFor(expected: number): boolean;
  /** Has one of them answer a request. Rejects with `WorkerLostError`. */
  ask(asking: WorkerAsking): Promise<WorkerAnswer>;
}
