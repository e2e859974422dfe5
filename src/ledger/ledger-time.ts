import { CLOCK_TIME_MAX } from '../consensus.ts';
import type { BlockTiming, MovableClock } from './chain/index.ts';
import { refuse } from './errors/index.ts';
import { LedgerEvents } from './ledger-events.ts';
import type { LedgerParts } from './queries/index.ts';

/** A ledger whose time can be moved. */
export abstract class LedgerTime extends LedgerEvents {
  protected readonly clock: MovableClock;

  constructor(parts: LedgerParts) {
    super(parts);
    this.clock = parts.clock;
  }

  /** The ledger's time of day in Unix seconds. */
  now(): number {
    return this.clock.now();
  }

  /** What decides about the time stamps of the next blocks, beside the machine's clock. */
  get timing(): BlockTiming {
    return this.clock.timing;
  }

  setTiming(timing: BlockTiming): void {
    this.clock.timing = timing;
  }

  /** Makes it so late now. Throws `RefusedError` for what no block may have. */
  setTime(time: number): void {
    requireClockTime(time);
    this.clock.timing = this.clock.timingAt(time);
  }

  /**
   * Moves the time of the next blocks forward; returns the total adjustment in seconds. Throws `RefusedError` for what
   * no block may have.
   */
  increaseTime(seconds: number): number {
    requireClockTime(this.clock.now() + seconds);
    const { timing } = this.clock;
    this.clock.timing = { ...timing, ahead: timing.ahead + seconds };
    return this.clock.timing.ahead;
  }

  /** The time of day is not before that of a block. */
  protected keepUp(timestamp: number): void {
    if (timestamp > this.clock.now()) this.clock.timing = this.clock.timingAt(timestamp);
  }
}

function requireClockTime(time: number): void {
  if (time > CLOCK_TIME_MAX) refuse({ code: 'timeOutOfRange', time, latest: CLOCK_TIME_MAX });
}
