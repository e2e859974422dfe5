import { FormatError } from '../protocol-errors.ts';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const BASE = 58;
/** Base58 digits for one byte, rounded up: log 256 / log 58 is less than 1.38. */
const DIGITS_PER_BYTE = 1.38;

/** Returns the base58 digits of a big-endian number, without checksum: a `1` for each leading zero byte. */
export function bytesToBase58(bytes: Uint8Array): string {
  const digits: number[] = [];
  let zeros = 0;
  for (const byte of bytes) {
    if (byte === 0 && digits.length === 0) zeros++;
    let carry = byte;
    for (let index = 0; index < digits.length; index++) {
      carry += (digits[index] ?? 0) * 256;
      digits[index] = carry % BASE;
      carry = Math.floor(carry / BASE);
    }
    for (; carry > 0; carry = Math.floor(carry / BASE)) digits.push(carry % BASE);
  }
  const characters = digits.reverse().map((digit) => ALPHABET.charAt(digit));
  return '1'.repeat(zeros) + characters.join('');
}

/** Parses base58 of exactly `length` bytes, without checksum. @throws {FormatError} for any other text */
export function base58ToBytes(text: string, length: number, field = 'base58'): Uint8Array {
  const wrongLength = () => new FormatError(field, `must be base58 of ${length} bytes`);
  // The cost of parsing grows with the square of the length.
  if (text.length > Math.ceil(length * DIGITS_PER_BYTE)) throw wrongLength();
  const number = new Uint8Array(length);
  for (const character of text) {
    let carry = ALPHABET.indexOf(character);
    if (carry < 0) throw new FormatError(field, 'not a base58 character');
    for (let index = length - 1; index >= 0; index--) {
      carry += (number[index] ?? 0) * BASE;
      number[index] = carry & 0xff;
      carry >>= 8;
    }
    if (carry > 0) throw wrongLength();
  }
  // Encoding again detects too few or too many leading ones, which represent zero bytes.
  if (bytesToBase58(number) !== text) throw wrongLength();
  return number;
}
