import { z } from 'zod';
import { QUANTITY_CHARACTERS_MAX, UINT64_MAX } from '../../limits.ts';
import { type Hash, hexToBytes, toHash } from '../../protocol/index.ts';
import { describeValue } from '../json/describe.ts';
import { UNCOMMON, withQuickReader } from './quick-reader.ts';

/** How a QUANTITY may be written, as JSON Schemas. */
export const QUANTITY_FORMS = [
  { type: 'string', pattern: `^0x[0-9a-fA-F]{1,${QUANTITY_CHARACTERS_MAX - 2}}$` },
  { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
] as const;

const HEXADECIMAL = /^0x[0-9a-f]+$/i;
const EXPECTED = 'expected a QUANTITY (0x-prefixed hex or a whole number)';

/**
 * QUANTITY in a request (docs/interface.md#value-types): hexadecimal with or without leading zeros, or a plain JSON
 * integer; of at most 32 bytes.
 */
export const quantitySchema: z.ZodType<bigint> = withQuickReader(
  z
    .union([z.string(), z.number()], { error: ({ input }) => `${EXPECTED}, got ${describeQuantity(input)}` })
    .transform((value, context) => {
      const problem = problemOf(value);
      if (problem === undefined) return BigInt(value);
      context.issues.push({ code: 'custom', message: `${EXPECTED}, got ${problem}`, input: value });
      return z.NEVER;
    })
    .meta({
      id: 'QuantityParameter',
      title: 'QUANTITY',
      description: 'Hex with 0x, with or without leading zeros, of at most 32 bytes; or a JSON integer.',
      anyOf: QUANTITY_FORMS,
    }),
  readQuantity,
);

/** Reads a QUANTITY in any of its forms. */
export function readQuantity(value: unknown): bigint | typeof UNCOMMON {
  if (typeof value !== 'string' && typeof value !== 'number') return UNCOMMON;
  return problemOf(value) === undefined ? BigInt(value) : UNCOMMON;
}

/** QUANTITY of at most `most`, as a number; `unit` is what the message counts. */
export function boundedQuantitySchema(most: number, unit: string): z.ZodType<number> {
  const bounded = quantitySchema.transform((value, context) => {
    if (value <= BigInt(most)) return Number(value);
    context.issues.push({
      code: 'custom',
      message: `expected at most ${most} ${unit}, got more`,
      input: value,
    });
    return z.NEVER;
  });
  return bounded.meta({ title: 'QUANTITY', description: `At most ${most} ${unit}.` });
}

/** QUANTITY that is a position in storage, as 32 bytes. */
export const slotSchema: z.ZodType<Hash> = quantitySchema.transform(wordOf);

/** A number of at most 32 bytes, as exactly so many. */
export function wordOf(value: bigint): Hash {
  return toHash(hexToBytes(value.toString(16).padStart(64, '0')));
}

/** QUANTITY that is a uint64. */
export const uint64Schema: z.ZodType<bigint> = quantitySchema
  .transform((value, context) => {
    if (value <= UINT64_MAX) return value;
    context.issues.push({ code: 'custom', message: 'expected a uint64, got more', input: value });
    return z.NEVER;
  })
  .meta({ title: 'QUANTITY', description: 'At most 64 bits.' });

/** Infinity is what JSON's own grammar makes of a number like 1e400. */
function describeQuantity(value: unknown): string {
  return typeof value === 'number' ? 'a number that is too large' : describeValue(value);
}

function problemOf(value: string | number): string | undefined {
  return typeof value === 'number' ? problemOfNumber(value) : problemOfText(value);
}

function problemOfNumber(value: number): string | undefined {
  if (value < 0) return 'a negative number';
  if (!Number.isInteger(value)) return 'a fraction';
  return Number.isSafeInteger(value) ? undefined : 'a number above 2^53 - 1, which only hex can hold';
}

function problemOfText(text: string): string | undefined {
  if (text.length > QUANTITY_CHARACTERS_MAX) return `more than ${QUANTITY_CHARACTERS_MAX} characters`;
  if (!text.startsWith('0x')) return text.startsWith('-') ? 'a negative number' : 'a string without 0x';
  if (text.length === 2) return 'no digits';
  return HEXADECIMAL.test(text) ? undefined : 'a string that is not hex';
}
