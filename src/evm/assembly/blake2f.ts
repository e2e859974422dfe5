/**
 * The compression function F of BLAKE2b with a given number of rounds (EIP-152, RFC 7693 section 3.2), in pieces, so
 * that the caller can stop in between and a long run soon uses V8's optimised code. The 16 words of the working vector
 * are locals within a piece.
 *
 * `input` is that of the precompiled contract, 213 bytes: rounds (uint32, big endian), state h (8 words), message m (16
 * words), offset counters t (2 words), final block flag (one byte, 0 or 1); words are little endian.
 */

/** Offsets in the input. */
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

/** Returns word `index` of the state or of the initial value. */
@inline
function wordAt(words: usize, index: usize): u64 {
  return load<u64>(words + (index << 3));
}

/** Returns the message word that `row` of the schedule names at `position`. */
@inline
function scheduled(message: usize, row: usize, position: usize): u64 {
  return load<u64>(message + (<usize>load<u8>(row + position) << 3));
}

/** The working vector between the pieces. */
const VECTOR: usize = memory.data(16 << 3);

/** Sets word `index` of the working vector. */
@inline
function setVector(index: usize, word: u64): void {
  store<u64>(VECTOR + (index << 3), word);
}

/** Step of the mixing function: the exclusive or of two words, rotated to the right. */
@inline
function xorRotate(first: u64, second: u64, bits: u64): u64 {
  return rotr<u64>(first ^ second, bits);
}

/** Initialises the working vector. */
export function beginBlake2f(input: usize): void {
  const state = input + ROUNDS_BYTES;
  memory.copy(VECTOR, state, 8 << 3);
  memory.copy(VECTOR + (8 << 3), INITIAL_VALUE, 8 << 3);
  setVector(12, wordAt(VECTOR, 12) ^ load<u64>(state, COUNTER_OFFSET));
  setVector(13, wordAt(VECTOR, 13) ^ load<u64>(state, COUNTER_OFFSET + 8));
  setVector(14, wordAt(VECTOR, 14) ^ -<u64>load<u8>(state, FINAL_OFFSET));
}

/** Runs `rounds` more rounds; the rounds before are a multiple of ten. */
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
    d0 = xorRotate(d0, a0, 32), d1 = xorRotate(d1, a1, 32), d2 = xorRotate(d2, a2, 32), d3 = xorRotate(d3, a3, 32);
    c0 += d0, c1 += d1, c2 += d2, c3 += d3;
    b0 = xorRotate(b0, c0, 24), b1 = xorRotate(b1, c1, 24), b2 = xorRotate(b2, c2, 24), b3 = xorRotate(b3, c3, 24);
    a0 += b0 + scheduled(message, words, 1), a1 += b1 + scheduled(message, words, 3);
    a2 += b2 + scheduled(message, words, 5), a3 += b3 + scheduled(message, words, 7);
    d0 = xorRotate(d0, a0, 16), d1 = xorRotate(d1, a1, 16), d2 = xorRotate(d2, a2, 16), d3 = xorRotate(d3, a3, 16);
    c0 += d0, c1 += d1, c2 += d2, c3 += d3;
    b0 = xorRotate(b0, c0, 63), b1 = xorRotate(b1, c1, 63), b2 = xorRotate(b2, c2, 63), b3 = xorRotate(b3, c3, 63);
    // Diagonals: b, c and d are shifted one, two and three columns.
    a0 += b1 + scheduled(message, words, 8), a1 += b2 + scheduled(message, words, 10);
    a2 += b3 + scheduled(message, words, 12), a3 += b0 + scheduled(message, words, 14);
    d3 = xorRotate(d3, a0, 32), d0 = xorRotate(d0, a1, 32), d1 = xorRotate(d1, a2, 32), d2 = xorRotate(d2, a3, 32);
    c2 += d3, c3 += d0, c0 += d1, c1 += d2;
    b1 = xorRotate(b1, c2, 24), b2 = xorRotate(b2, c3, 24), b3 = xorRotate(b3, c0, 24), b0 = xorRotate(b0, c1, 24);
    a0 += b1 + scheduled(message, words, 9), a1 += b2 + scheduled(message, words, 11);
    a2 += b3 + scheduled(message, words, 13), a3 += b0 + scheduled(message, words, 15);
    d3 = xorRotate(d3, a0, 16), d0 = xorRotate(d0, a1, 16), d1 = xorRotate(d1, a2, 16), d2 = xorRotate(d2, a3, 16);
    c2 += d3, c3 += d0, c0 += d1, c1 += d2;
    b1 = xorRotate(b1, c2, 63), b2 = xorRotate(b2, c3, 63), b3 = xorRotate(b3, c0, 63), b0 = xorRotate(b0, c1, 63);
    row += ROW_BYTES;
    if (row == SCHEDULE_BYTES) row = 0;
  }
  setVector(0, a0), setVector(1, a1), setVector(2, a2), setVector(3, a3);
  setVector(4, b0), setVector(5, b1), setVector(6, b2), setVector(7, b3);
  setVector(8, c0), setVector(9, c1), setVector(10, c2), setVector(11, c3);
  setVector(12, d0), setVector(13, d1), setVector(14, d2), setVector(15, d3);
}

/** Writes the 64 bytes of the new state: the old one with both halves of the working vector added. */
export function endBlake2f(input: usize, output: usize): void {
  const state = input + ROUNDS_BYTES;
  for (let index: usize = 0; index < 8; index++) {
    const halves = wordAt(VECTOR, index) ^ wordAt(VECTOR, index + 8);
    store<u64>(output + (index << 3), wordAt(state, index) ^ halves);
  }
}
