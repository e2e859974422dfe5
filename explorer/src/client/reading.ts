import { ResponseError } from './errors.ts';

/** Text of hexadecimal digits with `0x`. */
export type Hex = `0x${string}`;

/** An object of a response. */
export type Fields = Readonly<Record<string, unknown>>;

const HEX = /^0x[0-9a-f]*$/i;

/** @throws ResponseError for anything but an object */
export function fieldsOf(value: unknown): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw new ResponseError(`the node returned ${shown(value)} instead of an object`);
}

/** @throws ResponseError for anything but a list */
export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new ResponseError(`the node returned ${shown(value)} instead of a list`);
}

/** @throws ResponseError for anything but hexadecimal digits with `0x` */
export function hexOf(value: unknown): Hex {
  // The pattern is that of the type.
  if (typeof value === 'string' && HEX.test(value)) return value.toLowerCase() as Hex;
  throw new ResponseError(`the node returned ${shown(value)} instead of bytes`);
}

/** The same, and undefined for null or nothing. */
export function hexOrNone(value: unknown): Hex | undefined {
  return value === null || value === undefined || value === '' ? undefined : hexOf(value);
}

/** A quantity: hexadecimal digits, or a whole number. @throws ResponseError for anything else */
export function quantityOf(value: unknown): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  if (typeof value === 'string' && /^(0x[0-9a-f]+|-?\d+)$/i.test(value)) return BigInt(value);
  throw new ResponseError(`the node returned ${shown(value)} instead of a number`);
}

/**
 * Reads a small number, such as a block number.
 * @throws ResponseError for anything else
 */
export function numberOf(value: unknown): number {
  const number = Number(quantityOf(value));
  if (Number.isSafeInteger(number)) return number;
  throw new ResponseError(`the node returned ${shown(value)}, which is too large`);
}

/** @throws ResponseError for anything but a text */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new ResponseError(`the node returned ${shown(value)} instead of a text`);
}

/** Reads a value that may be absent. */
export function optional<T>(value: unknown, read: (value: unknown) => T): T | undefined {
  return value === null || value === undefined ? undefined : read(value);
}

function shown(value: unknown): string {
  const text = typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? 'nothing');
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}

const SHOWN_CHARACTERS = 60;
