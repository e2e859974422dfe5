import type { ProfileId } from '../context/profile-id.ts';
import type { ResponseBody } from '../json/response-body.ts';
import type { WorkerAnswer, WorkerLostError } from './query-workers.ts';

/** What is asked of a process that makes traces. */
export interface TraceAsking {
  /** A request of JSON-RPC. */
  readonly request: string;
  /** In whose shapes it is answered. */
  readonly profile: ProfileId;
  /** True if the end of a long response may be produced while it is sent; else too long a one is refused. */
  readonly takesRest: boolean;
  /** Whether nobody waits for the answer any more. */
  isGone(): boolean;
  /** Whether others wait for their traces. */
  isAwaited(): boolean;
}

/** A trace that is being made. */
export interface TraceTask {
  /** The response, or one that begins while its rest is produced. Rejects with `WorkerLostError`. */
  readonly answer: Promise<WorkerAnswer | ResponseBody>;
  /** Settles when the process is free: with what became of the trace, or why the process ended. */
  readonly ended: Promise<WorkerAnswer | WorkerLostError>;
}

/** Processes that make traces, started when they are needed. */
export interface TraceWorkers {
  /** Whether one of them can begin at once. */
  hasRoom(): boolean;
  /** Has one of them make a trace; only where there is room. Throws what keeps the chain from being read by it. */
  ask(asking: TraceAsking): TraceTask;
}
