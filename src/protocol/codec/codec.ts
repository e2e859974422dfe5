import { ByteReader } from '../bytes/byte-reader.ts';
import { ByteWriter } from '../bytes/byte-writer.ts';
import { locate } from '../errors.ts';

/**
 * One declaration of a value's two forms: its only binary encoding and its JSON. Parts do not know where they lie: the
 * error of a part is relative, and whoever holds the part adds the path when the error passes through.
 */
export interface Codec<T> {
  /** Names the value in error messages when it is not a field of something. */
  readonly name: string;
  /** Appends the encoding. @throws {FormatError} for a value that the format can't hold. */
  write(writer: ByteWriter, value: T): void;
  /** Reads one encoding. @throws {DecodeError} unless it is the one that `write` gives. */
  read(reader: ByteReader): T;
  /** The JSON form; undefined means that a structure leaves the key out. */
  toJson(value: T): unknown;
  /** Takes the JSON form, undefined where the key is absent. @throws {FormatError} for anything else. */
  fromJson(json: unknown): T;
}

/** A writer beyond this size goes to the garbage collector and not to the next call. */
const KEPT_WRITER_BYTES = 256 * 1024;

/** The writer of the next call; taken out while it is in use, so that a nested call makes its own. */
let idleWriter: ByteWriter | undefined;

/**
 * The binary encoding of a value.
 *
 * @param field what the value is called in errors; the codec's own name by default.
 * @throws {FormatError} for a value that the format can't hold, with the path of the field.
 */
export function encode<T>(codec: Codec<T>, value: T, field = codec.name): Uint8Array {
  const writer = idleWriter ?? new ByteWriter();
  idleWriter = undefined;
  try {
    codec.write(writer, value);
    return writer.finish();
  } catch (error) {
    throw locate(error, field);
  } finally {
    writer.reset();
    if (writer.capacity <= KEPT_WRITER_BYTES) idleWriter = writer;
  }
}

/**
 * The value of a binary encoding that takes up the whole input. Encoding the value again gives the same bytes.
 *
 * @param field what the value is called in errors; the codec's own name by default.
 * @throws {DecodeError} with the path of the field and the offset.
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

/** The JSON form of a value, as JSON.stringify takes it. */
export function toJson<T>(codec: Codec<T>, value: T): unknown {
  return codec.toJson(value);
}

/**
 * The value of a JSON form, as JSON.parse gives it.
 *
 * @param field what the value is called in errors; the codec's own name by default.
 * @throws {FormatError} with the path of the field.
 */
export function fromJson<T>(codec: Codec<T>, json: unknown, field = codec.name): T {
  try {
    return codec.fromJson(json);
  } catch (error) {
    throw locate(error, field);
  }
}
