import { type Annotation, annotated, asComponent, type Described, nullable } from '../../json/schema.ts';
import { type Address, type Hash, readHex, toAddress, toHash } from '../../protocol/index.ts';
import { describeValue, shorten } from '../json/describe.ts';
import { InvalidParametersError } from '../rpc-errors.ts';

/** The path of a value among the parameters of a call, for messages. */
export interface ParameterPath {
  /** Undefined for a parameter itself. */
  readonly within: ParameterPath | undefined;
  /** The field or the index; of a parameter its number and name. */
  readonly key: string | number;
  /** True for one of several values where a single one is allowed, too. */
  readonly isEntry?: boolean;
  /** True for a parameter whose bytes may be written without 0x: one of the ledger's own interface. */
  readonly mayOmitPrefix?: boolean;
}

/** A kind of parameter, which reads and describes itself. */
export interface Schema<T> extends Described {
  /**
   * Reads a value of a request.
   *
   * @param value as `JSON.parse` gives it; undefined where it is absent
   * @throws InvalidParametersError that says what is wrong, and where
   */
  readonly read: (this: void, value: unknown, path: ParameterPath) => T;
  /** True if the value may be absent. */
  readonly isOptional?: boolean;
  /** Returns a value that was read in the form that other nodes accept, too. Absent: the form in which it came. */
  readonly canonical?: ((this: void, value: unknown) => unknown) | undefined;
}

/** Returns a value that a schema has read in the form that other nodes accept, too. */
export function canonicalOf({ canonical }: Schema<unknown>, value: unknown): unknown {
  return canonical === undefined || value === undefined || value === null ? value : canonical(value);
}

export type ReadBy<S> = S extends Schema<infer T> ? T : never;

/**
 * The error for a value that is not what it should be: it names the parameter as the method's description does, and
 * the path in it.
 *
 * @param problem what is wrong, which follows a colon
 * @param cause what was thrown where it was found out
 */
export function refusal(path: ParameterPath, problem: string, cause?: unknown): InvalidParametersError {
  const message = `invalid ${nameOf(path)}: ${problem}`;
  return cause === undefined
    ? new InvalidParametersError(message)
    : new InvalidParametersError(message, { cause });
}

/** Separates a parameter from its content by a colon, and entries as well; writes fields as paths. */
function nameOf({ within, key, isEntry }: ParameterPath): string {
  const own = typeof key === 'number' ? String(key) : shorten(key);
  if (within === undefined) return own;
  if (isEntry === true) return `${nameOf(within)}: entry ${own}`;
  return `${nameOf(within)}${within.within === undefined ? ': ' : '.'}${own}`;
}

/** Makes a schema whose value is converted once it is read; `make` may refuse it. */
export function mapped<T, U>(schema: Schema<T>, make: (value: T, path: ParameterPath) => U): Schema<U> {
  // Here as below: calling a function is faster than calling a member of a schema of unknown form.
  const { read } = schema;
  return { ...schema, read: (value, path) => make(read(value, path), path) };
}

/** A value and its path, for what is refused once more is known than the value itself. */
export interface WithPath<T> {
  readonly value: T;
  readonly path: ParameterPath;
}

/** Makes a schema whose value comes with its path. */
export function withPath<T>(schema: Schema<T>): Schema<WithPath<T>> {
  return mapped(schema, (value, path) => ({ value, path }));
}

/** Makes a schema whose value may be absent or null, and is `absent` then. */
export function optional<T>(schema: Schema<T>): Schema<T | undefined>;
export function optional<T, D>(schema: Schema<T>, absent: D): Schema<T | D>;
export function optional<T, D>(schema: Schema<T>, absent?: D): Schema<T | D | undefined> {
  const { read } = schema;
  return {
    isOptional: true,
    describe: (components) => nullable(schema.describe(components)),
    read: (value, path) => (value === undefined || value === null ? absent : read(value, path)),
  };
}

/** Adds a title or a description to a schema. */
export function explained<T>(schema: Schema<T>, annotation: Annotation): Schema<T> {
  return { ...schema, describe: (components) => annotated(schema.describe(components), annotation) };
}

/** Makes the schema of an optional field with its meaning. */
export function field<T>(schema: Schema<T>, description: string): Schema<T | undefined> {
  return explained(optional(schema), { description });
}

/** A field that clients add and that has no effect here. */
export const ignoredSchema: Schema<undefined> = {
  isOptional: true,
  describe: () => ({ description: 'Accepted, without effect.' }),
  read: () => undefined,
};

/** Makes a schema a named component of the description. */
export function named<T>(name: string, annotation: Annotation, schema: Schema<T>): Schema<T> {
  return {
    ...schema,
    describe: asComponent(name, (components) => annotated(schema.describe(components), annotation)),
  };
}

/** A positional parameter, with its name in messages and in the description of the interface. */
export interface Parameter<T> {
  readonly name: string;
  readonly schema: Schema<T>;
  /** Its purpose, where name and schema do not state it. */
  readonly summary?: string;
}

/** The types of the arguments of a handler. */
export type ArgumentsOf<P extends readonly Parameter<unknown>[]> = {
  readonly [I in keyof P]: ReadBy<P[I]['schema']>;
};

const NO_PARAMETERS: readonly unknown[] = [];

/**
 * The style of errors about parameters: the ledger's own, which counts from 1 and refuses surplus ones, or geth's,
 * which counts from 0 and ignores those.
 */
export type ErrorStyle = 'strict' | 'geth';

type Slot = ReturnType<typeof strictSlot>;

function strictSlot({ name, schema: { isOptional = false, read } }: Parameter<unknown>, index: number) {
  const key = `parameter ${index + 1} (${name})`;
  const path: ParameterPath = { within: undefined, key, mayOmitPrefix: true };
  return { read, path, missing: `missing parameter ${index + 1} (${name})`, isOptional };
}

function gethSlot(parameter: Parameter<unknown>, index: number): Slot {
  const key = `argument ${index} (${parameter.name})`;
  const missing = `missing value for required ${key}`;
  return { ...strictSlot(parameter, index), path: { within: undefined, key }, missing };
}

/**
 * Prepares reading the parameters of a method: they are positional. A method without any ignores what it is given.
 *
 * @returns reads what a call of the method, by one of its names, has in `params`; throws InvalidParametersError
 */
export function parametersReader<const P extends readonly Parameter<unknown>[]>(
  parameters: P,
): (given: unknown, method: string, style: ErrorStyle) => ArgumentsOf<P> {
  const slotsByStyle: Readonly<Record<ErrorStyle, readonly Slot[]>> = {
    strict: parameters.map(strictSlot),
    geth: parameters.map(gethSlot),
  };
  return (given, method, style) => {
    const slots = slotsByStyle[style];
    const values = given ?? NO_PARAMETERS;
    if (!Array.isArray(values)) {
      throw new InvalidParametersError(
        'invalid parameters: expected an array, parameters by name are not supported',
      );
    }
    if (values.length > slots.length && slots.length > 0 && style === 'strict') {
      throw new InvalidParametersError(
        `too many parameters: ${method} takes at most ${slots.length}, got ${values.length}`,
      );
    }
    const all: unknown[] = [];
    for (const { read, path, missing, isOptional } of slots) {
      const index = all.length;
      if (index >= values.length && !isOptional) throw new InvalidParametersError(missing);
      all.push(read(values[index], path));
    }
    // The values come from the schemas of these parameters, one each and in their order.
    return all as unknown as ArgumentsOf<P>;
  };
}

/** Returns parameters that were read in the form that other nodes accept, too, without surplus ones. */
export function canonicalParameters(parameters: readonly Parameter<unknown>[], given: unknown): unknown[] {
  const values = (given ?? NO_PARAMETERS) as readonly unknown[]; // it was read
  return parameters.slice(0, values.length).map(({ schema }, index) => canonicalOf(schema, values[index]));
}

const DIGITS = /^[0-9a-f]*$/i;

/** DATA of any size (docs/interface.md#value-types), as bytes. */
export const dataSchema = named(
  'DataParameter',
  { title: 'DATA', description: 'Bytes as hex with 0x, two digits a byte.' },
  hexadecimal('0x-prefixed hex', '([0-9a-fA-F]{2})*', (bytes) => bytes),
);

/** DATA of any size that is not taken for text: it always has its 0x. */
export const messageDataSchema: Schema<Uint8Array> = {
  ...dataSchema,
  read: (value, path) => dataSchema.read(value, { ...path, mayOmitPrefix: false }),
};

/** DATA of 20 bytes: an address. */
export const addressSchema: Schema<Address> = named(
  'AddressParameter',
  { title: 'DATA, 20 bytes', description: 'An address, in capital or small letters.' },
  fixed(20, toAddress),
);

/** DATA of 32 bytes: a hash. */
export const hashSchema: Schema<Hash> = named(
  'HashParameter',
  { title: 'DATA, 32 bytes', description: 'A hash.' },
  fixed(32, toHash),
);

/** Reads DATA, of exactly `size` bytes if given; returns undefined for anything else. */
export function readData(value: unknown, size?: number): Uint8Array | undefined {
  if (typeof value !== 'string' || !value.startsWith('0x')) return undefined;
  if (size !== undefined && value.length !== 2 + 2 * size) return undefined;
  return readHex(value.slice(2));
}

/** Reads the digits of DATA alone, where that is allowed (docs/interface.md#value-types). */
function readWithoutPrefix(
  value: unknown,
  size: number | undefined,
  { within, mayOmitPrefix = false }: ParameterPath,
): Uint8Array | undefined {
  if (within !== undefined) return readWithoutPrefix(value, size, within);
  return mayOmitPrefix && typeof value === 'string' ? readData(`0x${value}`, size) : undefined;
}

function fixed<T extends Uint8Array>(size: number, make: (bytes: Uint8Array) => T): Schema<T> {
  return hexadecimal(`${size} bytes of 0x-prefixed hex`, `[0-9a-fA-F]{${2 * size}}`, make, size);
}

/** Makes the schema of `0x` and pairs of hexadecimal digits, of exactly `size` bytes if given. */
function hexadecimal<T extends Uint8Array>(
  expected: string,
  digits: string,
  make: (bytes: Uint8Array) => T,
  size?: number,
): Schema<T> {
  return {
    describe: () => ({ type: 'string', pattern: `^0x${digits}$` }),
    read: (value, path) => {
      const bytes = readData(value, size) ?? readWithoutPrefix(value, size, path);
      if (bytes !== undefined) return make(bytes);
      throw refusal(path, `expected ${expected}, got ${problemOf(value, size)}`);
    },
  };
}

/** Describes a value that is no DATA. */
function problemOf(value: unknown, size: number | undefined): string {
  if (typeof value !== 'string') return describeValue(value);
  if (!value.startsWith('0x')) return 'a string without 0x';
  const digits = value.length - 2;
  if (size !== undefined && digits > 2 * size) return amountOf(digits);
  return DIGITS.test(value.slice(2)) ? amountOf(digits) : 'a string that is not hex';
}

function amountOf(digits: number): string {
  if (digits % 2 === 1) return `${digits} digit${digits === 1 ? '' : 's'}, which is odd`;
  return digits === 2 ? '1 byte' : `${digits / 2} bytes`;
}
