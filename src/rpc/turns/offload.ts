import { RefusedError } from '../../ledger/index.ts';
import { LOCAL_QUERY_MS_MAX } from '../../limits.ts';
import { type CallCosts, FairQueue, kindOf, type Task, type Ticket } from '../../scheduling/index.ts';
import type { Caller } from '../context/caller.ts';
import type { ProfileId } from '../context/profile-id.ts';
import type { Call } from '../envelope/envelope.ts';
import type { Response } from '../json/response-body.ts';
import {
  type QueryWorkers,
  type WorkerAnswer,
  type WorkerAsking,
  WorkerLostError,
} from '../workers/query-workers.ts';

/** Milliseconds after which a query that was expected to be short moves to a worker. */
const LOCAL_QUERY_LEASH_MS = 5;

/** How a query is carried out in this process. */
export interface LocalQuery {
  readonly caller: Caller;
  readonly call: Call;
  readonly profile: ProfileId;
  /** Throws what is wrong with the parameters. */
  check(): void;
  /** Answers it, whatever happens. */
  run(): Response | Promise<Response>;
  /**
   * Answers it if that takes no longer than so many milliseconds.
   * @throws RefusedError `callTimedOut` otherwise
   */
  tryFor(milliseconds: number): Response | Promise<Response>;
  /** Makes the response of what a worker has answered. */
  take(answer: WorkerAnswer): Response;
  /** Makes the response of what `check` has thrown, or of its not being let in. */
  fail(thrown: unknown): Response;
}

/** A query that waits for a worker. */
interface Waiting {
  /** What is expected of it is without end where nothing is known of its kind. */
  readonly question: WorkerAsking;
  resolve(answer: WorkerAnswer | undefined): void;
  reject(error: unknown): void;
}

/** Who answers queries: other processes, or this one, by what each kind of call has taken so far. */
export interface OffloadOptions {
  readonly workers: QueryWorkers;
  readonly costs: CallCosts;
  /** Runs work of this process when its turn comes. */
  takeTurn(asking: Task, work: () => Response | Promise<Response>): Response | Promise<Response>;
}

/**
 * Shares queries out between this process and its workers: what is known to be short is answered here at once, since
 * passing it on would take longer, and all else by a worker, so that nobody else waits for it.
 */
export class Offload {
  readonly #options: OffloadOptions;
  readonly #queue: FairQueue<Waiting>;

  constructor(options: OffloadOptions) {
    this.#options = options;
    this.#queue = new FairQueue(options.costs, ({ resolve }) => resolve(undefined));
  }

  /** Answers a query; undefined when its caller is gone before its turn comes. */
  answer(query: LocalQuery): Response | Promise<Response> {
    const { workers, costs, takeTurn } = this.#options;
    const { caller, call } = query;
    if (workers.ready === 0) return takeTurn({ caller, call }, () => query.run());
    const kind = kindOf(call);
    const expected = costs.of(kind);
    if (expected === undefined || expected >= LOCAL_QUERY_MS_MAX) return this.#pass(query, expected);
    return takeTurn({ caller, call }, () => this.#try(query, kind));
  }

  /**
   * Has workers try calls, one after the other. What becomes of that does not matter: this process is faster with what
   * they have worked out, and nothing else.
   *
   * @returns whether the caller is still there
   * @throws LimitError, HeldLimitError where too much waits
   */
  async tryBefore(asking: Task, requests: readonly string[]): Promise<boolean> {
    for (const request of requests) {
      if (this.#options.workers.ready === 0) return true;
      const question = {
        request,
        profile: 'ledger',
        expected: Number.POSITIVE_INFINITY,
        isTrial: true,
      } as const;
      try {
        if ((await this.#ask(asking, question)) === undefined) return false;
      } catch (error) {
        if (!(error instanceof WorkerLostError)) throw error;
      }
    }
    return true;
  }

  #try(query: LocalQuery, kind: string): Response | Promise<Response> {
    const { costs } = this.#options;
    const began = performance.now();
    try {
      return query.tryFor(LOCAL_QUERY_LEASH_MS);
    } catch (error) {
      if (!(error instanceof RefusedError && error.reason.code === 'callTimedOut')) throw error;
    } finally {
      costs.note(kind, performance.now() - began);
    }
    return this.#pass(query, undefined);
  }

  #pass(query: LocalQuery, expected: number | undefined): Response | Promise<Response> {
    const { takeTurn } = this.#options;
    const { caller, call } = query;
    try {
      query.check();
    } catch (error) {
      return query.fail(error);
    }
    const { id, method, parameters } = call;
    const request = JSON.stringify({ jsonrpc: '2.0', id: id ?? null, method, params: parameters ?? [] });
    const question = { request, profile: query.profile, expected: expected ?? Number.POSITIVE_INFINITY };
    return this.#ask({ caller, call }, question).then(
      (answer) => (answer === undefined ? undefined : query.take(answer)),
      (error: unknown) => {
        if (!(error instanceof WorkerLostError)) return query.fail(error);
        return takeTurn({ caller, call, isBegun: true }, () => query.run());
      },
    );
  }

  /** Undefined when the caller is gone before a worker is free. */
  #ask(asking: Task, question: WorkerAsking): Promise<WorkerAnswer | undefined> {
    const answer = new Promise<WorkerAnswer | undefined>((resolve, reject) => {
      this.#queue.push(asking, { question, resolve, reject });
    });
    this.#sendNext();
    return answer;
  }

  #sendNext(): void {
    const { workers } = this.#options;
    if (workers.ready === 0) {
      for (const { reject } of this.#queue.clear()) reject(new WorkerLostError());
    }
    for (;;) {
      const next = this.#queue.next();
      if (next === undefined || !workers.hasRoomFor(next.item.question.expected)) return;
      const { account } = next.caller;
      if (account?.mayBegin() === false) {
        this.#queue.forget(next);
        next.item.reject(account.refusal);
      } else {
        this.#queue.begin(next);
        this.#send(next);
      }
    }
  }

  #send(ticket: Ticket<Waiting>): void {
    const { question, resolve, reject } = ticket.item;
    let milliseconds = 0;
    this.#options.workers
      .ask(question)
      .then((answer) => {
        milliseconds = answer.milliseconds;
        resolve(answer);
      }, reject)
      .finally(() => {
        this.#queue.end(ticket, milliseconds);
        this.#sendNext();
      });
  }
}
