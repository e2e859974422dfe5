import type { ProfileId } from '../context/profile-id.ts';
import type { StreamedAnswer } from '../envelope/streamed-answer.ts';
import type { WorkerAnswer, WorkerLostError } from './query-workers.ts';

/** What is asked of a process that makes traces. */
export interface TraceAsking {
  /** A request of JSON-RPC. */
  readonly request: string;
  /** In whose shapes it is answered. */
  readonly profile: ProfileId;
  /** Whether a long answer may come in pieces; else it is refused where it is too long to be kept. */
  readonly takesPieces: boolean;
  /** Whether nobody waits for the answer any more. */
  isGone(): boolean;
  /** Whether others wait for their traces. */
  isAwaited(): boolean;
}

/** A trace that is being made. */
export interface TraceTask {
  /** The response, or its pieces as soon as there are some. Rejects with `WorkerLostError`. */
  readonly answer: Promise<WorkerAnswer | StreamedAnswer>;
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
