import type { ByteReader } from '../bytes/byte-reader.ts';
import { FormatError, invariant, locate } from '../protocol-errors.ts';
import { type Codec, encode } from './codec.ts';
import { readBoolean } from './scalars.ts';

/** An order: negative, zero or positive, as for Array.sort. */
export type Compare<T> = (left: T, right: T) => number;

/** Makes the codec of an optional value: `00`, or `01` and the value; undefined in memory and absent from JSON. */
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

/** Makes the codec of a last field that was added later: no bytes without a value, so that older records stay valid. */
export function atEnd<T>(codec: Codec<T>): Codec<T | undefined> {
  return {
    ...optional(codec),
    write(writer, value) {
      if (value !== undefined) codec.write(writer, value);
    },
    read: (reader) => (reader.remaining > 0 ? codec.read(reader) : undefined),
  };
}

/** Returns a value that must be an array. @throws {FormatError} for anything else */
function checkArray(value: unknown): readonly unknown[] {
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

/** Makes the codec of an array: a count as a varint, then the elements. */
export function vector<T>(codec: Codec<T>): Codec<readonly T[]> {
  return {
    name: 'vector',
    write(writer, values) {
      if (!Array.isArray(values)) checkArray(values);
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
      const problem =
        compare !== undefined && previous !== undefined ? disorder(compare(previous, value)) : '';
      if (problem !== '') throw reader.failure(problem, offset);
      values.push(value);
      previous = value;
    }
  } catch (error) {
    // The number of valid values is the index of the invalid one.
    throw locate(error, `[${values.length}]`);
  }
  return values;
}

/** Returns the problem of the order of two adjacent keys; empty if they ascend. */
function disorder(comparison: number): string {
  if (comparison === 0) return 'repeated key';
  return comparison > 0 ? 'keys are not sorted' : '';
}

/** Makes the codec of a sorted vector without duplicates. Writing sorts; reading, also of JSON, requires the order. */
export function set<T>(codec: Codec<T>, compare: Compare<T>): Codec<readonly T[]> {
  const plain = vector(codec);
  const checkRising = (values: readonly T[]) => {
    each(values, (value, index) => {
      const problem = index === 0 ? '' : disorder(compare(values[index - 1] as T, value));
      if (problem !== '') throw new FormatError('', problem);
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

/** Returns a function that encodes values as a vector, and returns its bytes and the part of each value. */
export function vectorEncoder<T>(
  element: Codec<T>,
): (values: readonly T[]) => { readonly bytes: Uint8Array; readonly elements: readonly Uint8Array[] } {
  let ends: number[] = [];
  const codec = vector<T>({
    ...element,
    write(writer, value) {
      if (ends.length === 0) ends.push(writer.length);
      element.write(writer, value);
      ends.push(writer.length);
    },
  });
  return (values) => {
    ends = [];
    const bytes = encode(codec, values);
    return { bytes, elements: values.map((_, index) => bytes.subarray(ends[index], ends[index + 1])) };
  };
}

/** Makes the codec of two values in sequence; JSON is an array of both. */
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

/** Makes the codec of a map: pairs sorted by key without duplicates. Writing sorts; reading requires the order. */
export function map<Key, Value>(
  key: Codec<Key>,
  value: Codec<Value>,
  compare: Compare<Key>,
): Codec<readonly (readonly [Key, Value])[]> {
  return { ...set(pair(key, value), (left, right) => compare(left[0], right[0])), name: 'map' };
}

/** The codecs of all fields, in the order of the encoding; `extensions` are encoded but not represented in memory. */
export type StructureFields<T> = { readonly [Key in keyof T]-?: Codec<T[Key]> } & {
  readonly extensions?: Codec<undefined>;
};

interface Field {
  readonly name: string;
  readonly jsonName: string;
  readonly codec: Codec<unknown>;
}

/** Converts `refBlockNum` to `ref_block_num`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * Makes the codec of a structure: fields in sequence; JSON is an object with their names in snake case. A field with
 * the value undefined is omitted from memory and JSON.
 *
 * @param jsonPrefix precedes every key of the JSON
 */
export function struct<T extends object>(
  name: string,
  fields: StructureFields<T>,
  jsonPrefix = '',
): Codec<T> {
  const table: readonly Field[] = Object.entries(fields).map(([fieldName, codec]) => ({
    name: fieldName,
    jsonName: jsonPrefix + snakeCase(fieldName),
    codec: codec as Codec<unknown>,
  }));
  /** Converts every field; an error has the field's JSON name in its path. */
  const convert = (from: (field: Field) => unknown, key: 'name' | 'jsonName') => {
    const result: Record<string, unknown> = {};
    let current = '';
    try {
      for (const field of table) {
        current = field.jsonName;
        const value = from(field);
        if (value !== undefined) result[field[key]] = value;
      }
    } catch (error) {
      throw locate(error, current);
    }
    return result;
  };
  return {
    name,
    write(writer, value) {
      const source = value as Record<string, unknown>;
      let current = '';
      try {
        for (const field of table) {
          current = field.jsonName;
          field.codec.write(writer, source[field.name]);
        }
      } catch (error) {
        // Whatever is no object fails for a field first.
        checkObject(value);
        throw locate(error, current);
      }
    },
    // Not by `convert`: on this hot path it would allocate a closure for every structure.
    read(reader) {
      const result: Record<string, unknown> = {};
      let current = '';
      try {
        for (const field of table) {
          current = field.jsonName;
          const value = field.codec.read(reader);
          if (value !== undefined) result[field.name] = value;
        }
      } catch (error) {
        throw locate(error, current);
      }
      return result as T;
    },
    toJson(value) {
      const source = value as Record<string, unknown>;
      return convert((field) => field.codec.toJson(source[field.name]), 'jsonName');
    },
    fromJson(json) {
      const source = checkObject(json);
      for (const key of Object.keys(source)) {
        if (!table.some((field) => field.jsonName === key)) throw new FormatError(key, 'unknown key');
      }
      const own = (key: string) => (Object.hasOwn(source, key) ? source[key] : undefined);
      return convert((field) => field.codec.fromJson(own(field.jsonName)), 'name') as T;
    },
  };
}

function checkObject(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new FormatError('', 'must be an object');
  }
  return value as Record<string, unknown>;
}

/** Makes the codec of the `type` of one alternative of a variant, which the tag implies: no bytes, no JSON. */
export function discriminator<Type extends string>(type: Type): Codec<Type> {
  return {
    name: 'type',
    write() {},
    read: () => type,
    toJson: () => undefined,
    fromJson(json) {
      if (json !== undefined) throw new FormatError('', 'unknown key');
      return type;
    },
  };
}

/** Each alternative's number in the encoding, and its codec. */
export type Alternatives<T extends { readonly type: string }> = {
  readonly [Type in T['type']]: readonly [tag: number, codec: Codec<Extract<T, { readonly type: Type }>>];
};

/** Makes the codec of a variant: a number as a varint, then its alternative; JSON is `[number, body]`. */
export function variant<T extends { readonly type: string }>(
  name: string,
  alternatives: Alternatives<T>,
): Codec<T> {
  const entries = Object.entries(alternatives) as [string, readonly [number, Codec<never>]][];
  // The table pairs each type with its codec, which TypeScript cannot infer for a look-up by name or number.
  const byType = new Map(
    entries.map(([type, [tag, codec]]) => [type, { tag, codec: codec as unknown as Codec<T> }]),
  );
  const byTag = new Map([...byType.values()].map(({ tag, codec }) => [tag, codec]));
  invariant(byTag.size === byType.size, `two alternatives of ${name} share a number`);
  const alternativeOf = (value: T) => {
    const alternative = byType.get(value?.type);
    if (alternative === undefined) throw new FormatError('', `unknown ${name}`);
    return alternative;
  };
  return {
    name,
    write(writer, value) {
      const { tag, codec } = alternativeOf(value);
      writer.writeVarint(tag);
      codec.write(writer, value);
    },
    read(reader) {
      const offset = reader.offset;
      const tag = reader.readVarint(Number.MAX_SAFE_INTEGER);
      const codec = byTag.get(tag);
      if (codec === undefined) throw reader.failure(`unknown ${name} ${tag}`, offset);
      return codec.read(reader);
    },
    toJson(value) {
      const { tag, codec } = alternativeOf(value);
      return [tag, codec.toJson(value)];
    },
    fromJson(json) {
      const parts = checkArray(json);
      const [tag, body] = parts;
      if (parts.length !== 2) throw new FormatError('', 'must be an array of a number and a body');
      const codec = typeof tag === 'number' ? byTag.get(tag) : undefined;
      if (codec === undefined) throw new FormatError('', `unknown ${name}`);
      return codec.fromJson(body);
    },
  };
}

/** Makes a codec with a different form of the value in memory; bytes and JSON are unchanged. */
export function mapped<Inner, Outer>(
  codec: Codec<Inner>,
  outer: (value: Inner) => Outer,
  inner: (value: Outer) => Inner,
): Codec<Outer> {
  return {
    name: codec.name,
    write: (writer, value) => codec.write(writer, inner(value)),
    read: (reader) => outer(codec.read(reader)),
    toJson: (value) => codec.toJson(inner(value)),
    fromJson: (json) => outer(codec.fromJson(json)),
  };
}

/** The codec of extensions, which are always empty: an empty vector, `[]` or absent in JSON. */
export const emptyExtensions: Codec<undefined> = {
  name: 'extensions',
  write: (writer) => writer.writeUint8(0),
  read(reader) {
    const offset = reader.offset;
    if (reader.readUint8() !== 0) throw reader.failure('must be empty', offset);
    return undefined;
  },
  toJson: () => [],
  fromJson(json) {
    if (json !== undefined && checkArray(json).length !== 0) throw new FormatError('', 'must be empty');
    return undefined;
  },
};

/** The codec of optional extensions, which are always absent: the same byte, and nothing in JSON. */
export const absentExtensions: Codec<undefined> = {
  ...emptyExtensions,
  toJson: () => undefined,
  fromJson(json) {
    if (json !== undefined) throw new FormatError('', 'must be absent');
    return undefined;
  },
};
