import { invariant } from '../../protocol/index.ts';
import type { ConnectionBudget, CooperativeScheduler } from '../../scheduling/index.ts';
import type { Caller } from '../context/caller.ts';
import type { RpcLimits } from '../context/rpc-limits.ts';
import { type Chunk, ownBytesOf, ownChunk, type Response, ResponseBody } from '../json/response-body.ts';
import { LONG_RESPONSE_CHARACTERS } from '../json/text-writer.ts';
import { type Call, type Malformed, readRequest } from '../messages/json-rpc.ts';
import { LimitError } from '../rpc-errors.ts';
import type { BatchRequests } from './long-body-parser.ts';

/** Sends of a batch whose signatures are checked ahead. */
const BATCH_REQUESTS_AHEAD = 32;

/** The JSON array of the responses of a batch. Long texts leave the heap as chunks. */
export class BatchBody {
  readonly #budget: ConnectionBudget | undefined;
  /** UTF-8 of the array so far, and the text after it. */
  readonly #chunks: Chunk[] = [];
  #bytes = 0;
  #texts: string[] = [];
  #textCharacters = 0;

  /** @param budget counts the bytes, until its owner releases them */
  constructor(budget: ConnectionBudget | undefined) {
    this.#budget = budget;
  }

  /** Characters of texts and bytes of chunks. */
  get length(): number {
    return this.#bytes + this.#textCharacters;
  }

  /** Adds a response; undefined for a notification. */
  add(response: Response): void {
    if (response === undefined) return;
    if (typeof response !== 'string') {
      invariant(response.rest === undefined, 'a response in a batch is complete');
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

  /** Returns the array; undefined without responses. */
  finish(): Response {
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

/** The handlers and bounds of the requests of a batch. */
export interface BatchSource {
  readonly limits: RpcLimits;
  /** Responds to a request. @param onSlice receives milliseconds of computing after this has returned */
  respond(request: Call | Malformed, onSlice: (milliseconds: number) => void): Response | Promise<Response>;
  /** Queues what a request will need for other threads. Returns true if its method can do so. */
  expect(request: Call | Malformed): boolean;
  /** Responds to a request that is not run because the batch exceeded a bound. */
  refuse(request: Call | Malformed, error: LimitError): Response;
  readonly scheduler: Pick<CooperativeScheduler, 'run'>;
  readonly caller: Caller;
}

/** A batch of requests, run in their order. */
export class Batch {
  readonly #requests: BatchRequests;
  readonly #source: BatchSource;
  readonly #body: BatchBody;
  /** Milliseconds of computing. */
  #milliseconds = 0;
  /** End of the counted time, by `performance.now()`; undefined while the batch is paused. */
  #countedUntil: number | undefined;
  /** Index of the next request. */
  #next = 0;
  /** Requests from the next one on that were read before it is their turn. */
  readonly #ahead: (Call | Malformed)[] = [];
  /** False once a request was read that uses no other thread. */
  #readsAhead = true;
  #refusal: LimitError | undefined;
  /** Start of a wait for memory, by `performance.now()`; undefined while it runs. */
  #waitsSince: number | undefined;
  #isBegun = false;

  constructor(requests: BatchRequests, source: BatchSource) {
    this.#requests = requests;
    this.#source = source;
    this.#body = new BatchBody(source.caller.budget);
    source.caller.budget?.beginBatch();
  }

  /**
   * Returns the responses as a JSON array, without notifications. Returns a promise if a request does, and if the batch
   * pauses for other tasks.
   */
  run(): Response | Promise<Response> {
    const { scheduler, caller } = this.#source;
    if (caller.isGone?.() === true) return this.#end(undefined);
    const isBegun = this.#isBegun;
    this.#isBegun = true;
    return scheduler.run({ caller, isBegun, onYield: () => this.#pause() }, this.#respond());
  }

  *#respond(): Generator<void, Response | Promise<Response>> {
    const { budget } = this.#source.caller;
    while (this.#next < this.#requests.length) {
      if (this.#refusal === undefined && budget?.mayContinue() === false) return this.#waitForMemory(budget);
      const began = this.#countedUntil ?? performance.now();
      const before = this.#milliseconds;
      const response = this.#respondToNext();
      this.#countedUntil = performance.now();
      this.#milliseconds = before + this.#countedUntil - began;
      if (response instanceof Promise) {
        this.#pause();
        return response.then((settled) => {
          this.#body.add(settled);
          return this.run();
        });
      }
      this.#body.add(response);
      yield;
    }
    return this.#end(this.#body.finish());
  }

  #pause(): void {
    this.#countedUntil = undefined;
    this.#requests.releaseParsed?.();
  }

  #waitForMemory(budget: ConnectionBudget): Promise<Response> {
    this.#pause();
    this.#waitsSince ??= performance.now();
    return budget.waitForMemory(this.#waitsSince).then((hasMemory) => {
      if (!hasMemory) this.#refusal = budget.refusal;
      return this.run();
    });
  }

  #end(response: Response): Response {
    this.#source.caller.budget?.endBatch();
    return response;
  }

  #respondToNext(): Response | Promise<Response> {
    this.#waitsSince = undefined;
    const request = this.#read();
    this.#refusal ??= this.#exceeded();
    return this.#refusal === undefined
      ? this.#source.respond(request, (milliseconds) => {
          this.#milliseconds += milliseconds;
        })
      : this.#source.refuse(request, this.#refusal);
  }

  /** Reads the next request, and those after it while they can use other threads. */
  #read(): Call | Malformed {
    const ahead = this.#ahead;
    const request = ahead.shift() ?? readRequest(this.#requests.at(this.#next));
    this.#next += 1;
    while (this.#readsAhead && ahead.length < BATCH_REQUESTS_AHEAD) {
      const index = this.#next + ahead.length;
      if (index === this.#requests.length) break;
      const later = readRequest(this.#requests.at(index));
      ahead.push(later);
      this.#readsAhead = this.#source.expect(later);
    }
    return request;
  }

  #exceeded(): LimitError | undefined {
    const { batchResponseCharactersMax, batchTimeMsMax } = this.#source.limits;
    if (this.#body.length > batchResponseCharactersMax) {
      return new LimitError(
        `the response to the batch exceeds the limit of ${batchResponseCharactersMax} characters`,
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
