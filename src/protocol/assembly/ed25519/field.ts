/**
 * The field of the integers modulo p = 2^255 - 19.
 *
 * An element consists of ten signed limbs of 32 bits. Limb i has the weight 2^ceil(25.5 i), so that even limbs have 26
 * bits and odd ones 25. Wasm has only the lower 64 bits of a product, and sums of products of such limbs, also times
 * 19, fit them without a carry. It is the form of Bernstein, "Curve25519: new Diffie-Hellman speed records" (2006), in
 * the 32-bit integers of SUPERCOP's ref10. Nine limbs of 29 bits, and vectors that compute two products at once (of
 * integers or floating-point numbers), were measured and are not faster.
 *
 * Bounds: an element is *reduced* if the absolute values of its even limbs are within 1.01 * 2^25 and of its odd ones
 * within 1.01 * 2^24. Results of `multiply`, `square` and `carry` are reduced. `add`, `subtract` and `negate` do not
 * carry, so that the bounds of their arguments add up. The factors of a product may have m and n times the bounds of a
 * reduced element if m n <= 32: the greatest column is below 2^50 (1 + 19 (4 + 2.5)) 1.01^2 * 32 < 2^62.
 *
 * No function branches on the values or accesses an address that depends on them. Arguments and results may be the same
 * element.
 */

import { FIELD_SCRATCH } from './scratch';

/** Bytes of an element in memory. */
export const ELEMENT_BYTES: usize = 40;

const LOW_26_BITS: u64 = 0x3ffffff;
const LOW_25_BITS: u64 = 0x1ffffff;

/** Returns limb `index` of an element, as 64 bits. */
// @ts-ignore: decorator
@inline
function limb(element: usize, index: usize): i64 {
  return <i64>load<i32>(element + (index << 2));
}

// @ts-ignore: decorator
@inline
function setLimb(element: usize, index: usize, value: i64): void {
  store<i32>(element + (index << 2), <i32>value);
}

/** Returns the carry of a limb of `bits` bits that keeps the remainder nearest to zero. */
// @ts-ignore: decorator
@inline
function excess(value: i64, bits: i64): i64 {
  return (value + (<i64>1 << (bits - 1))) >> bits;
}

/**
 * Writes a reduced element from ten columns, each within 2^62. Two carry chains run in parallel, from column 0 and from
 * column 4. The carry of column 9 has the weight 2^255, which equals 19 in column 0.
 */
// @ts-ignore: decorator
@inline
function storeCarried(
  out: usize, h0: i64, h1: i64, h2: i64, h3: i64, h4: i64, h5: i64, h6: i64, h7: i64, h8: i64, h9: i64,
): void {
  let c: i64;
  c = excess(h0, 26), h0 -= c << 26, h1 += c;
  c = excess(h4, 26), h4 -= c << 26, h5 += c;
  c = excess(h1, 25), h1 -= c << 25, h2 += c;
  c = excess(h5, 25), h5 -= c << 25, h6 += c;
  c = excess(h2, 26), h2 -= c << 26, h3 += c;
  c = excess(h6, 26), h6 -= c << 26, h7 += c;
  c = excess(h3, 25), h3 -= c << 25, h4 += c;
  c = excess(h7, 25), h7 -= c << 25, h8 += c;
  c = excess(h4, 26), h4 -= c << 26, h5 += c;
  c = excess(h8, 26), h8 -= c << 26, h9 += c;
  c = excess(h9, 25), h9 -= c << 25, h0 += c * 19;
  c = excess(h0, 26), h0 -= c << 26, h1 += c;
  setLimb(out, 0, h0), setLimb(out, 1, h1);
  setLimb(out, 2, h2), setLimb(out, 3, h3);
  setLimb(out, 4, h4), setLimb(out, 5, h5);
  setLimb(out, 6, h6), setLimb(out, 7, h7);
  setLimb(out, 8, h8), setLimb(out, 9, h9);
}

/**
 * Writes the reduced product of two elements. Column i sums the products of weight 2^ceil(25.5 i): twice the product of
 * two odd limbs, and 19 times the products of weight 2^255 and more.
 */
export function multiply(out: usize, a: usize, b: usize): void {
  const a0 = limb(a, 0), a1 = limb(a, 1), a2 = limb(a, 2), a3 = limb(a, 3), a4 = limb(a, 4), a5 = limb(a, 5);
  const a6 = limb(a, 6), a7 = limb(a, 7), a8 = limb(a, 8), a9 = limb(a, 9);
  const b0 = limb(b, 0), b1 = limb(b, 1), b2 = limb(b, 2), b3 = limb(b, 3), b4 = limb(b, 4), b5 = limb(b, 5);
  const b6 = limb(b, 6), b7 = limb(b, 7), b8 = limb(b, 8), b9 = limb(b, 9);
  const d1 = a1 * 2, d3 = a3 * 2, d5 = a5 * 2, d7 = a7 * 2, d9 = a9 * 2;
  const n1 = b1 * 19, n2 = b2 * 19, n3 = b3 * 19, n4 = b4 * 19, n5 = b5 * 19, n6 = b6 * 19, n7 = b7 * 19;
  const n8 = b8 * 19, n9 = b9 * 19;
  const h0 = a0 * b0 + d1 * n9 + a2 * n8 + d3 * n7 + a4 * n6 +
    d5 * n5 + a6 * n4 + d7 * n3 + a8 * n2 + d9 * n1;
  const h1 = a0 * b1 + a1 * b0 + a2 * n9 + a3 * n8 + a4 * n7 +
    a5 * n6 + a6 * n5 + a7 * n4 + a8 * n3 + a9 * n2;
  const h2 = a0 * b2 + d1 * b1 + a2 * b0 + d3 * n9 + a4 * n8 +
    d5 * n7 + a6 * n6 + d7 * n5 + a8 * n4 + d9 * n3;
  const h3 = a0 * b3 + a1 * b2 + a2 * b1 + a3 * b0 + a4 * n9 +
    a5 * n8 + a6 * n7 + a7 * n6 + a8 * n5 + a9 * n4;
  const h4 = a0 * b4 + d1 * b3 + a2 * b2 + d3 * b1 + a4 * b0 +
    d5 * n9 + a6 * n8 + d7 * n7 + a8 * n6 + d9 * n5;
  const h5 = a0 * b5 + a1 * b4 + a2 * b3 + a3 * b2 + a4 * b1 +
    a5 * b0 + a6 * n9 + a7 * n8 + a8 * n7 + a9 * n6;
  const h6 = a0 * b6 + d1 * b5 + a2 * b4 + d3 * b3 + a4 * b2 +
    d5 * b1 + a6 * b0 + d7 * n9 + a8 * n8 + d9 * n7;
  const h7 = a0 * b7 + a1 * b6 + a2 * b5 + a3 * b4 + a4 * b3 +
    a5 * b2 + a6 * b1 + a7 * b0 + a8 * n9 + a9 * n8;
  const h8 = a0 * b8 + d1 * b7 + a2 * b6 + d3 * b5 + a4 * b4 +
    d5 * b3 + a6 * b2 + d7 * b1 + a8 * b0 + d9 * n9;
  const h9 = a0 * b9 + a1 * b8 + a2 * b7 + a3 * b6 + a4 * b5 +
    a5 * b4 + a6 * b3 + a7 * b2 + a8 * b1 + a9 * b0;
  storeCarried(out, h0, h1, h2, h3, h4, h5, h6, h7, h8, h9);
}

/** Writes the reduced square of an element: like the product, with each pair of different limbs multiplied once. */
export function square(out: usize, a: usize): void {
  const a0 = limb(a, 0), a1 = limb(a, 1), a2 = limb(a, 2), a3 = limb(a, 3), a4 = limb(a, 4), a5 = limb(a, 5);
  const a6 = limb(a, 6), a7 = limb(a, 7), a8 = limb(a, 8), a9 = limb(a, 9);
  const d0 = a0 * 2, d1 = a1 * 2, d2 = a2 * 2, d3 = a3 * 2, d4 = a4 * 2, d5 = a5 * 2, d6 = a6 * 2;
  const d7 = a7 * 2, d8 = a8 * 2;
  const n5 = a5 * 38, n6 = a6 * 19, n7 = a7 * 38, n8 = a8 * 19, n9 = a9 * 38;
  const h0 = a0 * a0 + d1 * n9 + d2 * n8 + d3 * n7 + d4 * n6 + a5 * n5;
  const h1 = d0 * a1 + a2 * n9 + d3 * n8 + a4 * n7 + d5 * n6;
  const h2 = d0 * a2 + d1 * a1 + d3 * n9 + d4 * n8 + d5 * n7 + a6 * n6;
  const h3 = d0 * a3 + d1 * a2 + a4 * n9 + d5 * n8 + a6 * n7;
  const h4 = d0 * a4 + d1 * d3 + a2 * a2 + d5 * n9 + d6 * n8 + a7 * n7;
  const h5 = d0 * a5 + d1 * a4 + d2 * a3 + a6 * n9 + d7 * n8;
  const h6 = d0 * a6 + d1 * d5 + d2 * a4 + d3 * a3 + d7 * n9 + a8 * n8;
  const h7 = d0 * a7 + d1 * a6 + d2 * a5 + d3 * a4 + a8 * n9;
  const h8 = d0 * a8 + d1 * d7 + d2 * a6 + d3 * d5 + a4 * a4 + a9 * n9;
  const h9 = d0 * a9 + d1 * a8 + d2 * a7 + d3 * a6 + d4 * a5;
  storeCarried(out, h0, h1, h2, h3, h4, h5, h6, h7, h8, h9);
}

/** Reduces an element with limbs of any size. */
export function carry(out: usize, a: usize): void {
  storeCarried(
    out, limb(a, 0), limb(a, 1), limb(a, 2), limb(a, 3), limb(a, 4),
    limb(a, 5), limb(a, 6), limb(a, 7), limb(a, 8), limb(a, 9),
  );
}

/** Writes the sum of two elements, without a carry. */
export function add(out: usize, a: usize, b: usize): void {
  addPair(out, a, b), addPair(out + 8, a + 8, b + 8), addPair(out + 16, a + 16, b + 16);
  addPair(out + 24, a + 24, b + 24), addPair(out + 32, a + 32, b + 32);
}

// @ts-ignore: decorator
@inline
function addPair(out: usize, a: usize, b: usize): void {
  store<i32>(out, load<i32>(a) + load<i32>(b));
  store<i32>(out, load<i32>(a, 4) + load<i32>(b, 4), 4);
}

/** Writes the difference of two elements, without a carry. */
export function subtract(out: usize, a: usize, b: usize): void {
  subtractPair(out, a, b), subtractPair(out + 8, a + 8, b + 8), subtractPair(out + 16, a + 16, b + 16);
  subtractPair(out + 24, a + 24, b + 24), subtractPair(out + 32, a + 32, b + 32);
}

// @ts-ignore: decorator
@inline
function subtractPair(out: usize, a: usize, b: usize): void {
  store<i32>(out, load<i32>(a) - load<i32>(b));
  store<i32>(out, load<i32>(a, 4) - load<i32>(b, 4), 4);
}

/** Writes the negative of an element. */
export function negate(out: usize, a: usize): void {
  for (let offset: usize = 0; offset < ELEMENT_BYTES; offset += 4) {
    store<i32>(out + offset, -load<i32>(a + offset));
  }
}

/** Copies an element. */
export function copy(out: usize, a: usize): void {
  memory.copy(out, a, ELEMENT_BYTES);
}

/** Writes a small number as an element. */
export function setNumber(out: usize, value: i32): void {
  memory.fill(out, 0, ELEMENT_BYTES);
  store<i32>(out, value);
}

/** Decodes the lower 255 bits of 32 bytes, little endian, to a reduced element. The number may be p or more. */
export function decode(out: usize, bytes: usize): void {
  const w0 = load<u64>(bytes), w1 = load<u64>(bytes, 8), w2 = load<u64>(bytes, 16), w3 = load<u64>(bytes, 24);
  storeCarried(
    out,
    w0 & LOW_26_BITS,
    (w0 >> 26) & LOW_25_BITS,
    ((w0 >> 51) | (w1 << 13)) & LOW_26_BITS,
    (w1 >> 13) & LOW_25_BITS,
    w1 >> 38,
    w2 & LOW_25_BITS,
    (w2 >> 25) & LOW_26_BITS,
    ((w2 >> 51) | (w3 << 13)) & LOW_25_BITS,
    (w3 >> 12) & LOW_26_BITS,
    (w3 >> 38) & LOW_25_BITS,
  );
}

/** Encodes an element as a number from 0 to p - 1 in 32 bytes, little endian. */
export function encode(bytes: usize, a: usize): void {
  const reduced = FIELD_SCRATCH;
  carry(reduced, a);
  let h0 = limb(reduced, 0), h1 = limb(reduced, 1), h2 = limb(reduced, 2), h3 = limb(reduced, 3);
  let h4 = limb(reduced, 4), h5 = limb(reduced, 5), h6 = limb(reduced, 6), h7 = limb(reduced, 7);
  let h8 = limb(reduced, 8), h9 = limb(reduced, 9);
  // The absolute value is within 0.51 p. If the number is negative, q becomes -1, and p is added: 2^255 by the masks,
  // less 19.
  let q = h0 >> 26;
  q = (h1 + q) >> 25, q = (h2 + q) >> 26, q = (h3 + q) >> 25, q = (h4 + q) >> 26, q = (h5 + q) >> 25;
  q = (h6 + q) >> 26, q = (h7 + q) >> 25, q = (h8 + q) >> 26, q = (h9 + q) >> 25;
  h0 += q * 19;
  h1 += h0 >> 26, h2 += h1 >> 25, h3 += h2 >> 26, h4 += h3 >> 25, h5 += h4 >> 26;
  h6 += h5 >> 25, h7 += h6 >> 26, h8 += h7 >> 25, h9 += h8 >> 26;
  h0 &= LOW_26_BITS, h1 &= LOW_25_BITS, h2 &= LOW_26_BITS, h3 &= LOW_25_BITS, h4 &= LOW_26_BITS;
  h5 &= LOW_25_BITS, h6 &= LOW_26_BITS, h7 &= LOW_25_BITS, h8 &= LOW_26_BITS, h9 &= LOW_25_BITS;
  store<u64>(bytes, h0 | (h1 << 26) | (h2 << 51));
  store<u64>(bytes, (h2 >> 13) | (h3 << 13) | (h4 << 38), 8);
  store<u64>(bytes, h5 | (h6 << 25) | (h7 << 51), 16);
  store<u64>(bytes, (h7 >> 13) | (h8 << 12) | (h9 << 38), 24);
}

/** Returns true if two elements represent the same number. */
export function areEqual(a: usize, b: usize): bool {
  const difference = FIELD_SCRATCH;
  subtract(difference, a, b);
  encode(difference, difference);
  const lower = load<u64>(difference) | load<u64>(difference, 8);
  const upper = load<u64>(difference, 16) | load<u64>(difference, 24);
  return (lower | upper) == 0;
}
