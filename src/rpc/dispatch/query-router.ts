import { RefusedError } from '../../ledger/index.ts';
import { LOCAL_QUERY_MS_MAX } from '../../limits.ts';
import { type CallCosts, FairQueue, kindOf, type Task, type Ticket } from '../../scheduling/index.ts';
import type { Caller } from '../context/caller.ts';
import type { ProfileId } from '../context/profile-id.ts';
import type { Call } from '../envelope/envelope.ts';
import { RequestFailedError } from '../errors.ts';
import type { Response, ResponseBody } from '../json/response-body.ts';
import { type Job, type JobProcesses, type JobResult, WorkerLostError } from '../workers/jobs.ts';

/** Milliseconds after which a query that was expected to be short moves to another process. */
const LOCAL_QUERY_LEASH_MS = 5;

/** A call that any process can answer that sees the stored chain, and the ways in which this one would. */
export interface RoutedQuery {
  readonly kind: 'query' | 'trace';
  readonly caller: Caller;
  readonly call: Call;
  readonly profile: ProfileId;
  /** Time of the call, by the clock of the turns. */
  readonly began: number;
  /** True if the end of a long response may be produced while it is sent. */
  readonly takesRest: boolean;
  /** Returns true if another process would return something else. */
  staysHere(): boolean;
  /** Returns true for a trace that takes less time here than passing it on. Throws what is wrong with it. */
  isShort(): boolean;
  /** Throws what is wrong with the parameters. */
  check(): void;
  /** Answers it here, whatever happens. */
  run(): Response | Promise<Response>;
  /**
   * Answers it here if that takes no longer than so many milliseconds.
   * @throws RefusedError `callTimedOut` otherwise
   */
  tryFor(milliseconds: number): Response | Promise<Response>;
  /** Makes a short trace here, or calls `pass` where it has become too long. */
  trace(pass: () => Response | Promise<Response>): Response | Promise<Response>;
  /** Makes the response of what another process returned, and counts it. */
  take(result: JobResult): Response;
  /** Makes the response of what was thrown, and counts it. */
  fail(thrown: unknown): Response;
}

/** A job that waits for a process. */
interface QueuedJob {
  readonly job: Job;
  onBody(body: ResponseBody): void;
  onResult(result: JobResult): void;
  onFailed(error: unknown): void;
  /** The caller is gone before a process is free. */
  onGone(): void;
}

/** Processes to route to; absent: there are none. */
export interface QueryRouterOptions {
  readonly processes: JobProcesses | undefined;
  readonly costs: CallCosts;
  /** Runs work of this process when it is scheduled. */
  takeTurn<T>(asking: Task, work: () => T, began?: number): T | Promise<Awaited<T> | undefined>;
}

/** The process that made a trace has ended. */
class TraceLostError extends RequestFailedError {
  constructor(reason: string) {
    super(`the process that made the trace has ended (${reason}): ask again, or for less`);
  }
}

/**
 * Chooses the process that runs a query: this one what is known to be short, since passing it on would take longer;
 * others everything else, which wait for a free process by fair queueing.
 */
export class QueryRouter {
  readonly #options: QueryRouterOptions;
  readonly #queries: FairQueue<QueuedJob>;
  readonly #traces: FairQueue<QueuedJob>;

  constructor(options: QueryRouterOptions) {
    this.#options = options;
    this.#queries = new FairQueue(options.costs, ({ onGone }) => onGone());
    this.#traces = new FairQueue(options.costs, ({ onGone }) => onGone());
  }

  /** Returns true if another process may run such a query, or such a trace. */
  mayPass(kind: RoutedQuery['kind']): boolean {
    const { processes } = this.#options;
    return processes !== undefined && (kind === 'trace' || processes.ready > 0);
  }

  /** Answers a query; undefined when its caller is gone before it is scheduled. */
  answer(query: RoutedQuery): Response | Promise<Response> {
    const response = query.kind === 'trace' ? this.#answerTrace(query) : this.#answerQuery(query);
    return response instanceof Promise ? response.catch((thrown: unknown) => query.fail(thrown)) : response;
  }

  /**
   * Has other processes run calls before a transaction, one after the other. Their outcomes do not matter: this process
   * is faster with the results that they pass on, and nothing else.
   *
   * @param calls parameters of `eth_call` in a profile
   * @returns true if the caller is still there
   * @throws LimitError, HeldLimitError where too much waits
   */
  async prewarm(asking: Task, calls: readonly object[], profile: ProfileId): Promise<boolean> {
    for (const parameters of calls) {
      if (!this.mayPass('query')) return true;
      const call: Call = { kind: 'call', id: null, method: 'eth_call', parameters: [parameters] };
      const job: Job = { kind: 'prewarm', call, profile, expectedMs: Number.POSITIVE_INFINITY };
      const isThere = await new Promise<boolean>((resolve, reject) => {
        this.#push(asking, {
          job,
          onBody: () => undefined,
          onResult: () => resolve(true),
          onFailed: (error) => (error instanceof WorkerLostError ? resolve(true) : reject(error)),
          onGone: () => resolve(false),
        });
      });
      if (!isThere) return false;
    }
    return true;
  }

  #answerTrace(query: RoutedQuery): Response | Promise<Response> {
    const { caller, call, began } = query;
    // One that is not answered changes nothing.
    if (call.id === undefined) return undefined;
    try {
      if (!query.isShort()) return this.#pass(query);
    } catch (error) {
      return query.fail(error);
    }
    return this.#options.takeTurn({ caller, call }, () => query.trace(() => this.#pass(query)), began);
  }

  #answerQuery(query: RoutedQuery): Response | Promise<Response> {
    const { costs, takeTurn } = this.#options;
    const { caller, call, began } = query;
    if (call.id === undefined || query.staysHere()) {
      return takeTurn({ caller, call }, () => query.run(), began);
    }
    const kind = kindOf(call);
    const expectedMs = costs.of(kind);
    if (expectedMs === undefined || expectedMs >= LOCAL_QUERY_MS_MAX) return this.#pass(query, expectedMs);
    return takeTurn({ caller, call }, () => this.#try(query, kind));
  }

  #try(query: RoutedQuery, kind: string): Response | Promise<Response> {
    const began = performance.now();
    try {
      return query.tryFor(LOCAL_QUERY_LEASH_MS);
    } catch (error) {
      if (!(error instanceof RefusedError && error.reason.code === 'callTimedOut')) throw error;
    } finally {
      this.#options.costs.note(kind, performance.now() - began);
    }
    return this.#pass(query);
  }

  #pass(query: RoutedQuery, expectedMs = Number.POSITIVE_INFINITY): Response | Promise<Response> {
    const { caller, call } = query;
    try {
      query.check();
    } catch (error) {
      return query.fail(error);
    }
    return new Promise((resolve) => {
      this.#push(
        { caller, call },
        {
          job: this.#jobOf(query, expectedMs),
          onBody: resolve,
          // Also after the body: a response is counted when its last byte is produced, or its process is lost.
          onResult: (result) => resolve(query.take(result)),
          onFailed: (error) => resolve(this.#failed(query, error)),
          onGone: () => resolve(undefined),
        },
      );
    });
  }

  #jobOf({ kind, caller, call, profile, takesRest }: RoutedQuery, expectedMs: number): Job {
    if (kind === 'query') return { kind, call, profile, expectedMs };
    const isGone = (): boolean => caller.isGone?.() === true;
    return { kind, call, profile, takesRest, isGone, isAwaited: () => this.#traces.size > 0 };
  }

  /** Answers a query that no other process has answered; a trace is not made again. */
  #failed(query: RoutedQuery, error: unknown): Response | Promise<Response> {
    const { kind, caller, call } = query;
    if (!(error instanceof WorkerLostError)) return query.fail(error);
    if (kind === 'trace') return query.fail(new TraceLostError(error.reason));
    return this.#options.takeTurn({ caller, call, isBegun: true }, () => query.run());
  }

  #push(asking: Task, item: QueuedJob): void {
    const queue = item.job.kind === 'trace' ? this.#traces : this.#queries;
    queue.push(asking, item);
    this.#beginNext(queue);
  }

  #beginNext(queue: FairQueue<QueuedJob>): void {
    const { processes } = this.#options;
    if (queue === this.#queries && !this.mayPass('query')) {
      for (const { onFailed } of queue.clear()) onFailed(new WorkerLostError());
    }
    for (;;) {
      const next = queue.next();
      if (next === undefined || processes?.hasRoomFor(next.item.job) !== true) return;
      const { account } = next.caller;
      if (account?.mayBegin() === false) {
        queue.forget(next);
        next.item.onFailed(account.refusal);
      } else {
        queue.begin(next);
        this.#begin(processes, queue, next);
      }
    }
  }

  #begin(processes: JobProcesses, queue: FairQueue<QueuedJob>, ticket: Ticket<QueuedJob>): void {
    const { job, onBody, onResult, onFailed } = ticket.item;
    const began = performance.now();
    try {
      processes.run(job, {
        onBody,
        onResult: (result) => {
          queue.end(ticket, result.milliseconds);
          onResult(result);
          this.#beginNext(queue);
        },
        onLost: (error) => {
          queue.end(ticket, job.kind === 'trace' ? performance.now() - began : 0);
          onFailed(error);
          this.#beginNext(queue);
        },
      });
    } catch (error) {
      queue.end(ticket, 0);
      onFailed(error);
    }
  }
}
