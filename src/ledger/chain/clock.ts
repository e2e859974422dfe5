import { systemTime, type Time } from '../../time.ts';

/** Where the ledger takes the time of day from. */
export interface Clock {
  /** Unix time in whole seconds. */
  now(): number;
}

/** A machine's clock. */
export function clockOf(time: Pick<Time, 'wallNow'>): Clock {
  return { now: () => Math.floor(time.wallNow() / 1_000) };
}

/** The machine's clock. */
export const systemClock: Clock = clockOf(systemTime);

/** A clock that runs ahead of another by an adjustable number of seconds (`evm_increaseTime`). */
export class MovableClock implements Clock {
  readonly #base: Clock;
  #ahead = 0;

  constructor(base: Clock) {
    this.#base = base;
  }

  /** Seconds by which it runs ahead. */
  get ahead(): number {
    return this.#ahead;
  }

  now(): number {
    return this.#base.now() + this.#ahead;
  }

  /** Moves the clock forward by `seconds` and returns the total adjustment in seconds. */
  increase(seconds: number): number {
    this.#ahead += seconds;
    return this.#ahead;
  }

  /** Runs ahead by so many seconds from now on. */
  set(seconds: number): void {
    this.#ahead = seconds;
  }
}
