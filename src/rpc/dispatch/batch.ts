import type { RpcLimits } from '../context/rpc-limits.ts';
import { LimitError } from '../errors.ts';
import type { BatchItems } from '../json/batch-items.ts';
import type { Response } from '../json/response-body.ts';
import type { Account } from '../memory/accountant.ts';
import { BatchBody } from './batch-body.ts';

/** What a batch is answered with. */
export interface BatchSource {
  readonly limits: RpcLimits;
  /**
   * Answers one request of the batch.
   *
   * @param worked told of milliseconds of computing after those before this returns
   */
  respond(request: unknown, worked: (milliseconds: number) => void): Response | Promise<Response>;
  /** Answers a request that is not carried out because the batch has had all that it may have. */
  refuse(request: unknown, error: LimitError): Response;
  /** Runs a part of the batch, at once or when its turn comes. */
  takeTurn(work: () => Response | Promise<Response>): Response | Promise<Response>;
  /** Whether nobody waits for the response any more. */
  isGone(): boolean;
  /** Counts what is held of the response; absent: nobody counts. */
  readonly account: Account | undefined;
}

/**
 * Answers the requests of a batch one after the other: a JSON array in their order, without the notifications.
 * The answer is a promise when one of theirs is, and when the batch pauses to give others their turn.
 */
export function respondToBatch(requests: BatchItems, source: BatchSource): Response | Promise<Response> {
  return new Batch(requests, source).run();
}

class Batch {
  readonly #requests: BatchItems;
  readonly #source: BatchSource;
  readonly #answer: BatchBody;
  #milliseconds = 0;
  /** Index of the next request. */
  #next = 0;
  #refusal: LimitError | undefined;
  /** When it began to wait for room, by `performance.now()`; undefined while it goes on. */
  #waitsSince: number | undefined;

  constructor(requests: BatchItems, source: BatchSource) {
    this.#requests = requests;
    this.#source = source;
    this.#answer = new BatchBody(source.account);
    source.account?.beginBatch();
  }

  run(): Response | Promise<Response> {
    return this.#source.takeTurn(() => this.#runTurn());
  }

  #runTurn(): Response | Promise<Response> {
    const { account, limits, isGone } = this.#source;
    if (isGone()) return this.#end(undefined);
    const began = performance.now();
    const before = this.#milliseconds;
    do {
      if (this.#next === this.#requests.length) return this.#end(this.#answer.whole());
      if (this.#refusal === undefined && account?.mayGoOn() === false) return this.#waitForRoom(account);
      const answer = this.#respondToNext();
      this.#milliseconds = before + performance.now() - began;
      if (answer instanceof Promise) {
        this.#requests.letGo?.();
        return answer.then((settled) => {
          this.#answer.add(settled);
          return this.run();
        });
      }
      this.#answer.add(answer);
    } while (this.#milliseconds - before < limits.turnMsMax);
    this.#requests.letGo?.();
    // After this turn, which must end first.
    return Promise.resolve().then(() => this.run());
  }

  #waitForRoom(account: Account): Promise<Response> {
    this.#requests.letGo?.();
    this.#waitsSince ??= performance.now();
    return account.waitForRoom(this.#waitsSince).then((hasRoom) => {
      if (!hasRoom) this.#refusal = account.refusal;
      return this.run();
    });
  }

  #end(answer: Response): Response {
    this.#source.account?.endBatch();
    return answer;
  }

  #respondToNext(): Response | Promise<Response> {
    this.#waitsSince = undefined;
    const request = this.#requests.at(this.#next);
    this.#next += 1;
    this.#refusal ??= this.#exceeded();
    return this.#refusal === undefined
      ? this.#source.respond(request, (milliseconds) => {
          this.#milliseconds += milliseconds;
        })
      : this.#source.refuse(request, this.#refusal);
  }

  #exceeded(): LimitError | undefined {
    const { batchResponseCharactersMax, batchTimeMsMax } = this.#source.limits;
    if (this.#answer.length > batchResponseCharactersMax) {
      return new LimitError(
        `the answer to the batch exceeds the limit of ${batchResponseCharactersMax} characters`,
      );
    }
    if (this.#milliseconds > batchTimeMsMax) {
      return new LimitError(
        `the batch exceeds the limit of ${batchTimeMsMax / 1_000} seconds of computing: send smaller ones`,
      );
    }
    return undefined;
  }
}
