import {
  type Annotation,
  annotated,
  asComponent,
  type Described,
  nullable as nullableSchema,
  objectSchema,
} from '../json/schema.ts';
import type { Hexadecimal } from '../protocol/index.ts';

/** The shape of a value in responses: its JSON Schema and its type. */
export interface Shape<T> extends Described {
  /** Never set: carries the type of the value. */
  readonly value?: T;
}

export interface OptionalField<T> extends Shape<T> {
  readonly isOptional: true;
}

export type ValueOf<S> = S extends Shape<infer T> ? T : never;

type Fields = Readonly<Record<string, Shape<unknown>>>;
type OptionalKeys<F> = { [K in keyof F]: F[K] extends OptionalField<unknown> ? K : never }[keyof F];

type ObjectOf<F extends Fields> = {
  readonly [K in Exclude<keyof F, OptionalKeys<F>>]: ValueOf<F[K]>;
} & { readonly [K in OptionalKeys<F>]?: ValueOf<F[K]> };

/** Describes an object of exactly these fields. */
export function object<const F extends Fields>(fields: F): Shape<ObjectOf<F>> {
  return { describe: (components) => objectSchema(fields, components) };
}

export function optional<T>(shape: Shape<T>): OptionalField<T> {
  return { describe: shape.describe, isOptional: true };
}

/** Describes an array of any number of values, or of at most `most`. */
export function array<T>(items: Shape<T>, most?: number): Shape<readonly T[]> {
  const bound = most === undefined ? {} : { maxItems: most };
  return { describe: (components) => ({ type: 'array', items: items.describe(components), ...bound }) };
}

/** Describes an object with arbitrary keys. */
export function record<T>(value: Shape<T>, key?: Shape<string>): Shape<Readonly<Record<string, T>>> {
  return {
    describe: (components) => ({
      type: 'object',
      ...(key === undefined ? {} : { propertyNames: key.describe(components) }),
      additionalProperties: value.describe(components),
    }),
  };
}

export function nullable<T>(shape: Shape<T>): Shape<T | null> {
  return { describe: (components) => nullableSchema(shape.describe(components)) };
}

/** Describes a value of one shape or of another. */
export function either<A, B>(one: Shape<A>, other: Shape<B>): Shape<A | B> {
  return { describe: (components) => ({ anyOf: [one.describe(components), other.describe(components)] }) };
}

export function constant<const T extends string | boolean>(value: T): Shape<T> {
  return { describe: () => ({ type: typeof value, const: value }) };
}

export function described<T>(shape: Shape<T>, description: string): Shape<T> {
  return { describe: (components) => annotated(shape.describe(components), { description }) };
}

/** Describes a shape as a named component of the document. */
export function named<T>(name: string, annotation: Annotation, shape: Shape<T>): Shape<T> {
  return { describe: asComponent(name, (components) => annotated(shape.describe(components), annotation)) };
}

/** Describes an object without its fields. */
export function anyObject(annotation: Annotation = {}): Shape<object> {
  return { describe: () => annotated({ type: 'object' }, annotation) };
}

export const anything: Shape<unknown> = { describe: () => ({}) };
export const text: Shape<string> = { describe: () => ({ type: 'string' }) };
export const flag: Shape<boolean> = { describe: () => ({ type: 'boolean' }) };
export const number: Shape<number> = { describe: () => ({ type: 'number' }) };
export const integer: Shape<number> = { describe: () => ({ type: 'integer' }) };
const nullShape: Shape<null> = { describe: () => ({ type: 'null' }) };
export const emptyArray: Shape<readonly never[]> = {
  describe: () => ({ type: 'array', items: { not: {} } }),
};

/** QUANTITY without leading zero digits. */
export const quantity = hexadecimal('Quantity', 'QUANTITY', '^0x(0|[1-9a-f][0-9a-f]*)$');
/** DATA of any size. */
export const data = hexadecimal('Data', 'DATA', '^0x([0-9a-f]{2})*$');
export const address = bytes('Address', 20);
export const hash = bytes('Hash', 32);

/** Describes DATA of a fixed size as a named component. */
export function bytes(name: string, size: number): Shape<Hexadecimal> {
  return hexadecimal(name, `DATA, ${size} bytes`, `^0x[0-9a-f]{${2 * size}}$`);
}

function hexadecimal(name: string, title: string, pattern: string): Shape<Hexadecimal> {
  return { describe: asComponent(name, () => ({ type: 'string', pattern, title })) };
}

export { nullShape as null };
