/**
 * The compression function F of BLAKE2b with a given number of rounds (EIP-152, RFC 7693 section 3.2), piece by
 * piece: so the caller can stop in between, and a long run soon reaches the optimised code of this module.
 * The 16 words of the working vector live in locals while a piece runs; one round an iteration.
 *
 * `input` is the precompile's, 213 bytes: rounds (uint32, big endian), state h (8 words), message m (16 words),
 * offset counters t (2 words), final block flag (one byte, 0 or 1); words are little endian.
 */

/** Offsets in the 213 bytes of the precompile's input. */
const ROUNDS_BYTES: usize = 4;
const MESSAGE_OFFSET: usize = 64;
const COUNTER_OFFSET: usize = 192;
const FINAL_OFFSET: usize = 208;
/** One row of the schedule, and all ten. */
const ROW_BYTES: usize = 16;
const SCHEDULE_BYTES: usize = 160;

/** The fractional parts of the square roots of the first eight primes, as in SHA-512. */
const INITIAL_VALUE: usize = memory.data<u64>([
  0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
  0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
]);

/** Sigma, RFC 7693 section 2.7: the message words of each round; round 10 uses the first row again. */
const SCHEDULE: usize = memory.data<u8>([
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
  14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3,
  11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4,
  7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8,
  9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13,
  2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9,
  12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11,
  13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10,
  6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5,
  10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0,
]);

/** Word `index` of the state or of the initial value. */
// @ts-ignore: decorator
@inline
function wordAt(words: usize, index: usize): u64 {
  return load<u64>(words + (index << 3));
}

/** Returns the message word that `row` of the schedule names at `position`. */
// @ts-ignore: decorator
@inline
function scheduled(message: usize, row: usize, position: usize): u64 {
  return load<u64>(message + (<usize>load<u8>(row + position) << 3));
}

/** The working vector between the pieces. */
const VECTOR: usize = memory.data(16 << 3);

/** Sets word `index` of the working vector. */
// @ts-ignore: decorator
@inline
function keep(index: usize, word: u64): void {
  store<u64>(VECTOR + (index << 3), word);
}

/** Step of the mixing function: the difference of two words, rotated to the right. */
// @ts-ignore: decorator
@inline
function turn(first: u64, second: u64, bits: u64): u64 {
  return rotr<u64>(first ^ second, bits);
}

/** Sets the working vector up. */
export function beginBlake2f(input: usize): void {
  const state = input + ROUNDS_BYTES;
  memory.copy(VECTOR, state, 8 << 3);
  memory.copy(VECTOR + (8 << 3), INITIAL_VALUE, 8 << 3);
  keep(12, wordAt(VECTOR, 12) ^ load<u64>(state, COUNTER_OFFSET));
  keep(13, wordAt(VECTOR, 13) ^ load<u64>(state, COUNTER_OFFSET + 8));
  keep(14, wordAt(VECTOR, 14) ^ -<u64>load<u8>(state, FINAL_OFFSET));
}

/** Does so many rounds more; what was done before is a multiple of ten rounds. */
export function continueBlake2f(input: usize, rounds: u32): void {
  const message = input + ROUNDS_BYTES + MESSAGE_OFFSET;
  let row: usize = 0;
  let a0 = wordAt(VECTOR, 0), a1 = wordAt(VECTOR, 1), a2 = wordAt(VECTOR, 2), a3 = wordAt(VECTOR, 3);
  let b0 = wordAt(VECTOR, 4), b1 = wordAt(VECTOR, 5), b2 = wordAt(VECTOR, 6), b3 = wordAt(VECTOR, 7);
  let c0 = wordAt(VECTOR, 8), c1 = wordAt(VECTOR, 9), c2 = wordAt(VECTOR, 10), c3 = wordAt(VECTOR, 11);
  let d0 = wordAt(VECTOR, 12), d1 = wordAt(VECTOR, 13), d2 = wordAt(VECTOR, 14), d3 = wordAt(VECTOR, 15);
  for (; rounds != 0; rounds--) {
    const words = SCHEDULE + row;
    // Columns, first half and second half.
    a0 += b0 + scheduled(message, words, 0), a1 += b1 + scheduled(message, words, 2);
    a2 += b2 + scheduled(message, words, 4), a3 += b3 + scheduled(message, words, 6);
    d0 = turn(d0, a0, 32), d1 = turn(d1, a1, 32), d2 = turn(d2, a2, 32), d3 = turn(d3, a3, 32);
    c0 += d0, c1 += d1, c2 += d2, c3 += d3;
    b0 = turn(b0, c0, 24), b1 = turn(b1, c1, 24), b2 = turn(b2, c2, 24), b3 = turn(b3, c3, 24);
    a0 += b0 + scheduled(message, words, 1), a1 += b1 + scheduled(message, words, 3);
    a2 += b2 + scheduled(message, words, 5), a3 += b3 + scheduled(message, words, 7);
    d0 = turn(d0, a0, 16), d1 = turn(d1, a1, 16), d2 = turn(d2, a2, 16), d3 = turn(d3, a3, 16);
    c0 += d0, c1 += d1, c2 += d2, c3 += d3;
    b0 = turn(b0, c0, 63), b1 = turn(b1, c1, 63), b2 = turn(b2, c2, 63), b3 = turn(b3, c3, 63);
    // Diagonals: b, c and d are taken one, two and three columns to the right.
    a0 += b1 + scheduled(message, words, 8), a1 += b2 + scheduled(message, words, 10);
    a2 += b3 + scheduled(message, words, 12), a3 += b0 + scheduled(message, words, 14);
    d3 = turn(d3, a0, 32), d0 = turn(d0, a1, 32), d1 = turn(d1, a2, 32), d2 = turn(d2, a3, 32);
    c2 += d3, c3 += d0, c0 += d1, c1 += d2;
    b1 = turn(b1, c2, 24), b2 = turn(b2, c3, 24), b3 = turn(b3, c0, 24), b0 = turn(b0, c1, 24);
    a0 += b1 + scheduled(message, words, 9), a1 += b2 + scheduled(message, words, 11);
    a2 += b3 + scheduled(message, words, 13), a3 += b0 + scheduled(message, words, 15);
    d3 = turn(d3, a0, 16), d0 = turn(d0, a1, 16), d1 = turn(d1, a2, 16), d2 = turn(d2, a3, 16);
    c2 += d3, c3 += d0, c0 += d1, c1 += d2;
    b1 = turn(b1, c2, 63), b2 = turn(b2, c3, 63), b3 = turn(b3, c0, 63), b0 = turn(b0, c1, 63);
    row += ROW_BYTES;
    if (row == SCHEDULE_BYTES) row = 0;
  }
  keep(0, a0), keep(1, a1), keep(2, a2), keep(3, a3);
  keep(4, b0), keep(5, b1), keep(6, b2), keep(7, b3);
  keep(8, c0), keep(9, c1), keep(10, c2), keep(11, c3);
  keep(12, d0), keep(13, d1), keep(14, d2), keep(15, d3);
}

/** Writes the 64 bytes of the new state: the old one with both halves of the working vector added. */
export function endBlake2f(input: usize, output: usize): void {
  const state = input + ROUNDS_BYTES;
  for (let index: usize = 0; index < 8; index++) {
    const halves = wordAt(VECTOR, index) ^ wordAt(VECTOR, index + 8);
    store<u64>(output + (index << 3), wordAt(state, index) ^ halves);
  }
}
