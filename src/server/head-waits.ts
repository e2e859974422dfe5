import { BLOCK_NUMBER_MAX } from '../consensus.ts';
import { BLOCK_WAITS_MAX } from '../limits.ts';
import { type Caller, LimitError, RequestFailedError } from '../rpc/index.ts';
import { mayHaveMore } from '../scheduling/index.ts';
import { type HttpAnswer, refuse } from './http-answer.ts';
import type { WaitOutcome } from './metrics/metrics.ts';

/** The field of a response with the number of the newest block. */
export const HEAD_FIELD = 'ledgerd-block';

const NUMBER = /^\d{1,10}$/;

/** Reads the number of a block in decimal digits; undefined for other text, such as that of a repeated field. */
export function readBlockNumber(text: string): number | undefined {
  const number = NUMBER.test(text) ? Number(text) : Number.NaN;
  return number <= BLOCK_NUMBER_MAX ? number : undefined;
}

/** The newest block of the chain that a server serves. */
export interface ServedHead {
  /** Returns its number. */
  number(): number;
  /** Calls a listener at each change of the head; returns the end of that. */
  onChange(listener: () => void): () => void;
}

/** Source of blocks and bound of the waits for them. */
export interface HeadWaitsOptions {
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
  end(refusal: HttpAnswer | undefined): void;
}

/**
 * Requests that wait until the head is at the block that they name: a client of a cluster reads at one node what it has
 * read or written at another. Time and number of waits are bounded. No client may have more waits than there is room
 * left for all others, and each counts as a call.
 */
export class HeadWaits {
  readonly #options: HeadWaitsOptions;
  readonly head: ServedHead;
  readonly #waiting = new Set<Waiting>();
  readonly #stopListening: () => void;
  /** The least number of all waits. */
  #least = Number.POSITIVE_INFINITY;
  #isClosed = false;

  constructor(options: HeadWaitsOptions) {
    this.#options = options;
    this.head = options.head;
    this.#stopListening = options.head.onChange(() => this.#onHead());
  }

  /** Number of waiting requests. */
  get size(): number {
    return this.#waiting.size;
  }

  /** Waits for a block. Resolves to undefined when it is here, and else to the response to the caller. */
  reach(number: number, caller: Caller): Promise<HttpAnswer | undefined> {
    if (number <= this.head.number()) return Promise.resolve(undefined);
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
    const head = this.head.number();
    if (head < this.#least) return;
    this.#least = Number.POSITIVE_INFINITY;
    for (const waiting of this.#waiting) {
      if (waiting.number <= head) waiting.end(undefined);
      else this.#least = Math.min(this.#least, waiting.number);
    }
  }

  #refusalOf(caller: Caller): HttpAnswer | undefined {
    const refusal = caller.admit?.();
    if (refusal !== undefined) return refuse(429, refusal);
    const { account } = caller;
    if (account?.mayBegin() === false) return refuse(503, account.refusal);
    if (this.#hasRoomFor(caller)) return undefined;
    // Only now, since a client that left while it waited is rare.
    for (const waiting of this.#waiting) {
      if (waiting.caller.isGone?.() === true) waiting.end(this.#late(waiting.number));
    }
    if (this.#hasRoomFor(caller)) return undefined;
    const message = `too many requests wait for a block: this client has its share of the limit of ${BLOCK_WAITS_MAX}`;
    return this.#refuse(new LimitError(message));
  }

  #hasRoomFor({ client }: Caller): boolean {
    let held = 0;
    for (const { caller } of this.#waiting) if (caller.client === client) held += 1;
    return mayHaveMore(held, 1, this.#waiting.size, BLOCK_WAITS_MAX);
  }

  #late(number: number): HttpAnswer {
    const seconds = this.#options.waitMs / 1_000;
    return this.#refuse(
      new RequestFailedError(
        `block ${number} has not come within ${seconds} s: the newest one here is block ${this.head.number()}`,
      ),
    );
  }

  #closing(): HttpAnswer {
    return this.#refuse(new RequestFailedError('this node is stopping, and waits for no more blocks'));
  }

  /** Refuses for now: another node may have the block already, and this one has it later. */
  #refuse(error: LimitError | RequestFailedError): HttpAnswer {
    return refuse(503, error, { [HEAD_FIELD]: String(this.head.number()), 'retry-after': '1' });
  }
}
