import { CLOCK_TIME_MAX } from '../consensus.ts';
import type { Time } from '../time/time.ts';
import type { HealthCheck } from './health.ts';

/** Seconds that the time of a new block may be ahead of this machine's clock. */
export const BLOCK_AHEAD_SECONDS_MAX = 60;
/** Seconds that this machine's clock may be behind the newest block before a node's health fails. */
export const CLOCK_BEHIND_SECONDS_MAX = 10;
/** Milliseconds by which the clock may jump, and that it must stay there before a block is made. */
const CLOCK_JUMP_MS_MAX = 60_000;
export const CLOCK_SETTLE_MS = 30_000;

/** Milliseconds between two checks of this machine's clock, in addition to those before each block. */
const CLOCK_CHECK_MS = 1_000;

export interface ClockWatchOptions {
  readonly time: Pick<Time, 'now' | 'wallNow' | 'every'>;
  /** Returns the time of the newest block in Unix seconds. */
  headTime(): number;
  /** Returns true if this machine's clock is known to be right although the head is in the future. */
  isExcused(): boolean;
}

/**
 * Watches this machine's clock. The time of a block is final, and a block of the far future would expire every
 * transaction. A jump of the clock is trusted once it has lasted for a while.
 */
export class ClockWatch implements HealthCheck {
  readonly #options: ClockWatchOptions;
  /** Trusted difference between the machine's clock and the monotonic one. */
  #trusted: number;
  #jump: { readonly offset: number; readonly since: number } | undefined;
  #stop: (() => void) | undefined;

  constructor(options: ClockWatchOptions) {
    this.#options = options;
    this.#trusted = this.#offset();
  }

  start(): void {
    this.#stop = this.#options.time.every(CLOCK_CHECK_MS, () => this.#check());
  }

  stop(): void {
    this.#stop?.();
  }

  /** Returns the reason for which no block may be made now; undefined without one. */
  productionBlocker(): string | undefined {
    this.#check();
    const seconds = Math.floor(this.#options.time.wallNow() / 1_000);
    if (this.#jump !== undefined) {
      const jumped = Math.round((this.#jump.offset - this.#trusted) / 1_000);
      return `this machine's clock has jumped by ${jumped} s: no block is made for ${CLOCK_SETTLE_MS / 1_000} s`;
    }
    if (seconds > CLOCK_TIME_MAX)
      return `this machine's clock is at ${seconds}, beyond the possible times of blocks`;
    if (this.#behind() > BLOCK_AHEAD_SECONDS_MAX) return `${this.#describeBehind()}: no block is made`;
    return undefined;
  }

  problems(): string[] {
    const productionBlocker = this.productionBlocker();
    if (productionBlocker !== undefined) return [productionBlocker];
    return this.#isBehind() && !this.#options.isExcused() ? [this.#describeBehind()] : [];
  }

  /** Describes a head ahead of this machine's clock while that clock is known to be right. */
  warnings(): string[] {
    if (this.productionBlocker() !== undefined || !this.#isBehind() || !this.#options.isExcused()) return [];
    return [`the time of the newest block is ${this.#behind()} s ahead of this machine's clock`];
  }

  #check(): void {
    const offset = this.#offset();
    if (Math.abs(offset - this.#trusted) <= CLOCK_JUMP_MS_MAX) {
      // Small steps are those of time servers.
      this.#trusted = offset;
      this.#jump = undefined;
      return;
    }
    const since = this.#options.time.now();
    if (this.#jump === undefined || Math.abs(offset - this.#jump.offset) > CLOCK_JUMP_MS_MAX) {
      this.#jump = { offset, since };
    } else if (since - this.#jump.since >= CLOCK_SETTLE_MS) {
      this.#trusted = offset;
      this.#jump = undefined;
    }
  }

  #offset(): number {
    return this.#options.time.wallNow() - this.#options.time.now();
  }

  #isBehind(): boolean {
    return this.#behind() > CLOCK_BEHIND_SECONDS_MAX;
  }

  #behind(): number {
    return this.#options.headTime() - Math.floor(this.#options.time.wallNow() / 1_000);
  }

  #describeBehind(): string {
    return `this machine's clock is ${this.#behind()} s behind the time of the newest block`;
  }
}
