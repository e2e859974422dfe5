import { isUtf8 } from 'node:buffer';
import { FormatError } from '../errors.ts';

/** Returns the same memory as a Buffer, whose native methods are faster than loops. */
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

const textEncoder = new TextEncoder();

/** Most bytes for which a table is faster than a Buffer, whose creation takes most of its time. */
const TABLE_BYTES = 128;
const BYTE_VALUES = Array.from({ length: 256 }, (_, byte) => byte);
/** The two digits of each byte as characters, side by side in the memory of one number. */
const DIGIT_PAIRS = new Uint16Array(
  textEncoder.encode(BYTE_VALUES.map((byte) => byte.toString(16).padStart(2, '0')).join('')).buffer,
);
const NO_DIGIT = 0xff;
/** The value of each character below 256 as a hexadecimal digit. */
const DIGIT_VALUES = Uint8Array.from(BYTE_VALUES, (code) => {
  const value = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(value) ? NO_DIGIT : value;
});
/** Where the characters of a text are put together. */
const pairs = new Uint16Array(TABLE_BYTES);
const pairsText = asBuffer(new Uint8Array(pairs.buffer));

/** Returns lower-case hex digits, without prefix. */
export function bytesToHex(bytes: Uint8Array): string {
  const { length } = bytes;
  if (length > TABLE_BYTES) return asBuffer(bytes).toString('hex');
  // Both indexes lie within, so that neither default is ever taken.
  for (let index = 0; index < length; index++) pairs[index] = DIGIT_PAIRS[bytes[index] ?? 0] ?? 0;
  return pairsText.toString('latin1', 0, 2 * length);
}

/** Parses hex digits in either case, without prefix. @throws {FormatError} for anything else */
export function hexToBytes(hex: string, field = 'hex'): Uint8Array {
  const bytes = readHex(hex);
  if (bytes !== undefined) return bytes;
  throw new FormatError(field, hex.length % 2 === 0 ? 'not hex digits' : 'odd number of hex digits');
}

/** Parses hex digits; undefined where `hexToBytes` throws. */
export function readHex(hex: string): Uint8Array | undefined {
  if (hex.length % 2 !== 0) return undefined;
  const bytes = new Uint8Array(hex.length / 2);
  const isHex = bytes.length > TABLE_BYTES ? decodeLong(hex, bytes) : decodeShort(hex, bytes);
  return isHex ? bytes : undefined;
}

/** Fills `bytes` from its digits. Returns true if all of them are digits. */
function decodeShort(hex: string, bytes: Uint8Array): boolean {
  for (let index = 0; index < bytes.length; index++) {
    const high = DIGIT_VALUES[hex.charCodeAt(2 * index)] ?? NO_DIGIT;
    const low = DIGIT_VALUES[hex.charCodeAt(2 * index + 1)] ?? NO_DIGIT;
    if ((high | low) === NO_DIGIT) return false;
    bytes[index] = (high << 4) | low;
  }
  return true;
}

function decodeLong(hex: string, bytes: Uint8Array): boolean {
  return asBuffer(bytes).write(hex, 'hex') === bytes.length && /^[0-9a-fA-F]*$/.test(hex);
}

/** Returns the number of big-endian bytes: 0 for none. */
export function bytesToNumber(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${bytesToHex(bytes)}`);
}

/** Writes a number in big-endian order: in at least `length` bytes, and in no more than it needs (none for 0). */
export function numberToBytes(number: bigint, length = 0): Uint8Array {
  const digits = number === 0n ? '' : number.toString(16);
  return hexToBytes(digits.padStart(Math.max(2 * length, digits.length + (digits.length % 2)), '0'));
}

/** Returns lower-case hex digits behind `0x`: DATA of the interface. */
export function toPrefixedHex(bytes: Uint8Array): `0x${string}` {
  return `0x${bytesToHex(bytes)}`;
}

/** Returns true if both hold the same bytes. Not for secrets: its time depends on the common part. */
export function equalBytes(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  for (let index = 0; index < left.length; index++) if (left[index] !== right[index]) return false;
  return true;
}

/** Orders byte strings byte by byte, a prefix first: negative, zero or positive. */
export function compareBytes(left: Uint8Array, right: Uint8Array): number {
  const common = Math.min(left.length, right.length);
  for (let index = 0; index < common; index++) {
    // Both indexes lie below both lengths, so that neither default is ever taken.
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** Returns a new array of the parts, one after the other. */
export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

/** Encodes a text in UTF-8; a lone surrogate becomes U+FFFD. */
export function utf8ToBytes(text: string): Uint8Array {
  return textEncoder.encode(text);
}

/** Decodes UTF-8, a byte order mark included; undefined for bytes that are not valid. */
export function bytesToUtf8(bytes: Uint8Array): string | undefined {
  return isUtf8(bytes) ? asBuffer(bytes).toString('utf8') : undefined;
}
