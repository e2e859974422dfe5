/**
 * Bytes without a pattern that a wrong offset would leave unchanged; the same for the same length and seed.
 */
export function patternBytes(length: number, seed = 1): Uint8Array {
  const bytes = new Uint8Array(length);
  let word = (seed * 2_654_435_761 + length) >>> 0;
  for (let index = 0; index < length; index += 1) {
    word = (Math.imul(word, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[index] = word >>> 24;
  }
  return bytes;
}

/** Every length up to 600, and those about the blocks and chunks of the hashes. */
export const HASHED_LENGTHS: readonly number[] = [
  ...Array.from({ length: 601 }, (_, length) => length),
  ...[
    1_023, 1_024, 1_025, 2_047, 2_048, 2_049, 3_072, 3_073, 4_096, 4_097, 5_120, 7_168, 7_169, 8_192, 8_193,
  ],
  ...[15_360, 16_385, 24_576, 31_744, 100_000],
];
