/**
 * Powers modulo a number below 2^64, for exponents of any length, which the host passes in pieces. The modulus is an
 * odd number times a power of two. The power is computed modulo both, modulo the odd one by Montgomery multiplication,
 * and combined by the Chinese remainder theorem.
 */

import { multiplyHigh } from './word-multiplication';

const WINDOW_BITS: u32 = 4;
const WINDOW_MASK: u32 = 15;
const WINDOWS: usize = 16;
const LIMB_BYTES: usize = 8;

/** The first powers of the base modulo the odd number (in Montgomery form), and modulo 2^64. */
const oddPowers: usize = memory.data(128, 8);
const evenPowers: usize = memory.data(128, 8);

let odd: u64 = 1;
/** Inverse of the odd number modulo 2^64. */
let inverse: u64 = 1;
/** The power of two in the modulus, minus one. */
let mask: u64 = 0;
let oddPower: u64 = 0;
let evenPower: u64 = 1;

/** Begins a power with exponent 0; the modulus is not 0. */
export function beginPower(base: u64, modulus: u64): void {
  const twos = ctz<u64>(modulus);
  odd = modulus >> twos;
  mask = ((<u64>1) << twos) - 1;
  inverse = inverseOf(odd);
  oddPower = -odd % odd; // 2^64 modulo odd: the form of 1
  evenPower = 1;
  const oddBase = toMontgomery(base % odd);
  store<u64>(oddPowers, oddPower);
  store<u64>(evenPowers, 1);
  for (let index: usize = 1; index < WINDOWS; index++) {
    const offset = index * LIMB_BYTES;
    store<u64>(oddPowers + offset, multiply(load<u64>(oddPowers + offset - LIMB_BYTES), oddBase));
    store<u64>(evenPowers + offset, load<u64>(evenPowers + offset - LIMB_BYTES) * base);
  }
}

/** Appends bytes to the exponent. */
export function continuePower(bytes: usize, length: usize): void {
  const end = bytes + length;
  for (let address = bytes; address < end; address++) {
    const byte = <u32>load<u8>(address);
    appendWindow(byte >> WINDOW_BITS);
    appendWindow(byte & WINDOW_MASK);
  }
}

/** Returns the power, below the modulus. */
export function endPower(): u64 {
  const remainder = multiply(oddPower, 1);
  return remainder + odd * (((evenPower - remainder) * inverse) & mask);
}

@inline
function appendWindow(digits: u32): void {
  let power = oddPower;
  power = multiply(power, power);
  power = multiply(power, power);
  power = multiply(power, power);
  power = multiply(power, power);
  oddPower = multiply(power, load<u64>(oddPowers + <usize>digits * LIMB_BYTES));
  power = evenPower;
  power *= power;
  power *= power;
  power *= power;
  power *= power;
  evenPower = power * load<u64>(evenPowers + <usize>digits * LIMB_BYTES);
}

/**
 * Returns the inverse modulo 2^64 by Newton's method: an odd number is its inverse in 3 bits; each step doubles them.
 */
function inverseOf(value: u64): u64 {
  let result = value;
  for (let bits = 3; bits < 64; bits *= 2) result *= 2 - value * result;
  return result;
}

/** Returns a number below `odd` in Montgomery form: times 2^64, modulo `odd`. */
function toMontgomery(value: u64): u64 {
  let result = value;
  for (let count = 0; count < 64; count++) {
    const rest = odd - result;
    result = result >= rest ? result - rest : result + result;
  }
  return result;
}

/** Returns the Montgomery product of two numbers below `odd`: their product divided by 2^64. */
@inline
function multiply(a: u64, b: u64): u64 {
  const high = multiplyHigh(a, b);
  const reduction = multiplyHigh(a * b * inverse, odd);
  return high < reduction ? high - reduction + odd : high - reduction;
}
