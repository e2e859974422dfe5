/** A contract that is part of the EVM's rules. */
export interface Precompile {
  /** As EIP-7910 names it. */
  readonly name: string;
  /**
   * The gas that a call with this input takes, whatever comes of it. It is found without allocating more than
   * the input holds, and may be far beyond any gas limit: pay it before `run`.
   */
  gas(input: Uint8Array): bigint;
  /**
   * The output, in bytes of its own; `undefined` for an input that the contract refuses, which takes all the
   * gas of the call. The input is only read. What takes long calls `checkTime` now and then, which may throw.
   */
  run(input: Uint8Array, checkTime?: () => void): Uint8Array | undefined;
}

const WORD_BYTES = 32;

/** The cost of contracts that charge by the word: `base`, and `perWord` for each 32 bytes begun. */
export function gasByWords(base: bigint, perWord: bigint, input: Uint8Array): bigint {
  return base + perWord * BigInt(Math.ceil(input.length / WORD_BYTES));
}

/**
 * The first `length` bytes of the input, which ends in as many zeros as the contract wants to read; a copy.
 */
export function paddedInput(input: Uint8Array, length: number): Uint8Array {
  const padded = new Uint8Array(length);
  padded.set(input.subarray(0, length));
  return padded;
}

/** A boolean as a word: 1 or 0. */
export function booleanWord(value: boolean): Uint8Array {
  const word = new Uint8Array(WORD_BYTES);
  word[WORD_BYTES - 1] = value ? 1 : 0;
  return word;
}
