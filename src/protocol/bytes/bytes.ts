import { Buffer, isUtf8 } from 'node:buffer';
import { FormatError, InvariantError, invariant } from '../protocol-errors.ts';

/** The greatest value of an EVM word. */
export const WORD_MAX = 2n ** 256n - 1n;

declare const brandName: unique symbol;

/** A type that is `T` at run time and that only a constructor of `Name` produces, so that an address is no hash. */
export type Brand<T, Name extends string> = T & { readonly [brandName]: Name };

/** 20 bytes that name an account or a contract inside the EVM and on the interface. */
export type Address = Brand<Uint8Array, 'Address'>;
/** 32 bytes: a digest, an EVM word used as a slot or topic, a chain id. */
export type Hash = Brand<Uint8Array, 'Hash'>;
/** 20 bytes: the block's number, big endian, in the first four, and a digest in the others. */
export type BlockId = Brand<Uint8Array, 'BlockId'>;
/** 20 bytes: RIPEMD-160 of an operation in its transaction. */
export type OperationHash = Brand<Uint8Array, 'OperationHash'>;
/** 20 bytes: root over the processed transactions of a block. */
export type MerkleRoot = Brand<Uint8Array, 'MerkleRoot'>;
/** 32 bytes: an Ed25519 public key, by SHA3-512 (see keys.ts). */
export type PublicKey = Brand<Uint8Array, 'PublicKey'>;
/** 64 bytes: an Ed25519 signature, by SHA3-512 (see keys.ts). */
export type Signature = Brand<Uint8Array, 'Signature'>;
/** 32 bytes: an Ed25519 private key. Secret. */
export type Seed = Brand<Uint8Array, 'Seed'>;

/** Makes a function that brands bytes of one length without copying; it throws FormatError for another length. */
function fixedBytes<Bytes extends Uint8Array>(name: string, length: number): (bytes: Uint8Array) => Bytes {
  return (bytes) => {
    if (bytes.length === length) return bytes as Bytes;
    throw new FormatError(name, `expected ${length} bytes, not ${bytes.length}`);
  };
}

export const toAddress = fixedBytes<Address>('address', 20);
export const toHash = fixedBytes<Hash>('hash', 32);
export const toBlockId = fixedBytes<BlockId>('block id', 20);
export const toOperationHash = fixedBytes<OperationHash>('operation hash', 20);
export const toMerkleRoot = fixedBytes<MerkleRoot>('merkle root', 20);
export const toPublicKey = fixedBytes<PublicKey>('public key', 32);
export const toSignature = fixedBytes<Signature>('signature', 64);
export const toSeed = fixedBytes<Seed>('seed', 32);

/** 20 zero bytes: the default sender of calls, and the address of account 1.2.0. Read-only. */
export const ZERO_ADDRESS: Address = toAddress(new Uint8Array(20));
/** 32 zero bytes. Read-only. */
export const ZERO_HASH: Hash = toHash(new Uint8Array(32));

/** A Buffer with native methods that its types omit: without the checks of `toString` and `write`. */
export interface NativeBuffer extends Buffer {
  latin1Slice(start: number, end: number): string;
  utf8Write(text: string, offset: number, length: number): number;
}

/** Returns the same memory as a Buffer, whose native methods are faster than loops. */
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

const textEncoder = new TextEncoder();

/** Greatest length for which a table is faster than a Buffer, because creating a Buffer is slow. */
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
/** The buffer in which the characters of a text are assembled. */
const pairs = new Uint16Array(TABLE_BYTES);
const pairsText = asBuffer(new Uint8Array(pairs.buffer)) as NativeBuffer;

/** Returns lower-case hex digits, without prefix. */
export function bytesToHex(bytes: Uint8Array): string {
  const { length } = bytes;
  if (length > TABLE_BYTES) return asBuffer(bytes).toString('hex');
  // Both indexes are in range: the defaults are only for the types.
  for (let index = 0; index < length; index++) pairs[index] = DIGIT_PAIRS[bytes[index] ?? 0] ?? 0;
  return pairsText.latin1Slice(0, 2 * length);
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
  // The decoder sees only the low byte of each character, and stops at one that is no digit.
  return Buffer.byteLength(hex) === hex.length && asBuffer(bytes).write(hex, 'hex') === bytes.length;
}

/** Greatest length for which a loop copies faster than a view. */
const LOOP_BYTES = 64;

/** Copies a range of bytes to an offset of other memory. */
export function copyBytes(
  source: Uint8Array,
  start: number,
  end: number,
  target: Uint8Array,
  offset: number,
): void {
  if (end - start > LOOP_BYTES) {
    target.set(source.subarray(start, end), offset);
    return;
  }
  // In range: the default is only for the types.
  for (let from = start, to = offset; from < end; from += 1, to += 1) target[to] = source[from] ?? 0;
}

/** Writes a number below 2^32, big-endian. */
export function writeUint32(target: Uint8Array, offset: number, value: number): void {
  target[offset] = value >>> 24;
  target[offset + 1] = value >>> 16;
  target[offset + 2] = value >>> 8;
  target[offset + 3] = value;
}

/** Reads a big-endian number of 4 bytes. */
export function readUint32(source: Uint8Array, offset: number): number {
  invariant(offset + 4 <= source.length, 'a number is shorter than 4 bytes');
  const high = ((source[offset] ?? 0) << 8) | (source[offset + 1] ?? 0);
  const low = ((source[offset + 2] ?? 0) << 8) | (source[offset + 3] ?? 0);
  return high * 2 ** 16 + low;
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

/** Returns `0x` and lower-case hex digits: DATA of the interface. */
export function toPrefixedHex(bytes: Uint8Array): Hexadecimal {
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
    // Both indexes are in range: the defaults are only for the types.
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

/** A hexadecimal string with its `0x`, as QUANTITY and DATA are written on the wire. */
export type Hexadecimal = `0x${string}`;

/** Bytes of a 32-byte DATA. */
const WORD_BYTES = 32;

/** Writes a QUANTITY. @throws InvariantError for a negative or fractional number */
export function quantity(value: number | bigint): Hexadecimal {
  if (typeof value === 'bigint' ? value < 0n : !(Number.isSafeInteger(value) && value >= 0))
    throw new InvariantError('a quantity is a whole number of at least zero');
  return `0x${value.toString(16)}`;
}

/** Writes bytes as DATA of 32 bytes, padded with leading zero bytes. */
export function paddedData(bytes: Uint8Array): Hexadecimal {
  invariant(bytes.length <= WORD_BYTES, 'padded data has at most 32 bytes');
  return `0x${bytesToHex(bytes).padStart(2 * WORD_BYTES, '0')}`;
}

/** Writes DATA of `length` zero bytes, the value of fields without a native counterpart. */
export function zeroData(length: number): Hexadecimal {
  return `0x${'00'.repeat(length)}`;
}

/** Writes an integer as a decimal number with its point moved to the left: `0.1` for 1 and one decimal. */
export function decimalText(value: bigint, decimals: number): string {
  const one = 10n ** BigInt(decimals);
  const fraction = String(value % one)
    .padStart(decimals, '0')
    .replace(/0+$/, '');
  return `${value / one}${fraction === '' ? '' : `.${fraction}`}`;
}
