import { BLOCK_NUMBER_MAX } from '../consensus.ts';
import { type Caller, LimitError, RequestFailedError } from '../rpc/index.ts';
import { isWithinFairShare } from '../scheduling/index.ts';
import { type HttpResponse, refuse } from './http-response.ts';
import type { WaitOutcome } from './metrics/metrics.ts';

/** Requests that wait at one time for a future block. */
export const BLOCK_WAITS_MAX = 512;

/** Response header with the number of the newest block. */
export const HEAD_NUMBER_HEADER = 'ledgerd-block';

const NUMBER = /^\d{1,10}$/;

/** Parses a block number in decimal digits; undefined for other text, such as that of a repeated header. */
export function readBlockNumber(text: string): number | undefined {
  const number = NUMBER.test(text) ? Number(text) : Number.NaN;
  return number <= BLOCK_NUMBER_MAX ? number : undefined;
}

/** The newest block of the chain that a server serves. */
export interface ServedHead {
  number(): number;
  /** Calls a listener at each change of the head; returns the function that removes it. */
  onChange(listener: () => void): () => void;
}

export interface MinBlockWaitersOptions {
  readonly head: ServedHead;
  /** Milliseconds that a request may wait. */
  readonly waitMs: number;
  /** Receives the outcome of each wait, also of a refused one. */
  onOutcome(outcome: WaitOutcome): void;
}

/** A request that waits for a block. */
interface Waiter {
  readonly caller: Caller;
  readonly number: number;
  /** @param refusal the response instead; undefined once the block is here */
  end(refusal: HttpResponse | undefined): void;
}

/**
 * Requests that wait until the head reaches the block that they name (read-your-writes): a client of a cluster reads at
 * one node the state that it has read or written at another. Time and number of waits are bounded, with fair shares
 * between clients. Each wait counts as a call.
 */
export class MinBlockWaiters {
  readonly #options: MinBlockWaitersOptions;
  readonly #waiters = new Set<Waiter>();
  readonly #stopListening: () => void;
  /** Number of the newest block. */
  number: number;
  /** The least number that a request waits for. */
  #least = Number.POSITIVE_INFINITY;
  #isClosed = false;

  constructor(options: MinBlockWaitersOptions) {
    this.#options = options;
    this.number = options.head.number();
    this.#stopListening = options.head.onChange(() => this.#onHead());
  }

  get size(): number {
    return this.#waiters.size;
  }

  /** Waits for a block. Resolves to undefined once it is here, else to a refusal. */
  reach(number: number, caller: Caller): Promise<HttpResponse | undefined> {
    if (number <= this.number) return Promise.resolve(undefined);
    const refusal = this.#isClosed ? this.#closing() : this.#refusalOf(caller);
    if (refusal !== undefined) {
      this.#options.onOutcome('refused');
      return Promise.resolve(refusal);
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => waiter.end(this.#late(number)), this.#options.waitMs);
      const waiter: Waiter = {
        caller,
        number,
        end: (late) => {
          clearTimeout(timer);
          this.#waiters.delete(waiter);
          this.#options.onOutcome(late === undefined ? 'reached' : 'late');
          resolve(late);
        },
      };
      this.#waiters.add(waiter);
      this.#least = Math.min(this.#least, number);
    });
  }

  /** Ends all waits when the node stops. */
  close(): void {
    this.#isClosed = true;
    this.#stopListening();
    for (const waiter of this.#waiters) waiter.end(this.#closing());
  }

  #onHead(): void {
    const head = this.#options.head.number();
    this.number = head;
    if (head < this.#least) return;
    this.#least = Number.POSITIVE_INFINITY;
    for (const waiter of this.#waiters) {
      if (waiter.number <= head) waiter.end(undefined);
      else this.#least = Math.min(this.#least, waiter.number);
    }
  }

  #refusalOf(caller: Caller): HttpResponse | undefined {
    const refusal = caller.admit?.();
    if (refusal !== undefined) return refuse(429, refusal);
    const { budget } = caller;
    if (budget?.mayBegin() === false) return refuse(503, budget.refusal);
    if (this.#mayWait(caller)) return undefined;
    // Only now, since disconnected waiters are rare.
    for (const waiter of this.#waiters) {
      if (waiter.caller.isGone?.() === true) waiter.end(this.#late(waiter.number));
    }
    if (this.#mayWait(caller)) return undefined;
    const message = `too many requests wait for a block: this client has its share of the limit of ${BLOCK_WAITS_MAX}`;
    return this.#refuse(new LimitError(message));
  }

  #mayWait({ client }: Caller): boolean {
    let held = 0;
    for (const { caller } of this.#waiters) if (caller.client === client) held += 1;
    return isWithinFairShare(held, 1, this.#waiters.size, BLOCK_WAITS_MAX);
  }

  #late(number: number): HttpResponse {
    const seconds = this.#options.waitMs / 1_000;
    return this.#refuse(
      new RequestFailedError(
        `block ${number} has not come within ${seconds} s: the newest one here is block ${this.number}`,
      ),
    );
  }

  #closing(): HttpResponse {
    return this.#refuse(new RequestFailedError('this node is stopping, and waits for no more blocks'));
  }

  /** Refuses for now: another node may have the block already, and this one may get it later. */
  #refuse(error: LimitError | RequestFailedError): HttpResponse {
    return refuse(503, error, { [HEAD_NUMBER_HEADER]: String(this.number), 'retry-after': '1' });
  }
}
