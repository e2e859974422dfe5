import { AMOUNT_MAX, TIMESTAMP_MAX } from '../../consensus.ts';
import type { ByteReader } from '../bytes/byte-reader.ts';
import type { ByteWriter } from '../bytes/byte-writer.ts';
import { bytesToHex, hexToBytes } from '../bytes/bytes.ts';
import { FormatError } from '../protocol-errors.ts';
import type { Codec } from './codec.ts';

/** Returns JSON that must be a string. @throws {FormatError} for anything else */
export function checkString(json: unknown): string {
  if (typeof json !== 'string') throw new FormatError('', 'must be a string');
  return json;
}

/** Length in bytes, then UTF-8. */
export const string: Codec<string> = {
  name: 'string',
  write: (writer, value) => writer.writeString(checkString(value)),
  read: (reader) => reader.readString(),
  toJson: (value) => value,
  fromJson: checkString,
};

/** Checks that a value is an array of so many bytes. @throws {FormatError} for anything else */
export function checkBytes(value: Uint8Array, length: number): void {
  if (!(value instanceof Uint8Array) || value.length !== length) {
    throw new FormatError('', `must be ${length} bytes`);
  }
}

/** Parses exactly `length` bytes of lower-case hex, the one form that is printed. @throws {FormatError} otherwise */
export function parseFixedHex(json: unknown, length: number): Uint8Array {
  const text = checkString(json);
  if (text.length !== length * 2 || !/^[0-9a-f]*$/.test(text)) {
    throw new FormatError('', `must be ${length * 2} lower-case hex digits`);
  }
  return hexToBytes(text, '');
}

/** Makes the codec of so many bytes, branded `T`, without a length; JSON is lower-case hex without prefix. */
export function fixedBytes<T extends Uint8Array = Uint8Array>(length: number, name = 'bytes'): Codec<T> {
  return {
    name,
    write(writer, value) {
      checkBytes(value, length);
      writer.writeBytes(value);
    },
    read: (reader) => reader.readBytes(length) as T,
    toJson: bytesToHex,
    fromJson: (json) => parseFixedHex(json, length) as T,
  };
}

/** Length in bytes as a varint, then the bytes; JSON is lower-case hex without prefix. */
export const variableBytes: Codec<Uint8Array> = {
  name: 'bytes',
  write(writer, value) {
    if (!(value instanceof Uint8Array)) throw new FormatError('', 'must be bytes');
    writer.writeVarint(value.length);
    writer.writeBytes(value);
  },
  read: (reader) => reader.readBytes(reader.readCount()),
  toJson: bytesToHex,
  fromJson(json) {
    const text = checkString(json);
    return parseFixedHex(text, Math.ceil(text.length / 2));
  },
};

function checkInteger(value: unknown, max: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > max) {
    throw new FormatError('', `must be an integer of 0 to ${max}`);
  }
  return value;
}

/** Makes the codec of a number by its writer, which checks it, and its reader; JSON is a plain number. */
function integer(
  name: string,
  max: number,
  write: (writer: ByteWriter, value: number) => void,
  read: (reader: ByteReader) => number,
): Codec<number> {
  return {
    name,
    write,
    read,
    toJson: (value) => value,
    fromJson: (json) => checkInteger(json, max),
  };
}

export const uint8: Codec<number> = integer(
  'uint8',
  0xff,
  (writer, value) => writer.writeUint8(checkInteger(value, 0xff)),
  (reader) => reader.readUint8(),
);

/** Two bytes, little endian. */
export const uint16: Codec<number> = integer(
  'uint16',
  0xffff,
  (writer, value) => writer.writeUint16(checkInteger(value, 0xffff)),
  (reader) => reader.readUint16(),
);

/** Four bytes, little endian. */
export const uint32: Codec<number> = integer(
  'uint32',
  0xffff_ffff,
  (writer, value) => writer.writeUint32(checkInteger(value, 0xffff_ffff)),
  (reader) => reader.readUint32(),
);

/** Unsigned LEB128 in its shortest form, of 0 to 2^53 - 1. */
export const varint: Codec<number> = integer(
  'varint',
  Number.MAX_SAFE_INTEGER,
  (writer, value) => writer.writeVarint(checkInteger(value, Number.MAX_SAFE_INTEGER)),
  (reader) => reader.readVarint(Number.MAX_SAFE_INTEGER),
);

/** One byte, 0 or 1. */
export const bool: Codec<boolean> = {
  name: 'bool',
  write: (writer, value) => writer.writeUint8(checkBoolean(value) ? 1 : 0),
  read: readBoolean,
  toJson: (value) => value,
  fromJson: checkBoolean,
};

function checkBoolean(value: unknown): boolean {
  if (typeof value !== 'boolean') throw new FormatError('', 'must be true or false');
  return value;
}

/** Reads the byte of a bool, or of the presence of an optional. */
export function readBoolean(reader: ByteReader): boolean {
  const offset = reader.offset;
  const byte = reader.readUint8();
  if (byte > 1) throw reader.failure(`must be 0 or 1, not ${byte}`, offset);
  return byte === 1;
}

/** A decimal of at most the 20 digits of 64 bits, without leading zeros; its range is checked later. */
const DECIMAL = /^(?:0|-?[1-9][0-9]{0,19})$/;

interface LongOptions {
  readonly min: bigint;
  readonly max: bigint;
  readonly signed: boolean;
  /** True if JSON is always a string; else it is a number where that is exact. */
  readonly text: boolean;
}

/** Makes the codec of a 64-bit number; JSON takes a safe integer or a decimal string. */
function long(name: string, { min, max, signed, text }: LongOptions): Codec<bigint> {
  const expected = `of ${min} to ${max}`;
  return {
    name,
    write(writer, value) {
      if (typeof value !== 'bigint' || value < min || value > max)
        throw new FormatError('', `must be a bigint ${expected}`);
      writer.writeUint64(value);
    },
    read(reader) {
      const offset = reader.offset;
      const value = signed ? reader.readInt64() : reader.readUint64();
      if (value < min || value > max) throw reader.failure(`must be ${expected}, not ${value}`, offset);
      return value;
    },
    toJson(value) {
      const number = Number(value);
      return text || !Number.isSafeInteger(number) ? value.toString() : number;
    },
    fromJson(json) {
      const exact = Number.isSafeInteger(json) || (typeof json === 'string' && DECIMAL.test(json));
      const value = exact ? BigInt(json as number | string) : undefined;
      if (value === undefined || value < min || value > max) {
        throw new FormatError('', `must be a safe integer or a decimal string ${expected}`);
      }
      return value;
    },
  };
}

const UINT64 = { min: 0n, max: 2n ** 64n - 1n, signed: false };

/** Eight bytes, little endian; JSON is a number where that is exact, else a decimal string. */
export const uint64: Codec<bigint> = long('uint64', { ...UINT64, text: false });

/** Like `uint64`; JSON is always a decimal string. */
export const uint64Text: Codec<bigint> = long('uint64', { ...UINT64, text: true });

/** Eight bytes, little endian, two's complement; JSON is a number where that is exact, else a decimal string. */
export const int64: Codec<bigint> = long('int64', {
  min: -(2n ** 63n),
  max: 2n ** 63n - 1n,
  signed: true,
  text: false,
});

/** A nonnegative int64: an amount of native units; JSON is a decimal string. */
export const amount: Codec<bigint> = long('amount', { min: 0n, max: AMOUNT_MAX, signed: true, text: true });

/** Like `amount`; JSON is a number where that is exact. */
export const amountNumber: Codec<bigint> = long('amount', {
  min: 0n,
  max: AMOUNT_MAX,
  signed: true,
  text: false,
});

const TIME = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}$/;

/** Formats Unix seconds as `YYYY-MM-DDTHH:MM:SS`, UTC, without zone. */
export function formatTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19);
}

/** Parses `YYYY-MM-DDTHH:MM:SS`, UTC. @throws {FormatError} for another form, or a moment beyond a uint32 */
export function parseTime(text: string, field = 'time'): number {
  const seconds = TIME.test(text) ? Date.parse(`${text}Z`) / 1000 : Number.NaN;
  // Formatting again detects dates that do not exist, such as 30 February, which the platform converts to March.
  const valid = seconds >= 0 && seconds <= TIMESTAMP_MAX && formatTime(seconds) === text;
  if (!valid) throw new FormatError(field, 'must be a time YYYY-MM-DDTHH:MM:SS of 1970 to 2106');
  return seconds;
}

/** Unix seconds, four bytes; JSON is `YYYY-MM-DDTHH:MM:SS`. */
export const time: Codec<number> = {
  ...uint32,
  name: 'time',
  toJson: formatTime,
  fromJson: (json) => parseTime(checkString(json), ''),
};
