import { AnswerError } from './errors.ts';

/** Text of hexadecimal digits with `0x`. */
export type Hex = `0x${string}`;

/** An object of an answer. */
export type Fields = Readonly<Record<string, unknown>>;

const HEX = /^0x[0-9a-f]*$/i;

/** @throws AnswerError for anything but an object */
export function fieldsOf(value: unknown): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw new AnswerError(`the node answered ${shown(value)} in place of an object`);
}

/** @throws AnswerError for anything but a list */
export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new AnswerError(`the node answered ${shown(value)} in place of a list`);
}

/** @throws AnswerError for anything but hexadecimal digits with `0x` */
export function hexOf(value: unknown): Hex {
  // The pattern is that of the type.
  if (typeof value === 'string' && HEX.test(value)) return value.toLowerCase() as Hex;
  throw new AnswerError(`the node answered ${shown(value)} in place of bytes`);
}

/** The same, and undefined for null or nothing. */
export function hexOrNone(value: unknown): Hex | undefined {
  return value === null || value === undefined || value === '' ? undefined : hexOf(value);
}

/** A quantity: hexadecimal digits, or a whole number. @throws AnswerError for anything else */
export function quantityOf(value: unknown): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  if (typeof value === 'string' && /^(0x[0-9a-f]+|-?\d+)$/i.test(value)) return BigInt(value);
  throw new AnswerError(`the node answered ${shown(value)} in place of a number`);
}

/** The same for what is small, such as the number of a block. @throws AnswerError for anything else */
export function numberOf(value: unknown): number {
  const number = Number(quantityOf(value));
  if (Number.isSafeInteger(number)) return number;
  throw new AnswerError(`the node answered ${shown(value)}, which is too large`);
}

/** @throws AnswerError for anything but a text */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new AnswerError(`the node answered ${shown(value)} in place of a text`);
}

/** Reads what may be missing. */
export function optional<T>(value: unknown, read: (value: unknown) => T): T | undefined {
  return value === null || value === undefined ? undefined : read(value);
}

function shown(value: unknown): string {
  const text = typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? 'nothing');
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}

const SHOWN_CHARACTERS = 60;
