import { bytesToHex, hexToBytes } from '../bytes/bytes.ts';
import { FormatError } from '../errors.ts';
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
