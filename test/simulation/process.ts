import type { Random } from '../fuzz/random.ts';
import { type MachineClock, ProcessTime, type VirtualClock } from './clock.ts';
import { type EngineUser, enginePool } from './engine-pool.ts';

/**
 * The exception that an ended process throws in its own code, so that none of its further actions has an
 * effect.
 */
export class ProcessEnded extends Error {}

/** One life of a machine: whatever of it reaches the world outside is a step, between any two of which it may die. */
export class Process implements EngineUser {
  readonly name: string;
  readonly instances: EngineUser['instances'] = [];
  readonly time: ProcessTime;
  #isAlive = true;
  /** Steps until it dies; undefined: it lives on. */
  #stepsLeft: number | undefined;
  /** True if the last step takes effect. */
  #isLastDone = false;

  constructor(name: string, clock: VirtualClock, machine: MachineClock, random: Random) {
    this.name = name;
    this.time = new ProcessTime(clock, machine, random, {
      isAlive: () => this.#isAlive,
      onTurn: () => enginePool.enter(this),
    });
    enginePool.enter(this);
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** It dies at one of its next steps. */
  dieAfter(steps: number, isLastDone: boolean): void {
    this.#stepsLeft ??= steps;
    this.#isLastDone = isLastDone;
  }

  /** Cancels a planned death. */
  live(): void {
    this.#stepsLeft = undefined;
  }

  /** It dies between two steps. */
  die(): void {
    this.#isAlive = false;
  }

  /** Does something that is seen outside and that nobody waits for: of a dead process nothing is seen. */
  tell(action: () => void): void {
    if (this.#takeStep(action)) action();
  }

  /**
   * Does something that is seen outside.
   *
   * @throws ProcessEnded where the process is dead, or dies of this step
   */
  step<T>(action: () => T): T {
    if (!this.#takeStep(action)) throw new ProcessEnded('the process has ended');
    return action();
  }

  /** Returns true if the process survives the step; the step at which it dies may still take effect. */
  #takeStep(action: () => unknown): boolean {
    if (!this.#isAlive || this.#stepsLeft === undefined) return this.#isAlive;
    this.#isAlive = this.#stepsLeft > 0;
    this.#stepsLeft -= 1;
    if (!this.#isAlive && this.#isLastDone) action();
    return this.#isAlive;
  }
}
