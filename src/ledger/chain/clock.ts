import { CLOCK_TIME_MAX, TIMESTAMP_MAX } from '../../consensus.ts';
import { systemTime, type Time } from '../../time/time.ts';
import { refuse } from '../errors/refusal.ts';

/** The ledger's source of the time of day. */
export interface Clock {
  /** Unix time in whole seconds. */
  now(): number;
}

/** Returns a machine's clock, clamped to the times that blocks and pending transactions can represent. */
export function clockOf(time: Pick<Time, 'wallNow'>): Clock {
  return { now: () => Math.min(Math.max(0, Math.floor(time.wallNow() / 1_000)), CLOCK_TIME_MAX) };
}

/** The machine's clock. */
export const systemClock: Clock = clockOf(systemTime);

/** Settings for the time stamps of the next blocks, beside the machine's clock. */
export interface BlockTiming {
  /** Seconds by which the ledger's time of day is ahead of the machine's; negative if it is behind. */
  readonly ahead: number;
  /** Time stamp of the next block only, in Unix seconds; undefined if none is set. */
  readonly nextTimestamp: number | undefined;
  /** Seconds from each block to the next; undefined: blocks have the time of day. */
  readonly timestampInterval: number | undefined;
  /** Least seconds from each block to the next; absent: 0. Set once, when the ledger is opened. */
  readonly step?: number | undefined;
}

/** The timing of blocks that follow the machine's clock. */
export const SYSTEM_TIMING: BlockTiming = {
  ahead: 0,
  nextTimestamp: undefined,
  timestampInterval: undefined,
};

/** The ledger's time of day and the time stamps of its blocks: those of another clock, until a test changes them. */
export class MovableClock implements Clock {
  readonly #base: Clock;
  #timing: BlockTiming;

  /** @param step least seconds from a block to the next one; absent: 0 */
  constructor(base: Clock, step?: number) {
    this.#base = base;
    this.#timing = step === undefined ? SYSTEM_TIMING : { ...SYSTEM_TIMING, step };
  }

  /** Returns the ledger's time of day in Unix seconds. */
  now(): number {
    return this.#base.now() + this.#timing.ahead;
  }

  /** Settings for the time stamps of the next blocks, beside the machine's clock. */
  get timing(): BlockTiming {
    return this.#timing;
  }

  /** Replaces the timing, except its step if the new one has none. */
  setTiming(timing: BlockTiming): void {
    const { step } = this.#timing;
    this.#timing = timing.step === step ? timing : { step, ...timing };
  }

  /** Sets the current time. Throws `RefusedError` for a time that no block may have. */
  setTime(time: number): void {
    requireClockTime(time);
    this.#timing = this.#timingAt(time);
  }

  /**
   * Moves the time of the next blocks forward; returns the total adjustment in seconds. Throws `RefusedError` for a
   * time that no block may have.
   */
  increaseTime(seconds: number): number {
    requireClockTime(this.now() + seconds);
    this.#timing = { ...this.#timing, ahead: this.#timing.ahead + seconds };
    return this.#timing.ahead;
  }

  /** Moves the clock forward to the time stamp of a block, if it is behind. */
  keepUp(timestamp: number): void {
    if (timestamp > this.now()) this.#timing = this.#timingAt(timestamp);
  }

  /** Returns the timing for a current time; settings for blocks are unchanged. */
  #timingAt(time: number): BlockTiming {
    return { ...this.#timing, ahead: time - this.#base.now() };
  }

  /** Returns the earliest time stamp of the block after one with a time stamp, up to the last valid time. */
  earliestAfter(previous: number): number {
    return Math.max(previous, Math.min(previous + (this.#timing.step ?? 0), CLOCK_TIME_MAX));
  }

  /** Returns the time stamp of the next block, if it were made now: never before the previous one. */
  nextTimestamp(previous: number): number {
    const { nextTimestamp, timestampInterval } = this.#timing;
    const earliest = this.earliestAfter(previous);
    if (nextTimestamp !== undefined) return Math.max(earliest, nextTimestamp);
    if (timestampInterval === undefined) return Math.min(Math.max(earliest, this.now()), TIMESTAMP_MAX);
    return Math.max(earliest, Math.min(previous + timestampInterval, CLOCK_TIME_MAX));
  }

  /** Records a block: a time set for it is consumed, and the clock continues from its time stamp. */
  passed(timestamp: number): void {
    const { nextTimestamp, step = 0 } = this.#timing;
    // The time of day would fall behind quick blocks.
    if (step > 0) this.keepUp(timestamp);
    if (nextTimestamp === undefined || timestamp < nextTimestamp) return;
    const timing = timestamp === nextTimestamp ? this.#timingAt(timestamp) : this.#timing;
    this.#timing = { ...timing, nextTimestamp: undefined };
  }
}

function requireClockTime(time: number): void {
  if (time > CLOCK_TIME_MAX) refuse({ code: 'timeOutOfRange', time, latest: CLOCK_TIME_MAX });
}
