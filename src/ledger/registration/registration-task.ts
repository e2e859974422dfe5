import { createHmac, randomBytes } from 'node:crypto';
import type { BlockId } from '../../protocol/index.ts';
import type { Stopwatch } from '../../time/time.ts';
import { RegistrationError } from '../errors/chain-errors.ts';

/** Milliseconds for which a registration task is valid. */
export const REGISTRATION_TASK_TIMEOUT_MS = 120_000;
/** Used registration tasks that are remembered until they expire, so that each registers one account. */
export const RECENT_REGISTRATIONS_MAX = 100_000;

/** A proof of work that allows one registration: docs/interface.md#registration. */
export interface RegistrationTask {
  /** The head block when the task was requested. */
  readonly blockId: BlockId;
  /** A uint64 that identifies the task, and that only this node can make. */
  readonly randNum: bigint;
  /** Zero bits that the hash must begin with. */
  readonly difficulty: number;
}

/** The part of a block that tasks name. */
interface NamedBlock {
  readonly number: number;
  readonly id: BlockId;
}

export interface TaskChain {
  head(): NamedBlock;
  blockByNumber(number: number): NamedBlock | undefined;
}

/** Difficulty of tasks, in zero bits of a solution, and the clock of their expiry. */
export interface RegistrationTaskOptions {
  readonly difficulty: number;
  readonly time: Stopwatch;
}

/**
 * Bits of a random number, from the highest: signature; low bits of the time in milliseconds, which wrap after a little
 * more than the lifetime of a task; block number; counter.
 */
const SIGNATURE_BITS = 21;
const TIME_BITS = 17;
const BLOCK_BITS = 18;
const COUNT_BITS = 8;

const SECRET_BYTES = 32;
const SIGNED_BYTES = 16;

/**
 * The registration tasks of a node, each valid for a time and for one account. Issued tasks are not stored: the random
 * number contains its time and block, and is signed, so that no client can displace another's task. Only tasks of
 * started registrations are stored, until they would expire.
 *
 * The signature is short: guessing it must only cost more than requesting and solving a task.
 */
export class RegistrationTasks {
  readonly #chain: TaskChain;
  readonly #options: RegistrationTaskOptions;
  readonly #secret = randomBytes(SECRET_BYTES);
  #count = randomBytes(1).readUInt8();
  /** Tasks by random number with the times at which they were taken, the oldest first. */
  readonly #taken = new Map<bigint, number>();

  constructor(chain: TaskChain, options: RegistrationTaskOptions) {
    this.#chain = chain;
    this.#options = options;
  }

  /** Issues a task for the head block. */
  issue(): RegistrationTask {
    const { number, id: blockId } = this.#chain.head();
    this.#count = lowBits(this.#count + 1, COUNT_BITS);
    const randNum = this.#randNumOf(this.#now(), { number, id: blockId }, this.#count);
    return { blockId, randNum, difficulty: this.#options.difficulty };
  }

  /**
   * Finds an unused task by its random number.
   * @throws RegistrationError `UNKNOWN_TASK`, and `TOO_MANY` beyond the number of used tasks that are stored
   */
  find(randNum: bigint): RegistrationTask {
    const now = this.#now();
    this.#forgetExpired(now);
    const block = this.#taken.has(randNum) ? undefined : this.#blockOf(randNum, now);
    if (block === undefined) {
      throw new RegistrationError(
        'UNKNOWN_TASK',
        'unknown or expired registration task: a task is valid for ' +
          `${REGISTRATION_TASK_TIMEOUT_MS / 1_000} s and for one account, request a new one`,
      );
    }
    if (this.#taken.size >= RECENT_REGISTRATIONS_MAX) {
      throw new RegistrationError(
        'TOO_MANY',
        `there were ${RECENT_REGISTRATIONS_MAX} registrations within ` +
          `${REGISTRATION_TASK_TIMEOUT_MS / 1_000} s, the limit: try again later`,
      );
    }
    return { blockId: block.id, randNum, difficulty: this.#options.difficulty };
  }

  /** Reserves a task for a registration. Returns the function that releases it if the registration fails. */
  take({ randNum }: RegistrationTask): () => void {
    this.#taken.set(randNum, this.#now());
    return () => this.#taken.delete(randNum);
  }

  /** Returns the block for which a task was issued; undefined if it was not, or has expired. */
  #blockOf(randNum: bigint, now: number): NamedBlock | undefined {
    const time = now - lowBits(now - fieldOf(randNum, COUNT_BITS + BLOCK_BITS, TIME_BITS), TIME_BITS);
    if (now - time >= REGISTRATION_TASK_TIMEOUT_MS) return undefined;
    const head = this.#chain.head().number;
    const number = head - lowBits(head - fieldOf(randNum, COUNT_BITS, BLOCK_BITS), BLOCK_BITS);
    const block = number < 0 ? undefined : this.#chain.blockByNumber(number);
    if (block === undefined) return undefined;
    return this.#randNumOf(time, block, fieldOf(randNum, 0, COUNT_BITS)) === randNum ? block : undefined;
  }

  #randNumOf(time: number, { number, id }: NamedBlock, count: number): bigint {
    const signed = Buffer.alloc(SIGNED_BYTES);
    signed.writeDoubleLE(time, 0);
    signed.writeUInt32LE(count, 8);
    const digest = createHmac('sha256', this.#secret).update(signed).update(id).digest();
    const fields: readonly (readonly [value: number, bits: number])[] = [
      [digest.readUInt32LE(0), SIGNATURE_BITS],
      [time, TIME_BITS],
      [number, BLOCK_BITS],
      [count, COUNT_BITS],
    ];
    return fields.reduce((sum, [value, bits]) => (sum << BigInt(bits)) | BigInt(lowBits(value, bits)), 0n);
  }

  #now(): number {
    return Math.floor(this.#options.time.now());
  }

  #forgetExpired(now: number): void {
    for (const [randNum, takenAt] of this.#taken) {
      if (now - takenAt < REGISTRATION_TASK_TIMEOUT_MS) return;
      this.#taken.delete(randNum);
    }
  }
}

/** Returns the low bits of an integer, also of a negative one. */
function lowBits(value: number, bits: number): number {
  const range = 2 ** bits;
  return ((value % range) + range) % range;
}

function fieldOf(randNum: bigint, position: number, bits: number): number {
  return Number(BigInt.asUintN(bits, randNum >> BigInt(position)));
}
