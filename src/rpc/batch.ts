import type { RpcLimits } from './context.ts';
import { LimitError } from './errors.ts';
import type { BatchItems } from './json/batch-items.ts';

/** The text that answers a request or a body; undefined where it holds nothing but notifications. */
export type Response = string | undefined;

/** What a batch is answered with. */
export interface BatchSource {
  readonly limits: RpcLimits;
  /** Answers one request of the batch. */
  respond(request: unknown): Response | Promise<Response>;
  /** Answers a request that is not carried out because the batch has had all that it may have. */
  refuse(request: unknown, error: LimitError): Response;
  /** Runs a part of the batch, at once or when its turn comes. */
  takeTurn(work: () => Response | Promise<Response>): Response | Promise<Response>;
  /** Whether nobody waits for the answer any more. */
  isGone(): boolean;
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
  readonly #answers: string[] = [];
  #characters = 0;
  #milliseconds = 0;
  /** Index of the next request. */
  #next = 0;
  #refusal: LimitError | undefined;

  constructor(requests: BatchItems, source: BatchSource) {
    this.#requests = requests;
    this.#source = source;
  }

  run(): Response | Promise<Response> {
    return this.#source.takeTurn(() => this.#runTurn());
  }

  #runTurn(): Response | Promise<Response> {
    if (this.#source.isGone()) return undefined;
    const began = performance.now();
    const before = this.#milliseconds;
    do {
      if (this.#next === this.#requests.length) return this.#finish();
      const answer = this.#respondToNext();
      this.#milliseconds = before + performance.now() - began;
      if (answer instanceof Promise) {
        this.#requests.letGo?.();
        return answer.then((settled) => {
          this.#collect(settled);
          return this.run();
        });
      }
      this.#collect(answer);
    } while (this.#milliseconds - before < this.#source.limits.turnMsMax);
    this.#requests.letGo?.();
    // After this turn, which must end first.
    return Promise.resolve().then(() => this.run());
  }

  #respondToNext(): Response | Promise<Response> {
    const request = this.#requests.at(this.#next);
    this.#next += 1;
    this.#refusal ??= this.#exceeded();
    return this.#refusal === undefined
      ? this.#source.respond(request)
      : this.#source.refuse(request, this.#refusal);
  }

  #exceeded(): LimitError | undefined {
    const { batchResponseCharactersMax, batchTimeMsMax } = this.#source.limits;
    if (this.#characters > batchResponseCharactersMax) {
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

  #collect(answer: Response): void {
    if (answer === undefined) return;
    this.#answers.push(answer);
    this.#characters += answer.length;
  }

  #finish(): Response {
    return this.#answers.length === 0 ? undefined : `[${this.#answers.join(',')}]`;
  }
}
