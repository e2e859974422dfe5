import { BLOCK_NUMBER_MAX } from '../consensus.ts';
import { BLOCK_WAITS_MAX, LONG_RESPONSE_CHARACTERS } from '../limits.ts';
import {
  type Caller,
  type Dispatcher,
  FORWARDED_FIELD,
  InvalidRequestError,
  LimitError,
  ownBody,
  type ProfileId,
  RequestFailedError,
  type Response,
  type ResponseBody,
} from '../rpc/index.ts';
import { isWithinFairShare } from '../scheduling/index.ts';
import {
  type Fields,
  type Handler,
  type HttpRequest,
  type HttpResponse,
  JSON_TYPE,
  refuse,
} from './http-response.ts';
import type { WaitOutcome } from './metrics/metrics.ts';

/** The field of a response with the number of the newest block. */
const HEAD_FIELD = 'ledgerd-block';

const NUMBER = /^\d{1,10}$/;

/** Reads the number of a block in decimal digits; undefined for other text, such as that of a repeated field. */
export function readBlockNumber(text: string): number | undefined {
  const number = NUMBER.test(text) ? Number(text) : Number.NaN;
  return number <= BLOCK_NUMBER_MAX ? number : undefined;
}

/** The newest block of the chain that a server serves. */
export interface ServedHead {
  number(): number;
  /** Calls a listener at each change of the head; returns the end of that. */
  onChange(listener: () => void): () => void;
}

/** Source of blocks and bound of the waits for them. */
export interface MinBlockWaitersOptions {
  readonly head: ServedHead;
  /** Milliseconds that a request waits for its block. */
  readonly waitMs: number;
  /** Receives the end of each wait, also of one that was not begun. */
  onOutcome(outcome: WaitOutcome): void;
}

interface Waiting {
  readonly caller: Caller;
  readonly number: number;
  /** @param refusal the response instead; undefined when the block is here */
  end(refusal: HttpResponse | undefined): void;
}

/**
 * Requests that wait until the head is at the block that they name: a client of a cluster reads at one node what it has
 * read or written at another. Time and number of waits are bounded. No client may have more waits than there is room
 * left for all others, and each counts as a call.
 */
export class MinBlockWaiters {
  readonly #options: MinBlockWaitersOptions;
  readonly #waiting = new Set<Waiting>();
  readonly #stopListening: () => void;
  #number: number;
  /** The least number of all waits. */
  #least = Number.POSITIVE_INFINITY;
  #isClosed = false;

  constructor(options: MinBlockWaitersOptions) {
    this.#options = options;
    this.#number = options.head.number();
    this.#stopListening = options.head.onChange(() => this.#onHead());
  }

  /** Number of the newest block. */
  get number(): number {
    return this.#number;
  }

  /** Number of waiting requests. */
  get size(): number {
    return this.#waiting.size;
  }

  /** Waits for a block. Resolves to undefined when it is here, and else to the response to the caller. */
  reach(number: number, caller: Caller): Promise<HttpResponse | undefined> {
    if (number <= this.#number) return Promise.resolve(undefined);
    const refusal = this.#isClosed ? this.#closing() : this.#refusalOf(caller);
    if (refusal !== undefined) {
      this.#options.onOutcome('refused');
      return Promise.resolve(refusal);
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => waiting.end(this.#late(number)), this.#options.waitMs);
      const waiting: Waiting = {
        caller,
        number,
        end: (answer) => {
          clearTimeout(timer);
          this.#waiting.delete(waiting);
          this.#options.onOutcome(answer === undefined ? 'reached' : 'late');
          resolve(answer);
        },
      };
      this.#waiting.add(waiting);
      this.#least = Math.min(this.#least, number);
    });
  }

  /** Ends all waits, since no more blocks come. */
  close(): void {
    this.#isClosed = true;
    this.#stopListening();
    for (const waiting of this.#waiting) waiting.end(this.#closing());
  }

  #onHead(): void {
    const head = this.#options.head.number();
    this.#number = head;
    if (head < this.#least) return;
    this.#least = Number.POSITIVE_INFINITY;
    for (const waiting of this.#waiting) {
      if (waiting.number <= head) waiting.end(undefined);
      else this.#least = Math.min(this.#least, waiting.number);
    }
  }

  #refusalOf(caller: Caller): HttpResponse | undefined {
    const refusal = caller.admit?.();
    if (refusal !== undefined) return refuse(429, refusal);
    const { budget } = caller;
    if (budget?.mayBegin() === false) return refuse(503, budget.refusal);
    if (this.#hasCapacityFor(caller)) return undefined;
    // Only now, since a client that left while it waited is rare.
    for (const waiting of this.#waiting) {
      if (waiting.caller.isGone?.() === true) waiting.end(this.#late(waiting.number));
    }
    if (this.#hasCapacityFor(caller)) return undefined;
    const message = `too many requests wait for a block: this client has its share of the limit of ${BLOCK_WAITS_MAX}`;
    return this.#refuse(new LimitError(message));
  }

  #hasCapacityFor({ client }: Caller): boolean {
    let held = 0;
    for (const { caller } of this.#waiting) if (caller.client === client) held += 1;
    return isWithinFairShare(held, 1, this.#waiting.size, BLOCK_WAITS_MAX);
  }

  #late(number: number): HttpResponse {
    const seconds = this.#options.waitMs / 1_000;
    return this.#refuse(
      new RequestFailedError(
        `block ${number} has not come within ${seconds} s: the newest one here is block ${this.#number}`,
      ),
    );
  }

  #closing(): HttpResponse {
    return this.#refuse(new RequestFailedError('this node is stopping, and waits for no more blocks'));
  }

  /** Refuses for now: another node may have the block already, and this one has it later. */
  #refuse(error: LimitError | RequestFailedError): HttpResponse {
    return refuse(503, error, { [HEAD_FIELD]: String(this.#number), 'retry-after': '1' });
  }
}

/** The field of a request with the number of the block that has to be here before the response. */
const MIN_BLOCK_FIELD = 'ledgerd-min-block';

/** Prepares the responses to JSON-RPC requests, single or batch, in the shapes of a profile. */
export function rpcHandler(dispatcher: Dispatcher, waits: MinBlockWaiters, profile: ProfileId): Handler {
  let block = -1;
  let fields: Fields = {};
  /** Returns the fields of a response; the same object until there is a newer block. */
  const fieldsNow = (): Fields => {
    if (waits.number !== block) {
      block = waits.number;
      fields = { [HEAD_FIELD]: String(block), 'content-type': JSON_TYPE };
    }
    return fields;
  };
  // The newest block after the calls: nothing in the response is of a later one.
  const answerOf = (response: Response): HttpResponse => {
    if (response === undefined) return { status: 204, fields: { [HEAD_FIELD]: String(waits.number) } };
    return { status: 200, fields: fieldsNow(), body: bytesIfLong(response) };
  };
  const handle = ({ connection, body }: HttpRequest): HttpResponse | Promise<HttpResponse> => {
    const answer = dispatcher.handle(body, connection, profile);
    return answer instanceof Promise ? answer.then(answerOf) : answerOf(answer);
  };
  return (request) => {
    const { connection, headers } = request;
    connection.state = 'working';
    const minBlock = headers[MIN_BLOCK_FIELD];
    connection.hops = hopsOf(headers[FORWARDED_FIELD]);
    if (minBlock === undefined) return handle(request);
    const number = readBlockNumber(minBlock);
    if (number === undefined) return refuseMinBlock();
    if (number <= waits.number) return handle(request);
    return waits.reach(number, connection).then((refusal) => refusal ?? handle(request));
  };
}

/** Returns how often followers have forwarded a request; infinity for a malformed number. */
function hopsOf(field: string | undefined): number {
  if (field === undefined) return 0;
  return /^\d$/.test(field) ? Number(field) : Number.POSITIVE_INFINITY;
}

function refuseMinBlock(): HttpResponse {
  return refuse(
    400,
    new InvalidRequestError(
      `the header Ledgerd-Min-Block has to be the number of a block, in decimal digits, at most ${BLOCK_NUMBER_MAX}`,
    ),
  );
}

/** Moves a long response out of the heap, since it may have to wait for a slow client. */
function bytesIfLong(response: string | ResponseBody): string | ResponseBody {
  if (typeof response !== 'string' || response.length <= LONG_RESPONSE_CHARACTERS) return response;
  return ownBody(Buffer.from(response));
}
