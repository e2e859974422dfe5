import { type Hash, toHash } from '../bytes/bytes.ts';
import { invariant } from '../protocol-errors.ts';
import { HASH_BYTES, hashingModule, SCRATCH_OFFSET, scratchMemory } from './hashes.ts';

/** Bytes of an accumulator's state: 1,024 little-endian lanes of 16 bits. */
export const LATTICE_STATE_BYTES = 2_048;

const STATE_OFFSET = SCRATCH_OFFSET;
const STATE_END = STATE_OFFSET + LATTICE_STATE_BYTES;
/** Offset of the digest, or of the added or removed entry. */
const ENTRY_OFFSET = STATE_END;
const KEY_LENGTH_BYTES = 4;

/** An entry of a set before and after a change; undefined where it is not in the set. */
interface ChangedEntry {
  readonly key: Uint8Array;
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array | undefined;
}

/**
 * Applies changes to the set of an accumulator, whose state is read and written only once.
 *
 * @param state of an accumulator; absent: the empty set
 * @throws {InvariantError} for another length
 */
export function accumulateChanges(
  state: Uint8Array | undefined,
  changes: readonly ChangedEntry[],
): { readonly state: Uint8Array; readonly digest: Hash } {
  checkState(state);
  const memory = scratchMemory(LATTICE_STATE_BYTES);
  if (state === undefined) memory.fill(0, STATE_OFFSET, STATE_END);
  else memory.set(state, STATE_OFFSET);
  for (const { key, before, after } of changes) {
    if (before !== undefined) hashingModule.latticeRemove(STATE_OFFSET, ENTRY_OFFSET, loadEntry(key, before));
    if (after !== undefined) hashingModule.latticeAdd(STATE_OFFSET, ENTRY_OFFSET, loadEntry(key, after));
  }
  // An entry may have made the memory grow, which keeps its content.
  return {
    state: scratchMemory(LATTICE_STATE_BYTES).slice(STATE_OFFSET, STATE_END),
    digest: digestOfLoaded(),
  };
}

function checkState(state: Uint8Array | undefined): void {
  invariant(
    state === undefined || state.length === LATTICE_STATE_BYTES,
    `the state of a lattice accumulator has ${LATTICE_STATE_BYTES} bytes, not ${state?.length}`,
  );
}

/** Writes an encoded entry behind the state in the module's memory, and returns the entry's length. */
function loadEntry(key: Uint8Array, value: Uint8Array): number {
  const length = KEY_LENGTH_BYTES + key.length + value.length;
  const memory = scratchMemory(LATTICE_STATE_BYTES + length);
  for (let byte = 0; byte < KEY_LENGTH_BYTES; byte += 1) {
    memory[ENTRY_OFFSET + byte] = key.length >>> (8 * byte);
  }
  memory.set(key, ENTRY_OFFSET + KEY_LENGTH_BYTES);
  memory.set(value, ENTRY_OFFSET + KEY_LENGTH_BYTES + key.length);
  return length;
}

/** Returns BLAKE3 of the state in the module's memory. */
function digestOfLoaded(): Hash {
  const memory = scratchMemory(LATTICE_STATE_BYTES + HASH_BYTES);
  hashingModule.blake3(STATE_OFFSET, LATTICE_STATE_BYTES, ENTRY_OFFSET, HASH_BYTES);
  return toHash(memory.slice(ENTRY_OFFSET, ENTRY_OFFSET + HASH_BYTES));
}

/**
 * A commitment to a set of entries, updated in constant time: LtHash16 with 1,024 lanes over BLAKE3. It depends on the
 * entries alone, and not on their order.
 *
 * Each entry is expanded to 2,048 bytes by BLAKE3's extendable output, which are added to the state as 1,024 numbers
 * modulo 2^16. The expanded input is the key's length (uint32, little endian), the key, the value: the length
 * distinguishes `ab ‖ c` from `a ‖ bc`.
 */
export class LatticeAccumulator {
  readonly #state: Uint8Array;

  /** Continues from a copy of a `state()`, or from the empty set. @throws {InvariantError} for another length */
  constructor(state?: Uint8Array) {
    checkState(state);
    this.#state = new Uint8Array(LATTICE_STATE_BYTES);
    if (state !== undefined) this.#state.set(state);
  }

  /** Adds an entry. The same entry added twice counts twice. */
  add(key: Uint8Array, value: Uint8Array): void {
    const length = this.#load(key, value);
    hashingModule.latticeAdd(STATE_OFFSET, ENTRY_OFFSET, length);
    this.#save();
  }

  /** Removes an entry: the inverse of `add`, with the same bytes. */
  remove(key: Uint8Array, value: Uint8Array): void {
    const length = this.#load(key, value);
    hashingModule.latticeRemove(STATE_OFFSET, ENTRY_OFFSET, length);
    this.#save();
  }

  /** Returns a copy of the state: 2,048 bytes, little-endian lanes. All zeros for the empty set. */
  state(): Uint8Array {
    return this.#state.slice();
  }

  /** Returns the commitment: BLAKE3 of the state. */
  digest(): Hash {
    scratchMemory(LATTICE_STATE_BYTES).set(this.#state, STATE_OFFSET);
    return digestOfLoaded();
  }

  /** Writes the state and the encoded entry to the module's memory, and returns the entry's length. */
  #load(key: Uint8Array, value: Uint8Array): number {
    scratchMemory(LATTICE_STATE_BYTES).set(this.#state, STATE_OFFSET);
    return loadEntry(key, value);
  }

  /** Reads the state from the module's memory, which has not grown since `#load`. */
  #save(): void {
    this.#state.set(scratchMemory(LATTICE_STATE_BYTES).subarray(STATE_OFFSET, STATE_END));
  }
}
