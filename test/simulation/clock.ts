import { setImmediate } from 'node:timers/promises';
import type { Time } from '../../src/time/time.ts';
import type { Random } from '../fuzz/random.ts';

interface Event {
  readonly due: number;
  readonly callback: () => void;
  isOff: boolean;
}

/** The common time of a simulation, in milliseconds: it advances only when all due events have been handled. */
export class VirtualClock {
  /** Unix milliseconds of the beginning. */
  readonly wallBegan: number;
  #now = 0;
  /** Sorted by when they are due; of two with the same moment, the one that was planned first comes first. */
  readonly #events: Event[] = [];

  constructor(wallBegan: number) {
    this.wallBegan = wallBegan;
  }

  now(): number {
    return this.#now;
  }

  /** Plans something for a moment, or for at once where that has passed. Returns the function that calls it off. */
  at(moment: number, callback: () => void): () => void {
    const event = { due: Math.max(this.#now, moment), callback, isOff: false };
    this.#events.splice(this.#placeOf(event.due), 0, event);
    return () => {
      event.isOff = true;
    };
  }

  /**
   * Advances the time to a moment, one event after the other.
   *
   * @param afterEach called when all immediate consequences of an event are handled; returns true to continue
   */
  async passUntil(end: number, afterEach: () => boolean | Promise<boolean>): Promise<void> {
    for (let [next] = this.#events; next !== undefined && next.due <= end; [next] = this.#events) {
      this.#events.shift();
      if (next.isOff) continue;
      this.#now = next.due;
      next.callback();
      // Runs the callbacks of all settled promises.
      await setImmediate();
      if (!(await afterEach())) return;
    }
    this.#now = Math.max(this.#now, end);
  }

  #placeOf(due: number): number {
    let [low, high] = [0, this.#events.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#events[middle]?.due ?? 0) <= due) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Faults of a machine's clocks and processor. */
export interface MachineClock {
  /** Rate of its monotonic clock; 1 is correct. */
  readonly rate: number;
  /** By how many milliseconds its clock of the day is ahead; it may be set at any moment. */
  wallAhead: number;
  /** The most milliseconds that work takes between two looks at the clock. */
  slownessMs: number;
}

/** The time of one process: on a clock of its machine's, as long as the process lives, and slowed down by its work. */
export class ProcessTime implements Time {
  readonly #clock: VirtualClock;
  readonly #machine: MachineClock;
  readonly #random: Random;
  readonly #isAlive: () => boolean;
  readonly #onTurn: () => void;
  readonly #began: number;
  /** Until when its work so far keeps its thread busy. */
  #busyUntil: number;

  /** @param onTurn called before anything is called back */
  constructor(
    clock: VirtualClock,
    machine: MachineClock,
    random: Random,
    { isAlive, onTurn }: { isAlive(): boolean; onTurn(): void },
  ) {
    this.#clock = clock;
    this.#machine = machine;
    this.#random = random;
    this.#isAlive = isAlive;
    this.#onTurn = onTurn;
    this.#began = clock.now() - random.below(1_000_000);
    this.#busyUntil = clock.now();
  }

  now(): number {
    const { slownessMs, rate } = this.#machine;
    this.#busyUntil = Math.max(this.#busyUntil, this.#clock.now());
    if (slownessMs > 0 && this.#random.oneIn(4)) this.#busyUntil += this.#random.below(slownessMs);
    return (this.#busyUntil - this.#began) * rate;
  }

  wallNow(): number {
    return this.#clock.wallBegan + this.#clock.now() + this.#machine.wallAhead;
  }

  after(milliseconds: number, callback: () => void): () => void {
    return this.#plan(Math.max(0, milliseconds) / this.#machine.rate, callback);
  }

  every(milliseconds: number, callback: () => void): () => void {
    let callOff = this.after(milliseconds, () => again());
    const again = (): void => {
      callOff = this.after(milliseconds, again);
      callback();
    };
    return () => callOff();
  }

  soon(callback: () => void): void {
    // Other callbacks may run before.
    this.#plan(this.#random.oneIn(3) ? this.#random.below(3) : 0, callback);
  }

  /** Delivers an external event when the thread is free. An ended process receives nothing. */
  deliver(callback: () => void): void {
    this.#plan(0, callback);
  }

  /** Runs a callback; exceptions of an ended process are dropped. */
  #run(callback: () => void): void {
    this.#onTurn();
    try {
      callback();
    } catch (error) {
      if (this.#isAlive()) throw error;
    }
  }

  #plan(milliseconds: number, callback: () => void): () => void {
    let callOff: () => void;
    const turn = (): void => {
      if (!this.#isAlive()) return;
      if (this.#clock.now() < this.#busyUntil) callOff = this.#clock.at(this.#busyUntil, turn);
      else this.#run(callback);
    };
    callOff = this.#clock.at(Math.max(this.#clock.now(), this.#busyUntil) + milliseconds, turn);
    return () => callOff();
  }
}
