import { ByteReader } from '../bytes/byte-reader.ts';
import { ByteWriter } from '../bytes/byte-writer.ts';
import { locate } from '../protocol-errors.ts';

/**
 * The two forms of a type of value: its canonical binary encoding and its JSON. The error of a part has a relative
 * path: the enclosing structure prepends its own name (`locate`).
 */
export interface Codec<T> {
  /** The value's name in error messages when it is not a field. */
  readonly name: string;
  /** Appends the encoding. @throws {FormatError} for a value that the format cannot hold */
  write(writer: ByteWriter, value: T): void;
  /** Reads one encoding. @throws {DecodeError} unless `write` produces the same */
  read(reader: ByteReader): T;
  /** Returns the JSON form; undefined makes a structure omit the key. */
  toJson(value: T): unknown;
  /** Reads the JSON form, undefined where the key is absent. @throws {FormatError} for anything else */
  fromJson(json: unknown): T;
}

/** Most bytes of an encoding after which its writer is reused. */
const REUSED_WRITER_BYTES = 256 * 1024;

/** The writer of the next call; undefined while in use, so that a nested call creates another. */
let idleWriter: ByteWriter | undefined;

/**
 * Encodes a value.
 *
 * @param field the value's name in errors; the codec's own name by default
 * @throws {FormatError} for a value that the format cannot hold, with the path of the field
 */
export function encode<T>(codec: Codec<T>, value: T, field = codec.name): Uint8Array {
  return encodeAfter(undefined, codec, value, field);
}

/** Encodes a value behind bytes that precede it; undefined: none. Parameters and error as above. */
export function encodeAfter<T>(
  start: Uint8Array | undefined,
  codec: Codec<T>,
  value: T,
  field = codec.name,
): Uint8Array {
  const writer = idleWriter ?? new ByteWriter();
  idleWriter = undefined;
  try {
    codec.write(writer, value);
    const bytes = writer.finish(start);
    if (bytes.length <= REUSED_WRITER_BYTES) idleWriter = writer;
    return bytes;
  } catch (error) {
    throw locate(error, field);
  }
}

/**
 * Decodes a value from all bytes of the input. Encoding it again results in the same bytes.
 *
 * @param field the value's name in errors; the codec's own name by default
 * @throws {DecodeError} with the path of the field and the offset
 */
export function decode<T>(codec: Codec<T>, bytes: Uint8Array, field = codec.name): T {
  const reader = new ByteReader(bytes);
  try {
    const value = codec.read(reader);
    if (reader.remaining > 0) throw reader.failure(`${reader.remaining} bytes too many`, reader.offset);
    return value;
  } catch (error) {
    throw locate(error, field);
  }
}

/** Returns the JSON form of a value, as JSON.stringify takes it. */
export function toJson<T>(codec: Codec<T>, value: T): unknown {
  return codec.toJson(value);
}

/**
 * Reads the JSON form of a value, as JSON.parse returns it; `field` as in `decode`. @throws {FormatError} with the path
 */
export function fromJson<T>(codec: Codec<T>, json: unknown, field = codec.name): T {
  try {
    return codec.fromJson(json);
  } catch (error) {
    throw locate(error, field);
  }
}
