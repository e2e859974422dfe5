import { RefusedError } from '../../ledger/index.ts';
import { LOCAL_QUERY_LEASH_MS, LOCAL_QUERY_MS_MAX } from '../../limits.ts';
import type { Response } from '../batch.ts';
import { type Caller, type CallerUse, leastUsed } from '../callers.ts';
import type { Call } from '../envelope.ts';
import { CallCosts, kindOf } from './call-costs.ts';
import { type QueryWorkers, type WorkerAnswer, WorkerLostError } from './query-workers.ts';

/** How a query is carried out in this process. */
export interface LocalQuery {
  readonly caller: Caller;
  readonly call: Call;
  /** Throws what is wrong with the parameters. */
  check(): void;
  /** Answers it, whatever happens. */
  run(): Response | Promise<Response>;
  /**
   * Answers it if that takes no longer than so many milliseconds.
   * @throws RefusedError `callTimedOut` otherwise
   */
  tryFor(milliseconds: number): Response | Promise<Response>;
  /** Makes the response of a worker's answer. */
  take(answer: WorkerAnswer): Response;
  /** Makes the response of what `check` has thrown. */
  fail(thrown: unknown): Response;
}

/** A query that waits for a worker. */
interface Waiting {
  readonly caller: Caller;
  readonly request: string;
  resolve(answer: WorkerAnswer | undefined): void;
  reject(error: unknown): void;
}

/** What queries are shared out with. */
export interface OffloadOptions {
  readonly workers: QueryWorkers;
  readonly use: CallerUse;
  /** Runs work of this process when its turn comes. */
  takeTurn(caller: Caller, work: () => Response | Promise<Response>): Response | Promise<Response>;
}

/**
 * Shares queries out between this process and its workers: what is known to be short is answered here at once, since
 * passing it on would take longer, and all else by a worker, so that nobody else waits for it.
 */
export class Offload {
  readonly #options: OffloadOptions;
  readonly #costs = new CallCosts();
  #waiting: Waiting[] = [];
  /** Questions that workers have. */
  #asked = 0;

  constructor(options: OffloadOptions) {
    this.#options = options;
  }

  /** Answers a query; undefined when its caller is gone before its turn comes. */
  answer(query: LocalQuery): Response | Promise<Response> {
    const { workers, takeTurn } = this.#options;
    const { caller } = query;
    if (workers.capacity === 0) return takeTurn(caller, () => query.run());
    const kind = kindOf(query.call);
    const expected = this.#costs.of(kind);
    if (expected === undefined || expected >= LOCAL_QUERY_MS_MAX) return this.#pass(query, kind);
    return takeTurn(caller, () => this.#try(query, kind));
  }

  #try(query: LocalQuery, kind: string): Response | Promise<Response> {
    const began = performance.now();
    try {
      return query.tryFor(LOCAL_QUERY_LEASH_MS);
    } catch (error) {
      if (!(error instanceof RefusedError && error.reason.code === 'callTimedOut')) throw error;
      return this.#pass(query, kind);
    } finally {
      this.#costs.note(kind, performance.now() - began);
    }
  }

  #pass(query: LocalQuery, kind: string): Response | Promise<Response> {
    const { use, takeTurn } = this.#options;
    const { caller, call } = query;
    try {
      query.check();
    } catch (error) {
      return query.fail(error);
    }
    const { id, method, parameters } = call;
    const request = JSON.stringify({ jsonrpc: '2.0', id: id ?? null, method, params: parameters ?? [] });
    return this.#ask(caller, request).then(
      (answer) => {
        if (answer === undefined) return undefined;
        this.#costs.note(kind, answer.milliseconds);
        use.note(caller, answer.milliseconds, performance.now());
        return query.take(answer);
      },
      (error: unknown) => {
        if (!(error instanceof WorkerLostError)) throw error;
        return takeTurn(caller, () => query.run());
      },
    );
  }

  /** Undefined when the caller is gone before a worker is free. */
  #ask(caller: Caller, request: string): Promise<WorkerAnswer | undefined> {
    if (this.#asked < this.#options.workers.capacity) return this.#send(request);
    return new Promise((resolve, reject) => this.#waiting.push({ caller, request, resolve, reject }));
  }

  #send(request: string): Promise<WorkerAnswer> {
    this.#asked += 1;
    return this.#options.workers.ask(request).finally(() => {
      this.#asked -= 1;
      this.#sendNext();
    });
  }

  #sendNext(): void {
    const { workers, use } = this.#options;
    if (workers.capacity === 0) {
      for (const { reject } of this.#waiting) reject(new WorkerLostError());
      this.#waiting = [];
    }
    while (this.#waiting.length > 0 && this.#asked < workers.capacity) {
      const [next] = this.#waiting.splice(leastUsed(this.#waiting, use), 1);
      if (next === undefined) return;
      if (next.caller.isGone?.() === true) next.resolve(undefined);
      else this.#send(next.request).then(next.resolve, next.reject);
    }
  }
}
