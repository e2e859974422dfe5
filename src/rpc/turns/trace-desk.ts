import { type CallCosts, FairQueue, type Ticket } from '../../scheduling/index.ts';
import type { Caller } from '../context/caller.ts';
import type { ProfileId } from '../context/profile-id.ts';
import type { Call } from '../envelope/envelope.ts';
import { RequestFailedError } from '../errors.ts';
import { type Response, ResponseBody } from '../json/response-body.ts';
import { type WorkerAnswer, WorkerLostError } from '../workers/query-workers.ts';
import type { TraceTask, TraceWorkers } from '../workers/trace-workers.ts';

/** A call whose answer is a trace. */
export interface TraceQuery {
  readonly caller: Caller;
  readonly call: Call;
  readonly profile: ProfileId;
  /** True if the end of a long response may be produced while it is sent. */
  readonly takesRest: boolean;
  /** Throws what is wrong with the parameters. */
  check(): void;
  /** Makes the response of what a worker has answered, and counts it. */
  take(answer: WorkerAnswer): Response;
  /** Makes the response of what was thrown, and counts it. */
  fail(thrown: unknown): Response;
}

/** A query that waits for its turn. */
interface Waiting {
  readonly query: TraceQuery;
  resolve(answer: Response): void;
}

/** The process that makes a trace has ended. */
class TraceLostError extends RequestFailedError {
  constructor(reason: string) {
    super(`the process that made the trace has ended (${reason}): ask again, or for less`);
  }
}

/** Lets traces wait for a process that makes them: who has had least of them comes first. */
export class TraceDesk {
  readonly #workers: TraceWorkers;
  readonly #queue: FairQueue<Waiting>;

  constructor(workers: TraceWorkers, costs: CallCosts) {
    this.#workers = workers;
    this.#queue = new FairQueue(costs, ({ resolve }) => resolve(undefined));
  }

  /** Answers a query; undefined when its caller is gone before its turn comes. */
  answer(query: TraceQuery): Response | Promise<Response> {
    const { caller, call } = query;
    let answer: Promise<Response>;
    try {
      query.check();
      answer = new Promise((resolve) => this.#queue.push({ caller, call }, { query, resolve }));
    } catch (error) {
      return query.fail(error);
    }
    this.#beginNext();
    return answer;
  }

  #beginNext(): void {
    while (this.#workers.hasRoom()) {
      const next = this.#queue.next();
      if (next === undefined) return;
      const { account } = next.caller;
      if (account?.mayBegin() === false) {
        this.#queue.forget(next);
        const { query, resolve } = next.item;
        resolve(query.fail(account.refusal));
      } else {
        this.#queue.begin(next);
        void this.#begin(next);
      }
    }
  }

  async #begin(ticket: Ticket<Waiting>): Promise<void> {
    const { query, resolve } = ticket.item;
    let task: TraceTask;
    try {
      task = this.#ask(query);
    } catch (error) {
      this.#queue.end(ticket, 0);
      resolve(query.fail(error));
      return;
    }
    const began = performance.now();
    const answer = await task.answer.catch((error: unknown) => error);
    if (answer instanceof ResponseBody) resolve(answer);
    const outcome = await task.ended;
    const isLost = outcome instanceof WorkerLostError;
    this.#queue.end(ticket, isLost ? performance.now() - began : outcome.milliseconds);
    // Of an answer in pieces that ends early nobody takes the rest, or its process is gone: it is counted as such.
    resolve(isLost ? query.fail(new TraceLostError(outcome.reason)) : query.take(outcome));
    this.#beginNext();
  }

  #ask({ caller, profile, takesRest, call: { id, method, parameters } }: TraceQuery): TraceTask {
    return this.#workers.ask({
      request: JSON.stringify({ jsonrpc: '2.0', id: id ?? null, method, params: parameters ?? [] }),
      profile,
      takesRest,
      isGone: () => caller.isGone?.() === true,
      isAwaited: () => this.#queue.size > 0,
    });
  }
}
