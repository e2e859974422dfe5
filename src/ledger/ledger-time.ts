import { CLOCK_TIME_MAX } from '../limits.ts';
import type { MovableClock } from './chain/index.ts';
import { refuse } from './errors/index.ts';
import { LedgerEvents } from './ledger-events.ts';
import type { LedgerParts } from './queries/index.ts';

/** A ledger whose time can be moved. */
export abstract class LedgerTime extends LedgerEvents {
  protected readonly clock: MovableClock;

  constructor(parts: LedgerParts & { readonly clock: MovableClock }) {
    super(parts);
    this.clock = parts.clock;
  }

  /** The ledger's time of day in Unix seconds. */
  now(): number {
    return this.clock.now();
  }

  /** Moves the time of the next blocks forward; returns the total adjustment in seconds. */
  increaseTime(seconds: number): number {
    const time = this.clock.now() + seconds;
    if (time > CLOCK_TIME_MAX) refuse({ code: 'timeOutOfRange', time, latest: CLOCK_TIME_MAX });
    return this.clock.increase(seconds);
  }

  /** Seconds by which the ledger's time of day is ahead of the system's. */
  get secondsAhead(): number {
    return this.clock.ahead;
  }
}
