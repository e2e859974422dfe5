import { z } from 'zod';
import type { Address } from '../../protocol/index.ts';
import { describeValue } from '../json/describe.ts';
import { addressSchema } from './bytes.ts';

/** An object whose keys are addresses, as its entries; no address may come twice in two spellings. */
export function entriesByAddress<T>(value: z.ZodType<T>): z.ZodType<readonly (readonly [Address, T])[]> {
  return z
    .record(z.string(), value, { error: ({ input }) => `expected an object, got ${describeValue(input)}` })
    .transform((given, context) => {
      const entries: (readonly [Address, T])[] = [];
      const seen = new Set<string>();
      for (const [key, one] of Object.entries(given)) {
        const address = addressSchema.safeParse(key);
        const problem =
          address.error?.issues[0]?.message ?? (seen.has(key.toLowerCase()) && 'the address comes twice');
        if (typeof problem === 'string' || address.data === undefined) {
          context.issues.push({ code: 'custom', message: `${problem}`, path: [key], input: given });
          return z.NEVER;
        }
        seen.add(key.toLowerCase());
        entries.push([address.data, one]);
      }
      return entries;
    });
}
