import { precompilesMemory, precompilesModule, SCRATCH_OFFSET } from '../precompiles-module.ts';

/** Moduli below 2^64 are left to Wasm, which takes this many bytes of the exponent at a time. */
const LIMB_BITS = 64n;
const PIECE_BYTES = 4_096;

/** An exponent longer than this pays for a table of the base's first powers. */
const SHORT_EXPONENT_BYTES = 8;
const WINDOW_BITS = 4;
const BYTE_BITS = 8;

/** Computes a power modulo `modulus`, at least 2, by a big-endian exponent. Calls `checkTime` at each byte or piece. */
export function modularPower(
  base: bigint,
  exponent: Uint8Array,
  modulus: bigint,
  checkTime?: () => void,
): bigint {
  const first = exponent.findIndex((byte) => byte !== 0);
  if (first < 0) return 1n;
  const digits = exponent.subarray(first);
  const reduced = base % modulus;
  if (modulus >> LIMB_BITS === 0n) return powerInWasm(reduced, digits, modulus, checkTime);
  return digits.length <= SHORT_EXPONENT_BYTES
    ? powerByBits(reduced, digits, modulus, checkTime)
    : powerByWindows(reduced, digits, modulus, checkTime);
}

function powerInWasm(base: bigint, exponent: Uint8Array, modulus: bigint, checkTime?: () => void): bigint {
  precompilesModule.beginPower(base, modulus);
  for (let offset = 0; offset < exponent.length; offset += PIECE_BYTES) {
    checkTime?.();
    const piece = exponent.subarray(offset, offset + PIECE_BYTES);
    precompilesMemory.set(piece, SCRATCH_OFFSET);
    precompilesModule.continuePower(SCRATCH_OFFSET, piece.length);
  }
  return BigInt.asUintN(Number(LIMB_BITS), precompilesModule.endPower());
}

/** Squares for each bit of the exponent, and multiplies by the base for each that is set. */
function powerByBits(base: bigint, exponent: Uint8Array, modulus: bigint, checkTime?: () => void): bigint {
  let power = 1n;
  for (const byte of exponent) {
    checkTime?.();
    for (let bit = BYTE_BITS - 1; bit >= 0; bit -= 1) {
      power = (power * power) % modulus;
      if (((byte >> bit) & 1) === 1) power = (power * base) % modulus;
    }
  }
  return power;
}

/** Takes four bits of the exponent at a time, with the first 16 powers of the base at hand. */
function powerByWindows(base: bigint, exponent: Uint8Array, modulus: bigint, checkTime?: () => void): bigint {
  const powers = [1n];
  for (let count = 1; count < 1 << WINDOW_BITS; count += 1) {
    powers.push(((powers[count - 1] ?? 1n) * base) % modulus);
  }
  let power = 1n;
  for (const byte of exponent) {
    checkTime?.();
    power = squareTimes(power, WINDOW_BITS, modulus);
    power = (power * (powers[byte >> WINDOW_BITS] ?? 1n)) % modulus;
    power = squareTimes(power, WINDOW_BITS, modulus);
    power = (power * (powers[byte & ((1 << WINDOW_BITS) - 1)] ?? 1n)) % modulus;
  }
  return power;
}

function squareTimes(number: bigint, times: number, modulus: bigint): bigint {
  let power = number;
  for (let count = 0; count < times; count += 1) power = (power * power) % modulus;
  return power;
}
