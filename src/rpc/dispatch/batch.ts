import { LONG_RESPONSE_CHARACTERS } from '../../limits.ts';
import { invariant } from '../../protocol/index.ts';
import { type ConnectionBudget, type CooperativeScheduler, MORE } from '../../scheduling/index.ts';
import type { Caller } from '../context/caller.ts';
import type { RpcLimits } from '../context/rpc-limits.ts';
import { LimitError } from '../errors.ts';
import { type Chunk, ownBytesOf, ownChunk, type Response, ResponseBody } from '../json/response-body.ts';
import type { BatchRequests } from './long-body-parser.ts';

/** The responses of a batch, added one by one: a JSON array. Long texts leave the heap as chunks. */
export class BatchBody {
  readonly #budget: ConnectionBudget | undefined;
  /** UTF-8 of the array so far, and the text after it. */
  readonly #chunks: Chunk[] = [];
  #bytes = 0;
  #texts: string[] = [];
  #textCharacters = 0;

  /** @param budget counts held bytes, until its owner releases them */
  constructor(budget: ConnectionBudget | undefined) {
    this.#budget = budget;
  }

  /** Characters, or written bytes, of all responses. */
  get length(): number {
    return this.#bytes + this.#textCharacters;
  }

  /** Adds the response of the next request; undefined for none. */
  add(response: Response): void {
    if (response === undefined) return;
    if (typeof response !== 'string') {
      invariant(response.rest === undefined, 'what is part of a batch is produced before it is sent');
      this.#write();
      if (this.#bytes > 0) this.#push(COMMA);
      for (const chunk of response.chunks) this.#push(chunk);
      return;
    }
    this.#budget?.hold('answers', response.length);
    this.#texts.push(response);
    this.#textCharacters += response.length;
    if (this.#textCharacters >= LONG_RESPONSE_CHARACTERS) this.#write();
  }

  /** Returns the whole array; undefined for no responses at all. */
  whole(): Response {
    if (this.#bytes === 0) return this.#texts.length === 0 ? undefined : `[${this.#texts.join(',')}]`;
    this.#write();
    return new ResponseBody([OPENING, ...this.#chunks, CLOSING]);
  }

  #write(): void {
    if (this.#texts.length === 0) return;
    this.#push(ownChunk(Buffer.from(`${this.#bytes === 0 ? '' : ','}${this.#texts.join(',')}`)));
    this.#budget?.release('answers', this.#textCharacters);
    this.#texts = [];
    this.#textCharacters = 0;
  }

  #push(chunk: Chunk): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.bytes.length;
    this.#budget?.hold('answers', ownBytesOf(chunk));
  }
}

const OPENING = ownChunk(Buffer.from('['));
const COMMA = ownChunk(Buffer.from(','));
const CLOSING = ownChunk(Buffer.from(']'));

/** The source of the responses of a batch. */
export interface BatchSource {
  readonly limits: RpcLimits;
  /** Responds to a request. @param worked receives milliseconds of computing after this has returned */
  respond(request: unknown, worked: (milliseconds: number) => void): Response | Promise<Response>;
  /** Responds to a request that is not run, since the batch has reached a bound. */
  refuse(request: unknown, error: LimitError): Response;
  readonly scheduler: Pick<CooperativeScheduler, 'run'>;
  readonly caller: Caller;
}

/**
 * Responds to the requests of a batch one after the other: a JSON array in their order, without the notifications.
 * Returns a promise if one of them does, and if the batch pauses for other work.
 */
export function respondToBatch(requests: BatchRequests, source: BatchSource): Response | Promise<Response> {
  return new Batch(requests, source).run();
}

class Batch {
  readonly #requests: BatchRequests;
  readonly #source: BatchSource;
  readonly #answer: BatchBody;
  #milliseconds = 0;
  /** Time up to which they are counted, by `performance.now()`; undefined while the batch is paused. */
  #countedAt: number | undefined;
  /** Index of the next request. */
  #next = 0;
  #refusal: LimitError | undefined;
  /** Begin of its wait for memory, by `performance.now()`; undefined while it runs. */
  #waitsSince: number | undefined;
  #isBegun = false;

  constructor(requests: BatchRequests, source: BatchSource) {
    this.#requests = requests;
    this.#source = source;
    this.#answer = new BatchBody(source.caller.budget);
    source.caller.budget?.beginBatch();
  }

  run(): Response | Promise<Response> {
    const { scheduler, caller } = this.#source;
    if (caller.isGone?.() === true) return this.#end(undefined);
    const isBegun = this.#isBegun;
    this.#isBegun = true;
    return scheduler.run({ caller, isBegun, onYield: () => this.#pause() }, () => this.#step());
  }

  /** Answers the next request. */
  #step(): Response | Promise<Response> | typeof MORE {
    const { budget } = this.#source.caller;
    if (this.#next === this.#requests.length) return this.#end(this.#answer.whole());
    if (this.#refusal === undefined && budget?.mayContinue() === false) return this.#waitForMemory(budget);
    const began = this.#countedAt ?? performance.now();
    const before = this.#milliseconds;
    const answer = this.#respondToNext();
    this.#countedAt = performance.now();
    this.#milliseconds = before + this.#countedAt - began;
    if (!(answer instanceof Promise)) {
      this.#answer.add(answer);
      return MORE;
    }
    this.#pause();
    return answer.then((settled) => {
      this.#answer.add(settled);
      return this.run();
    });
  }

  #pause(): void {
    this.#countedAt = undefined;
    this.#requests.releaseParsed?.();
  }

  #waitForMemory(budget: ConnectionBudget): Promise<Response> {
    this.#pause();
    this.#waitsSince ??= performance.now();
    return budget.waitForMemory(this.#waitsSince).then((hasRoom) => {
      if (!hasRoom) this.#refusal = budget.refusal;
      return this.run();
    });
  }

  #end(answer: Response): Response {
    this.#source.caller.budget?.endBatch();
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
