import { randomBytes } from 'node:crypto';
import { REGISTRATION_TASK_TIMEOUT_MS, REGISTRATION_TASKS_MAX } from '../limits.ts';
import { type BlockId, invariant } from '../protocol/index.ts';
import { RegistrationError } from './errors.ts';

/** A proof of work that allows one registration: specification 2.9. */
export interface RegistrationTask {
  /** The head block when the task was requested. */
  readonly blockId: BlockId;
  /** A random uint64, by which the task is told from others. */
  readonly randNum: bigint;
  /** Zero bits that the hash must begin with. */
  readonly difficulty: number;
}

interface OpenTask extends RegistrationTask {
  /** Time of the clock in milliseconds at which the task ends. */
  readonly end: number;
  /** Whether a registration is under way with it. */
  taken: boolean;
}

/** The tasks that were given out and wait for a solution, each good for a time and for one account. */
export class RegistrationTasks {
  readonly #now: () => number;
  /** By random number, the oldest first. */
  readonly #open = new Map<bigint, OpenTask>();

  /** @param now a clock that never goes back, in milliseconds from any origin */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Gives out a task. Where there are too many, the oldest is given up. */
  issue(blockId: BlockId, difficulty: number): RegistrationTask {
    const now = this.#now();
    this.#forgetExpired(now);
    const task = { blockId, randNum: this.#freeNumber(), difficulty };
    this.#open.set(task.randNum, { ...task, end: now + REGISTRATION_TASK_TIMEOUT_MS, taken: false });
    if (this.#open.size > REGISTRATION_TASKS_MAX) this.#open.delete(this.#oldest());
    return task;
  }

  /** Finds a task that nobody has taken, by its random number. @throws RegistrationError `UNKNOWN_TASK` */
  find(randNum: bigint): RegistrationTask {
    this.#forgetExpired(this.#now());
    const task = this.#open.get(randNum);
    if (task !== undefined && !task.taken) return task;
    throw new RegistrationError(
      'UNKNOWN_TASK',
      'unknown or expired registration task: a task is good for ' +
        `${REGISTRATION_TASK_TIMEOUT_MS / 1_000} s and for one account, request a new one`,
    );
  }

  /** Takes a task for a registration. Returns the function that puts it back when that comes to nothing. */
  take(task: RegistrationTask): () => void {
    const open = this.#open.get(task.randNum);
    invariant(open !== undefined && !open.taken, 'a task that is taken was found just before');
    open.taken = true;
    return () => {
      open.taken = false;
    };
  }

  #forgetExpired(now: number): void {
    for (const { randNum, end } of this.#open.values()) {
      if (now < end) return;
      this.#open.delete(randNum);
    }
  }

  #freeNumber(): bigint {
    for (;;) {
      const number = randomBytes(8).readBigUInt64LE();
      if (!this.#open.has(number)) return number;
    }
  }

  #oldest(): bigint {
    const [first = 0n] = this.#open.keys();
    return first;
  }
}
