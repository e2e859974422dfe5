/**
 * Powers modulo a number below 2^64, for exponents of any length: the host hands them over piece by piece. The
 * modulus is an odd number times a power of two. The power is worked out modulo both at once, modulo the odd
 * one by Montgomery's multiplication, and put together by the Chinese remainder theorem.
 */

const WINDOW_BITS: u32 = 4;
const WINDOW_MASK: u32 = 15;
const WINDOWS: usize = 16;
const LIMB_BYTES: usize = 8;

/** The first powers of the base modulo the odd number (in Montgomery's form), and modulo 2^64. */
const oddPowers: usize = memory.data(128, 8);
const evenPowers: usize = memory.data(128, 8);

let odd: u64 = 1;
/** Inverse of the odd number modulo 2^64. */
let inverse: u64 = 1;
/** The modulus is `odd` times this power of two, less one. */
let mask: u64 = 0;
let oddPower: u64 = 0;
let evenPower: u64 = 1;

/** Begins with the power 0 of a base modulo a modulus other than 0. */
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
    const place = index * LIMB_BYTES;
    store<u64>(oddPowers + place, multiply(load<u64>(oddPowers + place - LIMB_BYTES), oddBase));
    store<u64>(evenPowers + place, load<u64>(evenPowers + place - LIMB_BYTES) * base);
  }
}

/** Appends some bytes to the exponent. */
export function continuePower(bytes: usize, length: usize): void {
  const end = bytes + length;
  for (let place = bytes; place < end; place++) {
    const byte = <u32>load<u8>(place);
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

/** Newton's method: 3 bits of an odd number are its inverse's, and each step doubles them. */
function inverseOf(value: u64): u64 {
  let result = value;
  for (let bits = 3; bits < 64; bits *= 2) result *= 2 - value * result;
  return result;
}

/** Returns a number below `odd` times 2^64, in Montgomery's form. */
function toMontgomery(value: u64): u64 {
  let result = value;
  for (let count = 0; count < 64; count++) {
    const rest = odd - result;
    result = result >= rest ? result - rest : result + result;
  }
  return result;
}

/** Returns the product of two numbers below `odd`, divided by 2^64. */
@inline
function multiply(a: u64, b: u64): u64 {
  const high = upperHalf(a, b);
  const taken = upperHalf(a * b * inverse, odd);
  return high < taken ? high - taken + odd : high - taken;
}

/** Returns the upper 64 bits of a product. */
@inline
function upperHalf(a: u64, b: u64): u64 {
  const aLow = a & 0xffffffff;
  const aHigh = a >> 32;
  const bLow = b & 0xffffffff;
  const bHigh = b >> 32;
  const first = aLow * bLow;
  const second = aHigh * bLow + (first >> 32);
  const third = aLow * bHigh + (second & 0xffffffff);
  return aHigh * bHigh + (second >> 32) + (third >> 32);
}
