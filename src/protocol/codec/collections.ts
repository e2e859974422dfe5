import type { ByteReader } from '../bytes/byte-reader.ts';
import { FormatError, locate } from '../errors.ts';
import type { Codec } from './codec.ts';
import { readBoolean } from './numbers.ts';

/** An order: negative, zero or positive, as for Array.sort. */
export type Compare<T> = (left: T, right: T) => number;

/** `00`, or `01` and the value; undefined in memory, and absent from JSON, without one. */
export function optional<T>(codec: Codec<T>): Codec<T | undefined> {
  return {
    name: codec.name,
    write(writer, value) {
      writer.writeUint8(value === undefined ? 0 : 1);
      if (value !== undefined) codec.write(writer, value);
    },
    read: (reader) => (readBoolean(reader) ? codec.read(reader) : undefined),
    toJson: (value) => (value === undefined ? undefined : codec.toJson(value)),
    fromJson: (json) => (json === undefined ? undefined : codec.fromJson(json)),
  };
}

/**
 * The last field of a record of this program, added later: no bytes without a value, so that older records stay valid.
 */
export function atEnd<T>(codec: Codec<T>): Codec<T | undefined> {
  return {
    name: codec.name,
    write(writer, value) {
      if (value !== undefined) codec.write(writer, value);
    },
    read: (reader) => (reader.remaining > 0 ? codec.read(reader) : undefined),
    toJson: (value) => (value === undefined ? undefined : codec.toJson(value)),
    fromJson: (json) => (json === undefined ? undefined : codec.fromJson(json)),
  };
}

/** Returns a value that must be an array. @throws {FormatError} for anything else */
export function checkArray(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new FormatError('', 'must be an array');
  return value;
}

/** Converts each element; an error has the element's index in its path. */
function each<T, U>(elements: readonly T[], convert: (element: T, index: number) => U): U[] {
  let current = 0;
  try {
    return elements.map((element, index) => {
      current = index;
      return convert(element, index);
    });
  } catch (error) {
    throw locate(error, `[${current}]`);
  }
}

/** A count as a varint, then the elements. */
export function vector<T>(codec: Codec<T>): Codec<readonly T[]> {
  return {
    name: 'vector',
    write(writer, values) {
      checkArray(values);
      writer.writeVarint(values.length);
      let index = 0;
      try {
        for (; index < values.length; index++) codec.write(writer, values[index] as T);
      } catch (error) {
        throw locate(error, `[${index}]`);
      }
    },
    read: (reader) => readElements(reader, codec, undefined),
    toJson: (values) => values.map((value) => codec.toJson(value)),
    fromJson: (json) => each(checkArray(json), (element) => codec.fromJson(element)),
  };
}

/** Reads a count and the elements, strictly ascending if there is an order. */
function readElements<T>(reader: ByteReader, codec: Codec<T>, compare: Compare<T> | undefined): T[] {
  const count = reader.readCount();
  const values: T[] = [];
  try {
    let previous: T | undefined;
    for (let index = 0; index < count; index++) {
      const offset = reader.offset;
      const value = codec.read(reader);
      const fault = compare !== undefined && previous !== undefined ? disorder(compare(previous, value)) : '';
      if (fault !== '') throw reader.failure(fault, offset);
      values.push(value);
      previous = value;
    }
  } catch (error) {
    // The values so far were good: their number is the index of the one that was not.
    throw locate(error, `[${values.length}]`);
  }
  return values;
}

/** Returns the fault of two neighbouring keys; empty if they ascend. */
function disorder(comparison: number): string {
  if (comparison === 0) return 'repeated key';
  return comparison > 0 ? 'keys are not sorted' : '';
}

/** A sorted vector without duplicates. Writing sorts; reading, also of JSON, requires the order. */
export function set<T>(codec: Codec<T>, compare: Compare<T>): Codec<readonly T[]> {
  const plain = vector(codec);
  const checkRising = (values: readonly T[]) => {
    each(values, (value, index) => {
      const fault = index === 0 ? '' : disorder(compare(values[index - 1] as T, value));
      if (fault !== '') throw new FormatError('', fault);
    });
    return values;
  };
  const sorted = (values: readonly T[]) => (values.length < 2 ? values : [...values].sort(compare));
  return {
    name: 'set',
    write(writer, values) {
      checkArray(values);
      plain.write(writer, checkRising(sorted(values)));
    },
    read: (reader) => readElements(reader, codec, compare),
    toJson: (values) => plain.toJson(sorted(values)),
    fromJson: (json) => checkRising(plain.fromJson(json)),
  };
}

/** Two values in sequence; JSON is an array of both. */
export function pair<Left, Right>(left: Codec<Left>, right: Codec<Right>): Codec<readonly [Left, Right]> {
  return {
    name: 'pair',
    write(writer, value) {
      left.write(writer, value[0]);
      right.write(writer, value[1]);
    },
    read: (reader) => [left.read(reader), right.read(reader)],
    toJson: (value) => [left.toJson(value[0]), right.toJson(value[1])],
    fromJson(json) {
      const parts = checkArray(json);
      if (parts.length !== 2) throw new FormatError('', 'must be an array of two');
      return [left.fromJson(parts[0]), right.fromJson(parts[1])];
    },
  };
}

/** Pairs of key and value, sorted by key without duplicates. Writing sorts; reading requires the order. */
export function map<Key, Value>(
  key: Codec<Key>,
  value: Codec<Value>,
  compare: Compare<Key>,
): Codec<readonly (readonly [Key, Value])[]> {
  return { ...set(pair(key, value), (left, right) => compare(left[0], right[0])), name: 'map' };
}
