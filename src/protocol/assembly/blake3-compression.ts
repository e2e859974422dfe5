/**
 * BLAKE3's compression function, twice: once for a chaining value, with the state's rows in vectors, and once for
 * output, with four blocks of the same node in the lanes of the vectors.
 *
 * Source: the BLAKE3 paper, sections 2.2 (compression) and 2.6 (extendable output).
 */

/** Bytes of a message block. */
export const BLOCK_BYTES: usize = 64;
/** Bytes of a chaining value. */
export const CHAINING_BYTES: usize = 32;
/** Bytes that `compressFour` writes: four blocks. */
export const FOUR_BLOCKS_BYTES: usize = 256;

const ROUND_BYTES: usize = 64;
/** 7 rounds of 16 message words. */
const SCHEDULE_BYTES: usize = 448;
const SCHEDULE_WORDS: usize = 112;

/** SHA-256's initial value: the first chaining value; its first four words are row c of every state. */
export const INITIAL_VALUE: usize = memory.data<u32>([
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
]);

/**
 * The message words of each round, as offsets in bytes into the block. A round's 16 words are ordered as the four half
 * mixes use them: first and second words of the columns, then of the diagonals. Each round permutes the words of the
 * one before.
 */
const SCHEDULE_OFFSETS: usize = memory.data<u8>([
  0, 8, 16, 24, 4, 12, 20, 28, 32, 40, 48, 56, 36, 44, 52, 60,
  8, 12, 28, 16, 24, 40, 0, 52, 4, 48, 36, 60, 44, 20, 56, 32,
  12, 40, 52, 28, 16, 48, 8, 56, 24, 36, 44, 32, 20, 0, 60, 4,
  40, 48, 56, 52, 28, 36, 12, 60, 16, 44, 20, 4, 0, 8, 32, 24,
  48, 36, 60, 56, 52, 44, 40, 32, 28, 20, 0, 24, 8, 12, 4, 16,
  36, 44, 32, 60, 56, 20, 48, 4, 52, 0, 8, 16, 12, 40, 24, 28,
  44, 20, 4, 32, 60, 0, 36, 24, 56, 8, 12, 28, 40, 48, 16, 52,
]);

/** The message words of the current block, for each round in the order of use. */
const SCHEDULE: usize = memory.data(448, 16);

/** Lays out the 64 bytes at `block` for the seven rounds; `compress` and `compressFour` then use them. */
export function scheduleBlock(block: usize): void {
  for (let word: usize = 0; word < SCHEDULE_WORDS; word++) {
    store<u32>(SCHEDULE + (word << 2), load<u32>(block + <usize>load<u8>(SCHEDULE_OFFSETS + word)));
  }
}

// @ts-ignore: decorator
@inline
function rotateRight16(vector: v128): v128 {
  return i8x16.shuffle(vector, vector, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13);
}

// @ts-ignore: decorator
@inline
function rotateRight12(vector: v128): v128 {
  return v128.or(i32x4.shr_u(vector, 12), i32x4.shl(vector, 20));
}

// @ts-ignore: decorator
@inline
function rotateRight8(vector: v128): v128 {
  return i8x16.shuffle(vector, vector, 1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12);
}

// @ts-ignore: decorator
@inline
function rotateRight7(vector: v128): v128 {
  return v128.or(i32x4.shr_u(vector, 7), i32x4.shl(vector, 25));
}

// @ts-ignore: decorator
@inline
function sum(first: v128, second: v128, third: v128): v128 {
  return i32x4.add(i32x4.add(first, second), third);
}

/**
 * Compresses the scheduled block into the chaining value (32 bytes at `chaining`), which it replaces. Lanes hold the
 * columns of the state; rotating rows brings the diagonals into the columns and back.
 */
export function compress(chaining: usize, counter: u64, blockLength: u32, flags: u32): void {
  let a = v128.load(chaining);
  let b = v128.load(chaining, 16);
  let c = v128.load(INITIAL_VALUE);
  let d = i32x4.splat(<u32>counter);
  d = i32x4.replace_lane(d, 1, <u32>(counter >> 32));
  d = i32x4.replace_lane(d, 2, blockLength);
  d = i32x4.replace_lane(d, 3, flags);
  for (let words = SCHEDULE, end = SCHEDULE + SCHEDULE_BYTES; words < end; words += ROUND_BYTES) {
    a = sum(a, b, v128.load(words));
    d = rotateRight16(v128.xor(d, a));
    c = i32x4.add(c, d);
    b = rotateRight12(v128.xor(b, c));
    a = sum(a, b, v128.load(words, 16));
    d = rotateRight8(v128.xor(d, a));
    c = i32x4.add(c, d);
    b = rotateRight7(v128.xor(b, c));
    b = v128.shuffle<u32>(b, b, 1, 2, 3, 0);
    c = v128.shuffle<u32>(c, c, 2, 3, 0, 1);
    d = v128.shuffle<u32>(d, d, 3, 0, 1, 2);
    a = sum(a, b, v128.load(words, 32));
    d = rotateRight16(v128.xor(d, a));
    c = i32x4.add(c, d);
    b = rotateRight12(v128.xor(b, c));
    a = sum(a, b, v128.load(words, 48));
    d = rotateRight8(v128.xor(d, a));
    c = i32x4.add(c, d);
    b = rotateRight7(v128.xor(b, c));
    b = v128.shuffle<u32>(b, b, 3, 0, 1, 2);
    c = v128.shuffle<u32>(c, c, 2, 3, 0, 1);
    d = v128.shuffle<u32>(d, d, 1, 2, 3, 0);
  }
  v128.store(chaining, v128.xor(a, c));
  v128.store(chaining, v128.xor(b, d), 16);
}

/** The message word at `offset` of a round, for all four lanes. */
// @ts-ignore: decorator
@inline
function word(words: usize, offset: usize): v128 {
  return v128.load_splat<u32>(words + offset);
}

/** Word `index` of the chaining value, for all four lanes. */
// @ts-ignore: decorator
@inline
function chained(chaining: usize, index: usize): v128 {
  return v128.load_splat<u32>(chaining + (index << 2));
}

/**
 * Writes four output blocks (256 bytes at `output`) of the node with the scheduled block and the chaining value at
 * `chaining`, for the counters `counter` to `counter + 3`, which must be below 2^32.
 */
export function compressFour(
  chaining: usize,
  counter: u32,
  blockLength: u32,
  flags: u32,
  output: usize,
): void {
  let a0 = chained(chaining, 0), a1 = chained(chaining, 1);
  let a2 = chained(chaining, 2), a3 = chained(chaining, 3);
  let b0 = chained(chaining, 4), b1 = chained(chaining, 5);
  let b2 = chained(chaining, 6), b3 = chained(chaining, 7);
  let c0 = chained(INITIAL_VALUE, 0), c1 = chained(INITIAL_VALUE, 1);
  let c2 = chained(INITIAL_VALUE, 2), c3 = chained(INITIAL_VALUE, 3);
  let d0 = i32x4.add(i32x4.splat(counter), i32x4(0, 1, 2, 3)), d1 = i32x4.splat(0);
  let d2 = i32x4.splat(blockLength), d3 = i32x4.splat(flags);
  for (let at = SCHEDULE, end = SCHEDULE + SCHEDULE_BYTES; at < end; at += ROUND_BYTES) {
    // Columns, first half and second half.
    a0 = sum(a0, b0, word(at, 0)), a1 = sum(a1, b1, word(at, 4));
    a2 = sum(a2, b2, word(at, 8)), a3 = sum(a3, b3, word(at, 12));
    d0 = rotateRight16(v128.xor(d0, a0)), d1 = rotateRight16(v128.xor(d1, a1));
    d2 = rotateRight16(v128.xor(d2, a2)), d3 = rotateRight16(v128.xor(d3, a3));
    c0 = i32x4.add(c0, d0), c1 = i32x4.add(c1, d1), c2 = i32x4.add(c2, d2), c3 = i32x4.add(c3, d3);
    b0 = rotateRight12(v128.xor(b0, c0)), b1 = rotateRight12(v128.xor(b1, c1));
    b2 = rotateRight12(v128.xor(b2, c2)), b3 = rotateRight12(v128.xor(b3, c3));
    a0 = sum(a0, b0, word(at, 16)), a1 = sum(a1, b1, word(at, 20));
    a2 = sum(a2, b2, word(at, 24)), a3 = sum(a3, b3, word(at, 28));
    d0 = rotateRight8(v128.xor(d0, a0)), d1 = rotateRight8(v128.xor(d1, a1));
    d2 = rotateRight8(v128.xor(d2, a2)), d3 = rotateRight8(v128.xor(d3, a3));
    c0 = i32x4.add(c0, d0), c1 = i32x4.add(c1, d1), c2 = i32x4.add(c2, d2), c3 = i32x4.add(c3, d3);
    b0 = rotateRight7(v128.xor(b0, c0)), b1 = rotateRight7(v128.xor(b1, c1));
    b2 = rotateRight7(v128.xor(b2, c2)), b3 = rotateRight7(v128.xor(b3, c3));
    // Diagonals: b, c and d are taken one, two and three columns to the right.
    a0 = sum(a0, b1, word(at, 32)), a1 = sum(a1, b2, word(at, 36));
    a2 = sum(a2, b3, word(at, 40)), a3 = sum(a3, b0, word(at, 44));
    d3 = rotateRight16(v128.xor(d3, a0)), d0 = rotateRight16(v128.xor(d0, a1));
    d1 = rotateRight16(v128.xor(d1, a2)), d2 = rotateRight16(v128.xor(d2, a3));
    c2 = i32x4.add(c2, d3), c3 = i32x4.add(c3, d0), c0 = i32x4.add(c0, d1), c1 = i32x4.add(c1, d2);
    b1 = rotateRight12(v128.xor(b1, c2)), b2 = rotateRight12(v128.xor(b2, c3));
    b3 = rotateRight12(v128.xor(b3, c0)), b0 = rotateRight12(v128.xor(b0, c1));
    a0 = sum(a0, b1, word(at, 48)), a1 = sum(a1, b2, word(at, 52));
    a2 = sum(a2, b3, word(at, 56)), a3 = sum(a3, b0, word(at, 60));
    d3 = rotateRight8(v128.xor(d3, a0)), d0 = rotateRight8(v128.xor(d0, a1));
    d1 = rotateRight8(v128.xor(d1, a2)), d2 = rotateRight8(v128.xor(d2, a3));
    c2 = i32x4.add(c2, d3), c3 = i32x4.add(c3, d0), c0 = i32x4.add(c0, d1), c1 = i32x4.add(c1, d2);
    b1 = rotateRight7(v128.xor(b1, c2)), b2 = rotateRight7(v128.xor(b2, c3));
    b3 = rotateRight7(v128.xor(b3, c0)), b0 = rotateRight7(v128.xor(b0, c1));
  }
  // An output block is the state's halves added, then the second half with the chaining value added.
  storeTransposed(output, v128.xor(a0, c0), v128.xor(a1, c1), v128.xor(a2, c2), v128.xor(a3, c3));
  storeTransposed(output + 16, v128.xor(b0, d0), v128.xor(b1, d1), v128.xor(b2, d2), v128.xor(b3, d3));
  storeTransposed(output + 32, v128.xor(c0, chained(chaining, 0)), v128.xor(c1, chained(chaining, 1)),
    v128.xor(c2, chained(chaining, 2)), v128.xor(c3, chained(chaining, 3)));
  storeTransposed(output + 48, v128.xor(d0, chained(chaining, 4)), v128.xor(d1, chained(chaining, 5)),
    v128.xor(d2, chained(chaining, 6)), v128.xor(d3, chained(chaining, 7)));
}

/** Writes lane n of the four words, side by side, into block n of the four at `output`. */
// @ts-ignore: decorator
@inline
function storeTransposed(output: usize, word0: v128, word1: v128, word2: v128, word3: v128): void {
  const low01 = v128.shuffle<u32>(word0, word1, 0, 4, 1, 5);
  const high01 = v128.shuffle<u32>(word0, word1, 2, 6, 3, 7);
  const low23 = v128.shuffle<u32>(word2, word3, 0, 4, 1, 5);
  const high23 = v128.shuffle<u32>(word2, word3, 2, 6, 3, 7);
  v128.store(output, v128.shuffle<u64>(low01, low23, 0, 2));
  v128.store(output, v128.shuffle<u64>(low01, low23, 1, 3), 64);
  v128.store(output, v128.shuffle<u64>(high01, high23, 0, 2), 128);
  v128.store(output, v128.shuffle<u64>(high01, high23, 1, 3), 192);
}
