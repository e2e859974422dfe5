/** A contract that is part of the EVM's rules. */
export interface Precompile {
  /** As EIP-7910 names it. */
  readonly name: string;
  /**
   * Returns the gas that a call with this input takes, whatever its outcome. Allocates no more than the input
   * holds. The gas may be far beyond any gas limit: it is paid before `run`.
   */
  gas(input: Uint8Array): bigint;
  /**
   * Returns the output in a new array; undefined for an input that the contract refuses, which takes all the
   * gas of the call. Long runs call `checkTime` now and then, which may throw.
   */
  run(input: Uint8Array, checkTime?: () => void): Uint8Array | undefined;
}

const WORD_BYTES = 32;

/** Copies the first `length` bytes of an input that is taken to go on with zeros. */
export function paddedInput(input: Uint8Array, length: number): Uint8Array {
  const padded = new Uint8Array(length);
  padded.set(input.subarray(0, length));
  return padded;
}

/** Returns 1 or 0 as a word. */
export function booleanWord(value: boolean): Uint8Array {
  const word = new Uint8Array(WORD_BYTES);
  word[WORD_BYTES - 1] = value ? 1 : 0;
  return word;
}
