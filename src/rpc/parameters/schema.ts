import { type Annotation, annotated, asComponent, type Described, nullable } from '../../json-schema.ts';
import { InvalidParametersError } from '../errors.ts';
import { shorten } from '../json/describe.ts';

/** The path of a value among the parameters of a call, for messages. */
export interface Place {
  /** Undefined for a parameter itself. */
  readonly within: Place | undefined;
  /** The field or the index; of a parameter its number and name. */
  readonly key: string | number;
  /** True for one of several values where a single one is allowed, too. */
  readonly isEntry?: boolean;
}

/** A kind of parameter, which reads and describes itself. */
export interface Schema<T> extends Described {
  /**
   * Reads a value of a request.
   *
   * @param value as `JSON.parse` gives it; undefined where it is absent
   * @throws InvalidParametersError that says what is wrong, and where
   */
  readonly read: (this: void, value: unknown, place: Place) => T;
  /** True if the value may be absent. */
  readonly isOptional?: boolean;
}

/** The type of what a schema reads. */
export type ReadBy<S> = S extends Schema<infer T> ? T : never;

/**
 * The error for a value that is not what it should be: it names the parameter as the method's description does, and
 * the place in it.
 *
 * @param problem what is wrong, which follows a colon
 * @param cause what was thrown where it was found out
 */
export function refusal(place: Place, problem: string, cause?: unknown): InvalidParametersError {
  const message = `invalid ${nameOf(place)}: ${problem}`;
  return cause === undefined
    ? new InvalidParametersError(message)
    : new InvalidParametersError(message, { cause });
}

/** Separates a parameter from its content by a colon, and entries as well; writes fields as paths. */
function nameOf({ within, key, isEntry }: Place): string {
  const own = typeof key === 'number' ? String(key) : shorten(key);
  if (within === undefined) return own;
  if (isEntry === true) return `${nameOf(within)}: entry ${own}`;
  return `${nameOf(within)}${within.within === undefined ? ': ' : '.'}${own}`;
}

/** Makes a schema whose value is converted once it is read; `make` may refuse it. */
export function mapped<T, U>(schema: Schema<T>, make: (value: T, place: Place) => U): Schema<U> {
  // Here as below: calling a function is faster than calling a member of a schema of unknown form.
  const { read } = schema;
  return { ...schema, read: (value, place) => make(read(value, place), place) };
}

/** A value and its path, for what is refused once more is known than the value itself. */
export interface Placed<T> {
  readonly value: T;
  readonly place: Place;
}

/** Makes a schema whose value comes with its path. */
export function placed<T>(schema: Schema<T>): Schema<Placed<T>> {
  return mapped(schema, (value, place) => ({ value, place }));
}

/** Makes a schema whose value may be absent or null, and is `absent` then. */
export function optional<T>(schema: Schema<T>): Schema<T | undefined>;
export function optional<T, D>(schema: Schema<T>, absent: D): Schema<T | D>;
export function optional<T, D>(schema: Schema<T>, absent?: D): Schema<T | D | undefined> {
  const { read } = schema;
  return {
    isOptional: true,
    describe: (components) => nullable(schema.describe(components)),
    read: (value, place) => (value === undefined || value === null ? absent : read(value, place)),
  };
}

/** Adds a title or a description to a schema. */
export function explained<T>(schema: Schema<T>, annotation: Annotation): Schema<T> {
  return { ...schema, describe: (components) => annotated(schema.describe(components), annotation) };
}

/** Makes a schema a named component of the description. */
export function named<T>(name: string, annotation: Annotation, schema: Schema<T>): Schema<T> {
  return {
    ...schema,
    describe: asComponent(name, (components) => annotated(schema.describe(components), annotation)),
  };
}
