import type { z } from 'zod';

/** What a quick reader says of a value that has not the common form. */
export const UNCOMMON: unique symbol = Symbol('uncommon');

/**
 * Reads the common form of a parameter: returns exactly what the schema makes of the value, or `UNCOMMON`. A value
 * that the schema refuses is always uncommon, so that messages come from the schema alone.
 */
export type QuickReader<T> = (value: unknown) => T | typeof UNCOMMON;

const readers = new WeakMap<z.ZodType, QuickReader<unknown>>();

/** Gives a schema a quick reader, which spares most parameters the work of the schema. */
export function withQuickReader<S extends z.ZodType>(schema: S, reader: QuickReader<z.output<S>>): S {
  readers.set(schema, reader);
  return schema;
}

/** The quick reader of a schema; undefined where it has none. */
export function quickReaderOf(schema: z.ZodType): QuickReader<unknown> | undefined {
  return readers.get(schema);
}
