import { FormatError, invariant, locate } from '../errors.ts';
import type { Codec } from './codec.ts';
import { checkArray } from './collections.ts';

/** The codecs of all fields, in the order of the encoding; `extensions` have a position there and none in memory. */
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
 * Fields in sequence; JSON is an object with their names in snake case. A field whose value is undefined is omitted
 * from memory and JSON.
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
      const source = checkObject(value);
      let current = '';
      try {
        for (const field of table) {
          current = field.jsonName;
          field.codec.write(writer, source[field.name]);
        }
      } catch (error) {
        throw locate(error, current);
      }
    },
    // Spelt out and not by `convert`: this is the hot path, and a closure would be made for every structure read.
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

/** The `type` of one alternative of a variant: follows from the tag, without bytes and JSON. */
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

/** A number as a varint, then its alternative; JSON is `[number, body]`. */
export function variant<T extends { readonly type: string }>(
  name: string,
  alternatives: Alternatives<T>,
): Codec<T> {
  const entries = Object.entries(alternatives) as [string, readonly [number, Codec<never>]][];
  // The table pairs a codec with its own type, which TypeScript can't see through a look-up by name or number.
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

/** Another form of the same value in memory; bytes and JSON stay. */
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

/** Extensions, of which no structure has any: an empty vector, `[]` or absent in JSON. */
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

/** Optional extensions, always absent: the same byte, and nothing in JSON. */
export const absentExtensions: Codec<undefined> = {
  ...emptyExtensions,
  toJson: () => undefined,
  fromJson(json) {
    if (json !== undefined) throw new FormatError('', 'must be absent');
    return undefined;
  },
};
