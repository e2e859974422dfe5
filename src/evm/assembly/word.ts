/**
 * Words of the EVM: 256-bit integers of four little-endian 64-bit limbs, 32 bytes of linear memory. They are read limb
 * by limb, since a vector read soon after writes of its limbs stalls the processor (store forwarding). Functions take
 * pointers to operands and result. The result may be one of the operands: every function reads all of its input before
 * it writes. Words are either the same or do not overlap.
 */

export const WORD_BYTES: usize = 32;
/** Bits of a word: a shift by as many or more leaves only zeros or copies of the sign. */
const WORD_BITS: u64 = 256;

@inline
export function copyWord(result: usize, a: usize): void {
  storeLimbs(result, load<u64>(a), load<u64>(a, 8), load<u64>(a, 16), load<u64>(a, 24));
}

/** Maximum bytes that are copied and cleared here; for more, the call of a bulk memory instruction pays off. */
const SHORT_BYTES: usize = 256;

/** Copies bytes; source and target do not overlap. */
export function copyBytes(target: usize, source: usize, length: usize): void {
  if (length > SHORT_BYTES) {
    memory.copy(target, source, length);
    return;
  }
  let done: usize = 0;
  for (; done + WORD_BYTES <= length; done += WORD_BYTES) copyWord(target + done, source + done);
  for (; done + 8 <= length; done += 8) store<u64>(target + done, load<u64>(source + done));
  for (; done < length; done++) store<u8>(target + done, load<u8>(source + done));
}

/** Clears `bytes` bytes, a multiple of a word. */
export function clearWords(start: usize, bytes: usize): void {
  if (bytes > SHORT_BYTES) {
    memory.fill(start, 0, bytes);
    return;
  }
  for (let word = start; word < start + bytes; word += WORD_BYTES) clearWord(word);
}

@inline
export function clearWord(result: usize): void {
  v128.store(result, i64x2.splat(0));
  v128.store(result, i64x2.splat(0), 16);
}

@inline
export function setWord(result: usize, value: u64): void {
  storeLimbs(result, value, 0, 0, 0);
}

/** Stores the four limbs of a word, the least significant first. */
@inline
export function storeLimbs(result: usize, limb0: u64, limb1: u64, limb2: u64, limb3: u64): void {
  store<u64>(result, limb0);
  store<u64>(result, limb1, 8);
  store<u64>(result, limb2, 16);
  store<u64>(result, limb3, 24);
}

/** Converts a word to 32 big-endian bytes, or such bytes to a word. Neither has to be aligned. */
@inline
export function reverseBytes(result: usize, source: usize): void {
  storeReversed(result, v128.load(source), v128.load(source, 16));
}

/** Does the same for a word with limbs that may just have been written. */
@inline
export function reverseLimbs(result: usize, source: usize): void {
  const low = v128.load64_lane(source, v128.load64_zero(source), 1, 8);
  const high = v128.load64_lane(source, v128.load64_zero(source, 16), 1, 24);
  storeReversed(result, low, high);
}

@inline
function storeReversed(result: usize, low: v128, high: v128): void {
  v128.store(result, i8x16.shuffle(high, high, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
  v128.store(result, i8x16.shuffle(low, low, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0), 16);
}

@inline
export function isZero(a: usize): bool {
  return (load<u64>(a) | load<u64>(a, 8) | load<u64>(a, 16) | load<u64>(a, 24)) == 0;
}

/** True if a word is less than 2^64, so that its first limb is its value. */
@inline
export function fitsLimb(a: usize): bool {
  return (load<u64>(a, 8) | load<u64>(a, 16) | load<u64>(a, 24)) == 0;
}

/** True if a word is negative as a two's complement number. */
@inline
export function isNegative(a: usize): bool {
  return load<i64>(a, 24) < 0;
}

@inline
export function equals(a: usize, b: usize): bool {
  const low = (load<u64>(a) ^ load<u64>(b)) | (load<u64>(a, 8) ^ load<u64>(b, 8));
  return (low | (load<u64>(a, 16) ^ load<u64>(b, 16)) | (load<u64>(a, 24) ^ load<u64>(b, 24))) == 0;
}

/** True if a < b, both unsigned. */
@inline
export function lessThan(a: usize, b: usize): bool {
  return load<u64>(a, 24) == load<u64>(b, 24)
    ? lowerLimbsLess(a, b)
    : load<u64>(a, 24) < load<u64>(b, 24);
}

/** True if a < b, both as two's complement numbers: only the highest limbs have a sign. */
@inline
export function signedLessThan(a: usize, b: usize): bool {
  return load<u64>(a, 24) == load<u64>(b, 24)
    ? lowerLimbsLess(a, b)
    : load<i64>(a, 24) < load<i64>(b, 24);
}

/** Compares the three lower limbs, for words with equal highest limbs. */
@inline
function lowerLimbsLess(a: usize, b: usize): bool {
  return load<u64>(a, 16) == load<u64>(b, 16)
    ? (load<u64>(a, 8) == load<u64>(b, 8) ? load<u64>(a) < load<u64>(b) : load<u64>(a, 8) < load<u64>(b, 8))
    : load<u64>(a, 16) < load<u64>(b, 16);
}

/** Counts the significant bytes: 0 for zero, 32 from 2^248 on. */
export function bytesOf(a: usize): u32 {
  for (let size: usize = WORD_BYTES; size; size -= 8) {
    const limb = load<u64>(a + size - 8);
    if (limb) return <u32>size - (<u32>clz<u64>(limb) >> 3);
  }
  return 0;
}

/** Counts the zero bits above the highest set one: 256 for zero. */
export function leadingZeroBits(a: usize): u64 {
  let zeros: u64 = 0;
  for (let offset: usize = WORD_BYTES; offset; offset -= 8) {
    const limb = load<u64>(a + offset - 8);
    if (limb) return zeros + clz<u64>(limb);
    zeros += 64;
  }
  return zeros;
}

@inline
export function bitwiseAnd(result: usize, a: usize, b: usize): void {
  const limb0 = load<u64>(a) & load<u64>(b);
  const limb1 = load<u64>(a, 8) & load<u64>(b, 8);
  const limb2 = load<u64>(a, 16) & load<u64>(b, 16);
  const limb3 = load<u64>(a, 24) & load<u64>(b, 24);
  storeLimbs(result, limb0, limb1, limb2, limb3);
}

@inline
export function bitwiseOr(result: usize, a: usize, b: usize): void {
  const limb0 = load<u64>(a) | load<u64>(b);
  const limb1 = load<u64>(a, 8) | load<u64>(b, 8);
  const limb2 = load<u64>(a, 16) | load<u64>(b, 16);
  const limb3 = load<u64>(a, 24) | load<u64>(b, 24);
  storeLimbs(result, limb0, limb1, limb2, limb3);
}

@inline
export function bitwiseXor(result: usize, a: usize, b: usize): void {
  const limb0 = load<u64>(a) ^ load<u64>(b);
  const limb1 = load<u64>(a, 8) ^ load<u64>(b, 8);
  const limb2 = load<u64>(a, 16) ^ load<u64>(b, 16);
  const limb3 = load<u64>(a, 24) ^ load<u64>(b, 24);
  storeLimbs(result, limb0, limb1, limb2, limb3);
}

@inline
export function bitwiseNot(result: usize, a: usize): void {
  storeLimbs(result, ~load<u64>(a), ~load<u64>(a, 8), ~load<u64>(a, 16), ~load<u64>(a, 24));
}

/** a + b mod 2^256. */
@inline
export function add(result: usize, a: usize, b: usize): void {
  addWithCarry(result, a, b);
}

/** a + b mod 2^256; returns the carry out of the highest limb, 0 or 1. */
@inline
export function addWithCarry(result: usize, a: usize, b: usize): u64 {
  const a0 = load<u64>(a);
  const a1 = load<u64>(a, 8);
  const a2 = load<u64>(a, 16);
  const a3 = load<u64>(a, 24);
  const sum0 = a0 + load<u64>(b);
  const half1 = a1 + load<u64>(b, 8);
  const half2 = a2 + load<u64>(b, 16);
  const half3 = a3 + load<u64>(b, 24);
  const sum1 = half1 + u64(sum0 < a0);
  const sum2 = half2 + (u64(half1 < a1) | u64(sum1 < half1));
  const sum3 = half3 + (u64(half2 < a2) | u64(sum2 < half2));
  storeLimbs(result, sum0, sum1, sum2, sum3);
  return u64(half3 < a3) | u64(sum3 < half3);
}

/** a - b mod 2^256. */
@inline
export function subtract(result: usize, a: usize, b: usize): void {
  const a0 = load<u64>(a);
  const a1 = load<u64>(a, 8);
  const a2 = load<u64>(a, 16);
  const b0 = load<u64>(b);
  const b1 = load<u64>(b, 8);
  const b2 = load<u64>(b, 16);
  const half1 = a1 - b1;
  const half2 = a2 - b2;
  const half3 = load<u64>(a, 24) - load<u64>(b, 24);
  const borrow0 = u64(a0 < b0);
  const borrow1 = u64(a1 < b1) | u64(half1 < borrow0);
  const borrow2 = u64(a2 < b2) | u64(half2 < borrow1);
  storeLimbs(result, a0 - b0, half1 - borrow0, half2 - borrow1, half3 - borrow2);
}

@inline
export function addLimb(a: usize, limb: u64): void {
  const limb0 = load<u64>(a) + limb;
  store<u64>(a, limb0);
  if (limb0 >= limb) return;
  const limb1 = load<u64>(a, 8) + 1;
  store<u64>(a, limb1, 8);
  if (limb1) return;
  const limb2 = load<u64>(a, 16) + 1;
  store<u64>(a, limb2, 16);
  if (!limb2) store<u64>(a, load<u64>(a, 24) + 1, 24);
}

@inline
export function subtractLimb(a: usize, limb: u64): void {
  const limb0 = load<u64>(a);
  store<u64>(a, limb0 - limb);
  if (limb0 >= limb) return;
  const limb1 = load<u64>(a, 8);
  store<u64>(a, limb1 - 1, 8);
  if (limb1) return;
  const limb2 = load<u64>(a, 16);
  store<u64>(a, limb2 - 1, 16);
  if (!limb2) store<u64>(a, load<u64>(a, 24) - 1, 24);
}

/** -a mod 2^256. */
export function negate(result: usize, a: usize): void {
  const a0 = load<u64>(a);
  const a1 = load<u64>(a, 8);
  const a2 = load<u64>(a, 16);
  const borrow1 = u64(a0 != 0);
  const borrow2 = u64((a0 | a1) != 0);
  const borrow3 = u64((a0 | a1 | a2) != 0);
  storeLimbs(result, 0 - a0, 0 - a1 - borrow1, 0 - a2 - borrow2, 0 - load<u64>(a, 24) - borrow3);
}

/** value << shift; zero from a shift of 256 bits on (EIP-145). */
export function shiftLeft(result: usize, shift: usize, value: usize): void {
  if (!fitsLimb(shift) || load<u64>(shift) >= WORD_BITS) {
    clearWord(result);
    return;
  }
  shiftLeftBy(result, load<u64>(shift), value);
}

/** value << bits, less than 256. */
@inline
export function shiftLeftBy(result: usize, bits: u64, value: usize): void {
  const byTwo = (bits & 128) != 0;
  const byOne = (bits & 64) != 0;
  const value0 = load<u64>(value);
  const value1 = load<u64>(value, 8);
  const half1 = select<u64>(0, value1, byTwo);
  const half0 = select<u64>(0, value0, byTwo);
  const half3 = select<u64>(value1, load<u64>(value, 24), byTwo);
  const half2 = select<u64>(value0, load<u64>(value, 16), byTwo);
  const limb3 = select<u64>(half2, half3, byOne);
  const limb2 = select<u64>(half1, half2, byOne);
  const limb1 = select<u64>(half0, half1, byOne);
  const limb0 = select<u64>(0, half0, byOne);
  const rest = bits & 63;
  storeLimbs(
    result,
    limb0 << rest,
    joinLimbs(limb0, limb1, 63 - rest, 1),
    joinLimbs(limb1, limb2, 63 - rest, 1),
    joinLimbs(limb2, limb3, 63 - rest, 1),
  );
}

/** value >> shift, unsigned; zero from a shift of 256 bits on (EIP-145). */
export function shiftRight(result: usize, shift: usize, value: usize): void {
  if (!fitsLimb(shift) || load<u64>(shift) >= WORD_BITS) {
    clearWord(result);
    return;
  }
  shiftRightFilled(result, load<u64>(shift), value, 0);
}

/** value >> bits, less than 256, unsigned. */
@inline
export function shiftRightBy(result: usize, bits: u64, value: usize): void {
  shiftRightFilled(result, bits, value, 0);
}

/** value >> shift, filled with the sign; only the sign is left from a shift of 256 bits on (EIP-145). */
export function shiftRightArithmetic(result: usize, shift: usize, value: usize): void {
  const sign = <u64>(load<i64>(value, 24) >> 63);
  if (!fitsLimb(shift) || load<u64>(shift) >= WORD_BITS) {
    storeLimbs(result, sign, sign, sign, sign);
    return;
  }
  shiftRightFilled(result, load<u64>(shift), value, sign);
}

/**
 * value >> bits (less than 256), filled with the bits of `fill` from above: first whole limbs, by 128 and by 64 bits,
 * without a branch because shift amounts are hard to predict, then the rest.
 */
@inline
function shiftRightFilled(result: usize, bits: u64, value: usize, fill: u64): void {
  const byTwo = (bits & 128) != 0;
  const byOne = (bits & 64) != 0;
  const value2 = load<u64>(value, 16);
  const value3 = load<u64>(value, 24);
  const half0 = select<u64>(value2, load<u64>(value), byTwo);
  const half1 = select<u64>(value3, load<u64>(value, 8), byTwo);
  const half2 = select<u64>(fill, value2, byTwo);
  const half3 = select<u64>(fill, value3, byTwo);
  const limb0 = select<u64>(half1, half0, byOne);
  const limb1 = select<u64>(half2, half1, byOne);
  const limb2 = select<u64>(half3, half2, byOne);
  const limb3 = select<u64>(fill, half3, byOne);
  const rest = bits & 63;
  storeLimbs(
    result,
    joinLimbs(limb0, limb1, rest, 0),
    joinLimbs(limb1, limb2, rest, 0),
    joinLimbs(limb2, limb3, rest, 0),
    joinLimbs(limb3, fill, rest, 0),
  );
}

/**
 * Returns 64 of the 128 bits of two neighbouring limbs, from bit `lowShift + extra` on. Each shift is done in two
 * steps, so that none is by 64, which would be a shift by 0.
 */
@inline
function joinLimbs(low: u64, high: u64, lowShift: u64, extra: u64): u64 {
  return ((low >> lowShift) >> extra) | ((high << (63 - lowShift)) << (1 - extra));
}

/** Extends the sign of the byte `index` (0 is the least significant one) over all higher bytes. */
export function signExtend(result: usize, index: usize, value: usize): void {
  const byteIndex = load<u64>(index);
  const isWhole = !fitsLimb(index) || byteIndex >= 31;
  copyWord(result, value);
  if (isWhole) return;
  const offset = <usize>byteIndex & 24;
  const unused = (7 - (byteIndex & 7)) << 3;
  const limb = (load<i64>(result + offset) << unused) >> unused;
  store<i64>(result + offset, limb);
  const end = result + WORD_BYTES;
  for (let position = result + offset + 8; position < end; position += 8) store<i64>(position, limb >> 63);
}

/** Writes the byte `index` of a word, counted from the most significant one; zero beyond the word. */
export function byteAt(result: usize, index: usize, value: usize): void {
  const byteIndex = load<u64>(index);
  const isInside = fitsLimb(index) && byteIndex < WORD_BYTES;
  setWord(result, isInside ? load<u8>(value + WORD_BYTES - 1 - <usize>byteIndex) : 0);
}
