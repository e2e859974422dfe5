import { z } from 'zod';
import { describeValue, shorten } from '../json/describe.ts';
import { QUANTITY_FORMS, quantitySchema, readQuantity } from './quantity.ts';
import { UNCOMMON, withQuickReader } from './quick-reader.ts';

/** TAG (specification, section 1). */
export type BlockTag = 'earliest' | 'latest' | 'pending';

/** Which block a request means: a TAG or a number. */
export type BlockSelector = BlockTag | bigint;

const TAGS: ReadonlySet<string> = new Set<BlockTag>(['earliest', 'latest', 'pending']);
const EXPECTED = 'expected a QUANTITY or one of earliest, latest, pending';

/** QUANTITY or TAG, where it chooses a block. */
export const blockSelectorSchema: z.ZodType<BlockSelector> = withQuickReader(
  z
    .union([z.string(), z.number()], { error: ({ input }) => `${EXPECTED}, got ${describeValue(input)}` })
    .transform((value, context): BlockSelector => {
      if (isTag(value)) return value;
      if (typeof value === 'string' && !value.startsWith('0x')) {
        const message = `${EXPECTED}, got ${JSON.stringify(shorten(value))}`;
        context.issues.push({ code: 'custom', message, input: value });
        return z.NEVER;
      }
      const parsed = quantitySchema.safeParse(value);
      if (parsed.success) return parsed.data;
      for (const { message } of parsed.error.issues)
        context.issues.push({ code: 'custom', message, input: value });
      return z.NEVER;
    })
    .meta({
      id: 'BlockParameter',
      title: 'QUANTITY or TAG',
      description: 'A block by its number, or `earliest`, `latest` or `pending`.',
      anyOf: [...QUANTITY_FORMS, { type: 'string', enum: [...TAGS] }],
    }),
  (value) => (isTag(value) ? value : readQuantity(value)),
);

/**
 * The default block parameter, which has no effect (specification, section 1): results always reflect the
 * latest state. Anything that names a block passes; an object or a boolean does not.
 */
export const ignoredBlockSchema = withQuickReader(
  z
    .union([z.string(), z.number(), z.null()], {
      error: ({ input }) => `${EXPECTED} (it has no effect), got ${describeValue(input)}`,
    })
    .optional()
    .meta({
      id: 'IgnoredBlockParameter',
      title: 'QUANTITY or TAG, without effect',
      description: 'Accepted for compatibility: results always reflect the latest state.',
    }),
  (value) => (typeof value === 'string' || value === undefined ? value : UNCOMMON),
);

function isTag(value: unknown): value is BlockTag {
  return typeof value === 'string' && TAGS.has(value);
}
