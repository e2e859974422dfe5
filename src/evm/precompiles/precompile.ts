/** A precompiled contract. */
export interface Precompile {
  /** Name of EIP-7910. */
  readonly name: string;
  /**
   * Returns the gas of a call with this input, regardless of its outcome. Allocates at most the size of the input,
   * since it runs before the gas is paid.
   */
  gas(input: Uint8Array): bigint;
  /**
   * Returns the output in a new array; undefined for an invalid input, which consumes all gas of the call. Long runs
   * call `checkTime` regularly, which may throw.
   */
  run(input: Uint8Array, checkTime?: () => void): Uint8Array | undefined;
}

const WORD_BYTES = 32;

/** Returns the first `length` bytes of an input, padded with zeros. */
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
