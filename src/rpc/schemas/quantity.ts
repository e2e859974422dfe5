import { z } from 'zod';
import { QUANTITY_CHARACTERS_MAX } from '../../limits.ts';
import { describeValue } from '../json/describe.ts';

const HEXADECIMAL = /^0x[0-9a-f]+$/i;
const EXPECTED = 'expected a QUANTITY (0x-prefixed hex or a whole number)';

/**
 * QUANTITY in a request (specification, section 1): hexadecimal with or without leading zeros, or a plain JSON
 * integer; of at most 32 bytes.
 */
export const quantitySchema: z.ZodType<bigint> = z
  .union([z.string(), z.number()], { error: ({ input }) => `${EXPECTED}, got ${describeQuantity(input)}` })
  .transform((value, context) => {
    const problem = typeof value === 'number' ? problemOfNumber(value) : problemOfText(value);
    if (problem === undefined) return BigInt(value);
    context.issues.push({ code: 'custom', message: `${EXPECTED}, got ${problem}`, input: value });
    return z.NEVER;
  })
  .meta({ title: 'QUANTITY' });

/** QUANTITY of at most `most`, as a number; `unit` is what the message counts. */
export function boundedQuantitySchema(most: number, unit: string): z.ZodType<number> {
  return quantitySchema.transform((value, context) => {
    if (value <= BigInt(most)) return Number(value);
    context.issues.push({
      code: 'custom',
      message: `expected at most ${most} ${unit}, got more`,
      input: value,
    });
    return z.NEVER;
  });
}

/** Infinity is what JSON's own grammar makes of a number like 1e400. */
function describeQuantity(value: unknown): string {
  return typeof value === 'number' ? 'a number that is too large' : describeValue(value);
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
