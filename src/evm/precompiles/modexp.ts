import { MODEXP_BYTES_MAX } from '../../consensus.ts';
import { bytesToNumber } from '../../protocol/index.ts';
import { maximum } from '../hardfork.ts';
import { precompilesMemory, precompilesModule, SCRATCH_OFFSET } from '../precompiles-module.ts';
import type { Precompile } from './precompile.ts';

/** Moduli below 2^64 are computed in Wasm. */
const LIMB_BITS = 64n;
/** Bytes of the exponent that Wasm receives per call. */
const PIECE_BYTES = 4_096;

/** Maximum bytes of an exponent for which a table of the base's first powers does not pay off. */
const SHORT_EXPONENT_BYTES = 8;
const WINDOW_BITS = 4;
const BYTE_BITS = 8;

/** Computes a power modulo `modulus`, at least 2, by a big-endian exponent. Calls `checkTime` at each byte or piece. */
function modularPower(base: bigint, exponent: Uint8Array, modulus: bigint, checkTime?: () => void): bigint {
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

/** Processes four bits of the exponent at a time, with a table of the first 16 powers of the base. */
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

const COMPLEXITY_WORD_BYTES = 8n;

/** Gas (EIP-2565). */
const MINIMUM_GAS = 200n;
const GAS_DIVISOR = 3n;
const TAIL_BYTE_ITERATIONS = 8n;

/** Gas from Osaka on (EIP-7883). */
const OSAKA_MINIMUM_GAS = 500n;
const OSAKA_TAIL_BYTE_ITERATIONS = 16n;
const SHORT_BYTES = 32n;
const SHORT_COMPLEXITY = 16n;
const LONG_FACTOR = 2n;

const WORD_BYTES = 32n;
/** Offset of the three numbers, after the three lengths. */
const NUMBERS_OFFSET = 3n * WORD_BYTES;

/** The declared lengths of base, exponent and modulus, in bytes: any numbers below 2^256. */
interface Lengths {
  readonly base: bigint;
  readonly exponent: bigint;
  readonly modulus: bigint;
}

/**
 * Contract 5: base to the power of exponent modulo modulus, with the length of the modulus; 0 if the modulus is 0. The
 * input is three lengths, each a word, then the three numbers; missing bytes count as zeros. Source: EIP-198, with the
 * gas of EIP-2565.
 */
export const modexp: Precompile = {
  name: 'MODEXP',
  gas(input) {
    const lengths = readLengths(input);
    const words = wordsOf(lengths);
    const gas = (words * words * iterationCount(input, lengths, TAIL_BYTE_ITERATIONS)) / GAS_DIVISOR;
    return maximum(gas, MINIMUM_GAS);
  },
  run: (input, checkTime) => power(input, readLengths(input), checkTime),
};

/** Contract 5 from Osaka on: with a maximum length of the numbers (EIP-7823) and the gas of EIP-7883. */
export const modexpOfOsaka: Precompile = {
  name: 'MODEXP',
  gas(input) {
    const lengths = readLengths(input);
    const words = wordsOf(lengths);
    const isShort = maximum(lengths.base, lengths.modulus) <= SHORT_BYTES;
    const complexity = isShort ? SHORT_COMPLEXITY : LONG_FACTOR * words * words;
    return maximum(
      complexity * iterationCount(input, lengths, OSAKA_TAIL_BYTE_ITERATIONS),
      OSAKA_MINIMUM_GAS,
    );
  },
  run(input, checkTime) {
    const lengths = readLengths(input);
    const { base, exponent, modulus } = lengths;
    const isTooLong = [base, exponent, modulus].some((length) => length > MODEXP_BYTES_MAX);
    return isTooLong ? undefined : power(input, lengths, checkTime);
  },
};

function power(input: Uint8Array, lengths: Lengths, checkTime?: () => void): Uint8Array | undefined {
  // No gas limit pays for a longer output.
  if (lengths.modulus > Number.MAX_SAFE_INTEGER) return undefined;
  const modulusBytes = Number(lengths.modulus);
  const exponentOffset = NUMBERS_OFFSET + lengths.base;
  const modulusOffset = exponentOffset + lengths.exponent;
  const modulus = readNumber(input, modulusOffset, lengths.modulus);
  if (modulus <= 1n) return new Uint8Array(modulusBytes);
  // The modulus is not 0, so it begins within the input, and the offsets are small.
  const base = readNumber(input, NUMBERS_OFFSET, lengths.base);
  const exponent = input.subarray(Number(exponentOffset), Number(modulusOffset));
  const digits = modularPower(base, exponent, modulus, checkTime).toString(16);
  return Uint8Array.from(Buffer.from(digits.padStart(2 * modulusBytes, '0'), 'hex'));
}

function readLengths(input: Uint8Array): Lengths {
  return {
    base: readNumber(input, 0n, WORD_BYTES),
    exponent: readNumber(input, WORD_BYTES, WORD_BYTES),
    modulus: readNumber(input, 2n * WORD_BYTES, WORD_BYTES),
  };
}

/** Returns the number of 8-byte words of the longer of base and modulus. */
function wordsOf({ base, modulus }: Lengths): bigint {
  return (maximum(base, modulus) + COMPLEXITY_WORD_BYTES - 1n) / COMPLEXITY_WORD_BYTES;
}

/**
 * Returns the iteration count of EIP-2565: the bits of the exponent's first 32 bytes, and a constant per further byte.
 */
function iterationCount(input: Uint8Array, lengths: Lengths, tailByteIterations: bigint): bigint {
  const headBytes = lengths.exponent < WORD_BYTES ? lengths.exponent : WORD_BYTES;
  const head = readNumber(input, NUMBERS_OFFSET + lengths.base, headBytes);
  const tail = tailByteIterations * (lengths.exponent - headBytes);
  const headBits = head === 0n ? 0n : BigInt(head.toString(2).length - 1);
  return maximum(tail + headBits, 1n);
}

/**
 * Reads the big-endian number of `length` bytes at `offset`; bytes beyond the input count as zeros. They use memory
 * only if they follow bytes other than zero.
 */
function readNumber(input: Uint8Array, offset: bigint, length: bigint): bigint {
  if (offset >= BigInt(input.length)) return 0n;
  const start = Number(offset);
  const present = input.length - start;
  if (length <= BigInt(present)) return bytesToNumber(input.subarray(start, start + Number(length)));
  const number = bytesToNumber(input.subarray(start));
  return number === 0n ? 0n : number << (8n * (length - BigInt(present)));
}
