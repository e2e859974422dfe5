import { BLOCK_WAITS_MAX } from '../limits.ts';
import { type Caller, LimitError, RequestFailedError } from '../rpc/index.ts';
import { mayHaveMore } from '../scheduling/index.ts';
import { HEAD_FIELD } from './head-fields.ts';
import type { HttpAnswer } from './http-answer.ts';
import type { WaitOutcome } from './metrics/metrics.ts';
import { refuse } from './refusals.ts';

/** The newest block of the chain that a server serves. */
export interface ServedHead {
  /** Its number. */
  number(): number;
  /** Tells of each change of it; what is returned ends that. */
  onChange(listener: () => void): () => void;
}

/** How long requests wait for a block that they name, and the head that they wait for. */
export interface HeadWaitsOptions {
  readonly head: ServedHead;
  /** Milliseconds that a request waits for its block. */
  readonly waitMs: number;
  /** Told of each wait that is over, or was not begun. */
  onOutcome(outcome: WaitOutcome): void;
}

interface Waiting {
  readonly caller: Caller;
  readonly number: number;
  /** @param refusal what is answered instead; undefined when the block is here */
  end(refusal: HttpAnswer | undefined): void;
}

/**
 * Requests that wait until the head is at the block that they name: what a client has seen or written at one node of a
 * cluster is there for it at another. How long is bounded, and how many wait; no client may have more waits than there
 * is room left for all others, and each counts as a call of its own.
 */
export class HeadWaits {
  readonly #options: HeadWaitsOptions;
  readonly #waiting = new Set<Waiting>();
  readonly #stopListening: () => void;
  /** The least number that anybody waits for. */
  #least = Number.POSITIVE_INFINITY;
  #isClosed = false;

  constructor(options: HeadWaitsOptions) {
    this.#options = options;
    this.#stopListening = options.head.onChange(() => this.#look());
  }

  /** Number of the newest block. */
  get head(): number {
    return this.#options.head.number();
  }

  /** Requests that wait at this moment. */
  get size(): number {
    return this.#waiting.size;
  }

  /** Waits for a block. Gives undefined when it is here, and else what its caller is to be answered. */
  reach(number: number, caller: Caller): Promise<HttpAnswer | undefined> {
    if (number <= this.head) return Promise.resolve(undefined);
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

  #look(): void {
    const { head } = this;
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
    // Looked for only then: a client that has gone while it waited is rare.
    for (const waiting of this.#waiting) {
      if (waiting.caller.isGone?.() === true) waiting.end(this.#late(waiting.number));
    }
    if (this.#hasRoomFor(caller)) return undefined;
    const message = `too many requests wait for a block: this client has its share of the limit of ${BLOCK_WAITS_MAX}`;
    return this.#again(new LimitError(message));
  }

  #hasRoomFor({ client }: Caller): boolean {
    let held = 0;
    for (const { caller } of this.#waiting) if (caller.client === client) held += 1;
    return mayHaveMore(held, 1, this.#waiting.size, BLOCK_WAITS_MAX);
  }

  #late(number: number): HttpAnswer {
    const seconds = this.#options.waitMs / 1_000;
    return this.#again(
      new RequestFailedError(
        `block ${number} has not come within ${seconds} s: the newest one here is block ${this.head}`,
      ),
    );
  }

  #closing(): HttpAnswer {
    return this.#again(new RequestFailedError('this node is stopping, and waits for no more blocks'));
  }

  /** Another node may have the block already, and this one has it later. */
  #again(error: LimitError | RequestFailedError): HttpAnswer {
    return refuse(503, error, { [HEAD_FIELD]: String(this.head), 'retry-after': '1' });
  }
}
