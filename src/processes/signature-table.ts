import type { SignatureCheck } from '../ledger/index.ts';
import { recoverAddress, toPublicKey, toSignature, verifySignature } from '../protocol/index.ts';

/**
 * A queue of signature checks in memory that threads share. One thread adds checks and takes their results; the others
 * run them. Whoever changes the state of a slot from `QUEUED` owns its check, so that each is run once. The positions
 * are numbers modulo 2^32, of which the number of slots is a divisor.
 */

/** Checks that are queued, or whose results were not used yet: a power of two. */
export const SIGNATURE_CHECKS_QUEUED_MAX = 1_024;
/** Milliseconds for which a result is awaited that a thread is computing, which takes less than a tenth of one. */
const SIGNATURE_RESULT_MS_MAX = 20;

/** Indexes of the control words: positions of the next added check, and of the next one to run. */
const ADDED = 0;
const BEGUN = 1;
/** Index of the state of the first slot. */
const STATES = 2;

/** States of a slot. */
const FREE = 0;
const QUEUED = 1;
const RUNNING = 2;
const DONE = 3;

const CONTROL_BYTES = 4 * (STATES + SIGNATURE_CHECKS_QUEUED_MAX);

/** Offsets in a slot: kind, three inputs of up to 32 bytes, or one and one of 64, and the result with its length. */
const KIND = 0;
const DIGEST = 1;
const SIGNATURE = DIGEST + 32;
const KEY = SIGNATURE + 64;
const RESULT_LENGTH = KEY + 32;
const RESULT = RESULT_LENGTH + 1;
const SLOT_BYTES = RESULT + 32;

const VERIFY = 0;
/** Kinds of recoveries, by the parity. */
const RECOVER = 1;

/** The result of a valid verification. */
const VALID = Uint8Array.of(1);
const NOTHING = new Uint8Array();

export class SignatureTable {
  readonly memory: SharedArrayBuffer;
  readonly #words: Int32Array;
  readonly #bytes: Uint8Array;

  /** @param memory of a table in another thread; absent: a new one */
  constructor(
    memory: SharedArrayBuffer = new SharedArrayBuffer(
      CONTROL_BYTES + SIGNATURE_CHECKS_QUEUED_MAX * SLOT_BYTES,
    ),
  ) {
    this.memory = memory;
    this.#words = new Int32Array(memory, 0, STATES + SIGNATURE_CHECKS_QUEUED_MAX);
    this.#bytes = new Uint8Array(memory, CONTROL_BYTES);
  }

  /** Adds a check in place of an old result, and returns its position; undefined if all others are unfinished. */
  add(check: SignatureCheck): number | undefined {
    const words = this.#words;
    const position = Atomics.load(words, ADDED) >>> 0;
    const slot = position % SIGNATURE_CHECKS_QUEUED_MAX;
    const state = Atomics.load(words, STATES + slot);
    if (state === QUEUED || state === RUNNING) return undefined;
    this.#write(slot * SLOT_BYTES, check);
    Atomics.store(words, STATES + slot, QUEUED);
    Atomics.store(words, ADDED, (position + 1) | 0);
    Atomics.notify(words, ADDED);
    return position;
  }

  /**
   * Takes the result of a check: one byte for a valid signature, an address, or no bytes for an invalid one. Waits for
   * a thread that is computing it. Undefined if none has begun it, or if later checks took its slot: the caller
   * computes it.
   */
  take(position: number): Uint8Array | undefined {
    const words = this.#words;
    const slot = position % SIGNATURE_CHECKS_QUEUED_MAX;
    const added = Atomics.load(words, ADDED) >>> 0;
    if ((added - position) >>> 0 > SIGNATURE_CHECKS_QUEUED_MAX) return undefined;
    if (Atomics.compareExchange(words, STATES + slot, QUEUED, FREE) === QUEUED) return undefined;
    Atomics.wait(words, STATES + slot, RUNNING, SIGNATURE_RESULT_MS_MAX);
    if (Atomics.compareExchange(words, STATES + slot, DONE, FREE) !== DONE) return undefined;
    const start = slot * SLOT_BYTES;
    return this.#bytes.slice(start + RESULT, start + RESULT + (this.#bytes[start + RESULT_LENGTH] ?? 0));
  }

  /** Waits for a check in another thread, and runs it. */
  runNext(): void {
    const words = this.#words;
    const position = Atomics.load(words, BEGUN);
    if (position === Atomics.load(words, ADDED)) {
      Atomics.wait(words, ADDED, position);
      return;
    }
    if (Atomics.compareExchange(words, BEGUN, position, (position + 1) | 0) !== position) return;
    const slot = (position >>> 0) % SIGNATURE_CHECKS_QUEUED_MAX;
    if (Atomics.compareExchange(words, STATES + slot, QUEUED, RUNNING) !== QUEUED) return;
    this.#run(slot * SLOT_BYTES);
    Atomics.store(words, STATES + slot, DONE);
    Atomics.notify(words, STATES + slot);
  }

  #write(start: number, check: SignatureCheck): void {
    const bytes = this.#bytes;
    bytes.set(check.digest, start + DIGEST);
    if (check.kind === 'verify') {
      bytes[start + KIND] = VERIFY;
      bytes.set(check.signature, start + SIGNATURE);
      bytes.set(check.key, start + KEY);
    } else {
      bytes[start + KIND] = RECOVER + check.yParity;
      bytes.set(check.r, start + SIGNATURE);
      bytes.set(check.s, start + SIGNATURE + 32);
    }
  }

  #run(start: number): void {
    // A copy: the libraries take no shared memory.
    const slot = this.#bytes.slice(start, start + SLOT_BYTES);
    const result = resultOf(slot);
    this.#bytes[start + RESULT_LENGTH] = result.length;
    this.#bytes.set(result, start + RESULT);
  }
}

function resultOf(slot: Uint8Array): Uint8Array {
  const kind = slot[KIND] ?? VERIFY;
  const digest = slot.subarray(DIGEST, SIGNATURE);
  const signature = slot.subarray(SIGNATURE, KEY);
  if (kind !== VERIFY) {
    const yParity = kind === RECOVER ? 0 : 1;
    return recoverAddress(digest, signature.subarray(0, 32), signature.subarray(32), yParity) ?? NOTHING;
  }
  const key = slot.subarray(KEY, RESULT_LENGTH);
  return verifySignature(toPublicKey(key), digest, toSignature(signature)) ? VALID : NOTHING;
}
