import { TURN_FORGIVENESS_MS } from '../limits.ts';
import type { LimitError } from './errors.ts';

/** Who asks, as far as the answers depend on that: one object for each connection. */
export interface Caller {
  /** Counts a call; the error that answers it when the caller may not make it now. */
  admit?(): LimitError | undefined;
  /** Whether no answer can reach the caller any more: what has not begun is not carried out then. */
  isGone?(): boolean;
}

/** What a caller has computed up to a moment; half of it is forgiven in each `TURN_FORGIVENESS_MS` after that. */
interface Use {
  milliseconds: number;
  at: number;
}

/** Milliseconds of work that are worth being remembered. */
const NOTED_MS = 0.1;

/** What each caller has computed of late, wherever. */
export class CallerUse {
  readonly #used = new WeakMap<Caller, Use>();

  /** Takes note of work that has ended at a moment. */
  note(caller: Caller, milliseconds: number, now: number): void {
    if (milliseconds < NOTED_MS) return;
    this.#used.set(caller, { milliseconds: this.of(caller, now) + milliseconds, at: now });
  }

  /** Milliseconds that count for a caller at a moment. */
  of(caller: Caller, now: number): number {
    const use = this.#used.get(caller);
    return use === undefined ? 0 : use.milliseconds * 2 ** ((use.at - now) / TURN_FORGIVENESS_MS);
  }
}

/** Index of the work whose caller has computed least; of equal ones, of the one that came first. */
export function leastUsed(waiting: readonly { readonly caller: Caller }[], use: CallerUse): number {
  const now = performance.now();
  let next = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const [index, { caller }] of waiting.entries()) {
    const used = use.of(caller, now);
    if (used < least) [next, least] = [index, used];
  }
  return next;
}
