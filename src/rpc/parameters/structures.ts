import { type JsonSchema, objectSchema } from '../../json/schema.ts';
import type { Address } from '../../protocol/index.ts';
import { describeValue, shorten } from '../json/describe.ts';
import {
  addressSchema,
  canonicalOf,
  type ParameterPath,
  type ReadBy,
  refusal,
  type Schema,
} from './schema.ts';

type Fields = Readonly<Record<string, Schema<unknown>>>;

/** A new object with the values of the fields; those that are absent are undefined. */
type ObjectRead<F extends Fields> = { -readonly [K in keyof F]: ReadBy<F[K]> };

/** The path for reading absent values, which no message names. */
const NOWHERE: ParameterPath = { within: undefined, key: '' };

/** Returns the members of an object. @throws InvalidParametersError for anything else */
export function membersOf(value: unknown, path: ParameterPath): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw refusal(path, `expected an object, got ${describeValue(value)}`);
  }
  return value as Readonly<Record<string, unknown>>; // an object that is no array has members by name
}

/** Makes the schema of an object with these fields. Any other field is refused, or ignored. */
export function objectOf<const F extends Fields>(
  fields: F,
  others: 'refused' | 'ignored' = 'refused',
): Schema<ObjectRead<F>> {
  const entries = Object.entries(fields);
  const readers = new Map(entries.map(([key, { read }]) => [key, read]));
  const required = entries.filter(([, { isOptional }]) => isOptional !== true);
  // Every value begins as a copy of it, so that all have one hidden class, which their users read faster.
  const blank = Object.fromEntries(
    entries.map(([key, { isOptional, read }]) => [key, isOptional ? read(undefined, NOWHERE) : undefined]),
  );
  const schemas = new Map(entries);
  return {
    canonical: (value) =>
      Object.fromEntries(
        Object.entries(Object(value)).map(([key, member]) => {
          const schema = schemas.get(key);
          return [key, schema === undefined ? member : canonicalOf(schema, member)];
        }),
      ),
    describe: (components) => {
      const schema = objectSchema(fields, components);
      return others === 'refused' ? schema : { ...schema, additionalProperties: true };
    },
    read: (value, path) => {
      const members = membersOf(value, path);
      const read: Record<string, unknown> = { ...blank };
      // The result of JSON.parse has no inherited members.
      for (const key in members) {
        const reader = readers.get(key);
        if (reader !== undefined) read[key] = reader(members[key], { within: path, key });
        else if (others === 'refused') {
          throw refusal(path, `unknown key ${JSON.stringify(shorten(key))}`);
        }
      }
      for (const [key, schema] of required) {
        if (!Object.hasOwn(members, key)) read[key] = schema.read(undefined, { within: path, key });
      }
      return read as ObjectRead<F>; // each field by its own schema; one that is required throws where it is absent
    },
  };
}

/** The bound of the length of an array. */
interface Bound {
  readonly most: number;
  /** The plural noun for the values in a message. */
  readonly unit: string;
}

export function arrayOf<T>(items: Schema<T>, bound?: Bound): Schema<readonly T[]> {
  return {
    canonical: (value) => (value as unknown[]).map((item) => canonicalOf(items, item)), // it was read
    describe: (components) => describeArray(items.describe(components), bound),
    read: (value, path) => {
      if (!Array.isArray(value)) throw refusal(path, `expected an array, got ${describeValue(value)}`);
      checkBound(value, bound, path);
      return value.map((item, key) => items.read(item, { within: path, key }));
    },
  };
}

/** Makes the schema of an array of exactly two values. */
export function pairOf<A, B>(one: Schema<A>, other: Schema<B>): Schema<readonly [A, B]> {
  return {
    canonical: (value) => {
      const [first, second] = value as unknown[]; // it was read
      return [canonicalOf(one, first), canonicalOf(other, second)];
    },
    describe: (components) => ({
      type: 'array',
      prefixItems: [one.describe(components), other.describe(components)],
      minItems: 2,
      maxItems: 2,
    }),
    read: (value, path) => {
      if (!Array.isArray(value)) throw refusal(path, `expected an array, got ${describeValue(value)}`);
      if (value.length !== 2) throw refusal(path, `expected two values, got ${value.length}`);
      const [first, second]: unknown[] = value;
      return [one.read(first, { within: path, key: 0 }), other.read(second, { within: path, key: 1 })];
    },
  };
}

/** Makes the schema of a value or an array of such values. */
export function oneOrMore<T>(items: Schema<T>, bound: Bound): Schema<readonly T[]> {
  return {
    canonical: (value) =>
      Array.isArray(value) ? value.map((item) => canonicalOf(items, item)) : canonicalOf(items, value),
    describe: (components) => {
      const item = items.describe(components);
      return { anyOf: [describeArray(item, bound), item] };
    },
    read: (value, path) => {
      if (!Array.isArray(value)) return [items.read(value, path)];
      checkBound(value, bound, path);
      return value.map((item, key) => items.read(item, { within: path, key, isEntry: true }));
    },
  };
}

function describeArray(items: JsonSchema, bound: Bound | undefined): JsonSchema {
  return { type: 'array', items, ...(bound === undefined ? {} : { maxItems: bound.most }) };
}

function checkBound({ length }: readonly unknown[], bound: Bound | undefined, path: ParameterPath): void {
  if (bound === undefined || length <= bound.most) return;
  throw refusal(path, `expected at most ${bound.most} ${bound.unit}, got ${length}`);
}

/** Makes the schema of an object with any keys, read as its entries in their order. */
export function entriesOf<K, V>(
  keys: Schema<K>,
  values: Schema<V>,
): Schema<readonly (readonly [key: K, value: V])[]> {
  return {
    canonical: (value) =>
      Object.fromEntries(
        Object.entries(Object(value)).map(([key, member]) => [
          canonicalOf(keys, key),
          canonicalOf(values, member),
        ]),
      ),
    describe: (components) => ({
      type: 'object',
      propertyNames: keys.describe(components),
      additionalProperties: values.describe(components),
    }),
    read: (value, path) =>
      Object.entries(membersOf(value, path)).map(([key, member]) => {
        const at = { within: path, key };
        return [keys.read(key, at), values.read(member, at)] as const;
      }),
  };
}

/** Makes the schema of an object whose keys are addresses; two spellings of one address are refused. */
export function entriesByAddress<T>(
  value: Schema<T>,
): Schema<readonly (readonly [address: Address, value: T])[]> {
  const entries = entriesOf(addressSchema, value);
  return {
    ...entries,
    read: (given, path) => {
      const seen = new Set<string>();
      for (const key of Object.keys(membersOf(given, path))) {
        const spelling = key.toLowerCase();
        if (seen.has(spelling)) throw refusal({ within: path, key }, 'duplicate address');
        seen.add(spelling);
      }
      return entries.read(given, path);
    },
  };
}
