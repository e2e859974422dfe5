/**
 * Scalars: integers modulo L, the order of the base point. In memory they are 32 bytes, little endian, equal to eight
 * limbs of 32 bits. No function branches on the values or accesses an address that depends on them.
 *
 * Source: RFC 8032, section 5.1; Menezes, van Oorschot, Vanstone, "Handbook of Applied Cryptography", algorithms 14.12
 * (product) and 14.42 (Barrett's reduction).
 */
import { ORDER, RECIPROCAL_OF_ORDER } from './constants';
import { SCALARS_SCRATCH } from './scratch';

/** Limbs of a scalar, and of the factors of its quotient. */
const SCALAR_LIMBS: usize = 8;
const FACTOR_LIMBS: usize = 9;

/** 18 limbs, 17 limbs, 8 limbs and 16 limbs. */
const QUOTIENT: usize = SCALARS_SCRATCH;
const MULTIPLE: usize = SCALARS_SCRATCH + 72;
const REMAINDER: usize = SCALARS_SCRATCH + 144;
const WIDE: usize = SCALARS_SCRATCH + 176;

/** Returns limb `index` of a number, as 64 bits. */
// @ts-ignore: decorator
@inline
function limb(number: usize, index: usize): u64 {
  return <u64>load<u32>(number + (index << 2));
}

/** Writes the lower 32 bits of a value as limb `index` of a number. */
// @ts-ignore: decorator
@inline
function setLimb(number: usize, index: usize, value: u64): void {
  store<u32>(number + (index << 2), <u32>value);
}

/** Returns true if 32 bytes are a scalar below L. For public scalars. */
export function isBelowOrder(scalar: usize): bool {
  return subtractLimbs(WIDE, scalar, ORDER) == 1;
}

/**
 * Reduces 64 bytes, little endian, modulo L. The result may overlap the bytes.
 *
 * The number's upper limbs times 2^512 / L are its quotient by L, or 1 less: the missing fraction of the reciprocal
 * reduces it by less than 0.23, the omitted limbs by less than 2^-29. Therefore the remainder is below 2 L.
 */
export function reduce(out: usize, wide: usize): void {
  multiplyLimbs(QUOTIENT, wide + 28, FACTOR_LIMBS, RECIPROCAL_OF_ORDER, FACTOR_LIMBS);
  multiplyLimbs(MULTIPLE, QUOTIENT + 36, FACTOR_LIMBS, ORDER, SCALAR_LIMBS);
  subtractLimbs(REMAINDER, wide, MULTIPLE);
  const mask = 0 - subtractLimbs(MULTIPLE, REMAINDER, ORDER);
  for (let index: usize = 0; index < SCALAR_LIMBS; index++) {
    const less = limb(MULTIPLE, index);
    setLimb(out, index, less ^ ((less ^ limb(REMAINDER, index)) & mask));
  }
}

/** Computes factor * other + summand modulo L. The arguments may be any 32 bytes. */
export function multiplyAdd(out: usize, factor: usize, other: usize, summand: usize): void {
  multiplyLimbs(WIDE, factor, SCALAR_LIMBS, other, SCALAR_LIMBS);
  let carry: u64 = 0;
  for (let index: usize = 0; index < SCALAR_LIMBS; index++) {
    carry += limb(WIDE, index) + limb(summand, index);
    setLimb(WIDE, index, carry);
    carry >>= 32;
  }
  for (let index = SCALAR_LIMBS; index < SCALAR_LIMBS << 1; index++) {
    carry += limb(WIDE, index);
    setLimb(WIDE, index, carry);
    carry >>= 32;
  }
  reduce(out, WIDE);
}

/** Computes the product of two numbers, with the sum of their limbs. */
function multiplyLimbs(out: usize, a: usize, aLimbs: usize, b: usize, bLimbs: usize): void {
  memory.fill(out, 0, (aLimbs + bLimbs) << 2);
  for (let row: usize = 0; row < aLimbs; row++) {
    const factor = limb(a, row);
    let carry: u64 = 0;
    for (let column: usize = 0; column < bLimbs; column++) {
      carry += factor * limb(b, column) + limb(out, row + column);
      setLimb(out, row + column, carry);
      carry >>= 32;
    }
    setLimb(out, row + bLimbs, carry);
  }
}

/** Computes the difference of two numbers of a scalar's size. Returns the final borrow: 0 or 1. */
function subtractLimbs(out: usize, a: usize, b: usize): u64 {
  let borrow: u64 = 0;
  for (let index: usize = 0; index < SCALAR_LIMBS; index++) {
    const difference = limb(a, index) - limb(b, index) - borrow;
    setLimb(out, index, difference);
    borrow = difference >> 63;
  }
  return borrow;
}
