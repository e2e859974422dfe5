import { type Annotation, annotated, asComponent, type Described, nullable } from '../../json-schema.ts';
import { InvalidParametersError } from '../errors.ts';
import { shorten } from '../json/describe.ts';

/** Where a value stands among the parameters of a call, for messages. */
export interface Place {
  /** Undefined for a parameter itself. */
  readonly within: Place | undefined;
  /** The field or the index; of a parameter its number and name. */
  readonly key: string | number;
  /** Whether it is one of several values where a single one could stand, too. */
  readonly isEntry?: boolean;
}

/** A kind of parameter: how it is read, and how it is described. */
export interface Schema<T> extends Described {
  /**
   * Reads a value of a request.
   *
   * @param value as `JSON.parse` gives it; undefined where it is absent
   * @throws InvalidParametersError that says what is wrong, and where
   */
  readonly read: (this: void, value: unknown, place: Place) => T;
  /** Whether the value may be absent. */
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

/** A parameter is told from what is in it by a colon, and so are entries; fields are written as paths. */
function nameOf({ within, key, isEntry }: Place): string {
  const own = typeof key === 'number' ? String(key) : shorten(key);
  if (within === undefined) return own;
  if (isEntry === true) return `${nameOf(within)}: entry ${own}`;
  return `${nameOf(within)}${within.within === undefined ? ': ' : '.'}${own}`;
}

/** A value that is read by one schema and then made into something else; `make` may refuse it. */
export function mapped<T, U>(schema: Schema<T>, make: (value: T, place: Place) => U): Schema<U> {
  // Here as below: called as a function of its own it is called sooner than as a member of whatever schema.
  const { read } = schema;
  return { ...schema, read: (value, place) => make(read(value, place), place) };
}

/** A value, and where it stands: for what is refused once more is known than the value itself. */
export interface Placed<T> {
  readonly value: T;
  readonly place: Place;
}

/** A value together with where it stands. */
export function placed<T>(schema: Schema<T>): Schema<Placed<T>> {
  return mapped(schema, (value, place) => ({ value, place }));
}

/** A value that may be absent or null, which is undefined then, or what else is given here. */
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

/** Says of a schema what is not to be seen from it. */
export function explained<T>(schema: Schema<T>, annotation: Annotation): Schema<T> {
  return { ...schema, describe: (components) => annotated(schema.describe(components), annotation) };
}

/** Gives a schema a name among the components of the description, and what is said of it there. */
export function named<T>(name: string, annotation: Annotation, schema: Schema<T>): Schema<T> {
  return {
    ...schema,
    describe: asComponent(name, (components) => annotated(schema.describe(components), annotation)),
  };
}
