import { z } from 'zod';
import type { Hash } from '../../protocol/index.ts';
import { describeValue, shorten } from '../json/describe.ts';
import { hashSchema } from './bytes.ts';
import { describeObjectIssue } from './choice.ts';
import { QUANTITY_FORMS, quantitySchema, readQuantity } from './quantity.ts';
import { UNCOMMON, withQuickReader } from './quick-reader.ts';

/** TAG (docs/interface.md#value-types); `safe` and `finalized` are read as `latest`. */
export type BlockTag = 'earliest' | 'latest' | 'pending';

/** Which block a request means: a TAG or a number. */
export type BlockSelector = BlockTag | bigint;

/** Which block a request means, perhaps by its hash. */
export type BlockReference = BlockSelector | { readonly hash: Hash };

/** What each TAG means: a block is final here when it is made, so that the head is safe and finalized. */
const TAGS: ReadonlyMap<unknown, BlockTag> = new Map([
  ['earliest', 'earliest'],
  ['latest', 'latest'],
  ['pending', 'pending'],
  ['safe', 'latest'],
  ['finalized', 'latest'],
]);
const EXPECTED = `expected a QUANTITY or one of ${[...TAGS.keys()].join(', ')}`;
/** Characters of a hash with its 0x: a longer number than any block has. */
const HASH_CHARACTERS = 66;

const FORMS = [...QUANTITY_FORMS, { type: 'string', enum: [...TAGS.keys()] }];

/** QUANTITY or TAG, where it chooses a block. */
export const blockSelectorSchema: z.ZodType<BlockSelector> = withQuickReader(
  z
    .union([z.string(), z.number()], { error: ({ input }) => `${EXPECTED}, got ${describeValue(input)}` })
    .transform((value, context): BlockSelector => {
      const tag = TAGS.get(value);
      if (tag !== undefined) return tag;
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
      description:
        'A block by its number, or `earliest`, `latest` or `pending`; `safe` and `finalized` are `latest`.',
      anyOf: FORMS,
    }),
  (value) => TAGS.get(value) ?? readQuantity(value),
);

/** A block by EIP-1898: an object with its hash or its number. */
const blockObjectSchema = z
  .strictObject(
    {
      blockHash: hashSchema.optional(),
      blockNumber: blockSelectorSchema.optional(),
      requireCanonical: z.boolean().optional(),
    },
    { error: describeObjectIssue },
  )
  .transform(({ blockHash, blockNumber }, context): BlockReference => {
    if (blockHash !== undefined && blockNumber === undefined) return { hash: blockHash };
    if (blockNumber !== undefined && blockHash === undefined) return blockNumber;
    context.issues.push({
      code: 'custom',
      message: 'expected either blockHash or blockNumber',
      input: context.value,
    });
    return z.NEVER;
  })
  .meta({
    id: 'BlockObject',
    title: 'block by EIP-1898',
    description: 'A block by its `blockHash` or by its `blockNumber`.',
  });

/** A block by its number, TAG or hash, or by an object that has one of them (EIP-1898). */
export const blockReferenceSchema: z.ZodType<BlockReference> = z
  .unknown()
  .transform((value, context): BlockReference => {
    const parsed = referenceSchemaOf(value).safeParse(value);
    if (parsed.success) return parsed.data;
    for (const { message, path } of parsed.error.issues) {
      context.issues.push({ code: 'custom', message, path: [...path], input: value });
    }
    return z.NEVER;
  })
  .meta({
    id: 'BlockReference',
    title: 'QUANTITY, TAG, hash or EIP-1898',
    description: 'A block by number, TAG or hash, or by an object with `blockHash` or `blockNumber`.',
    anyOf: [...FORMS, { type: 'string', pattern: '^0x[0-9a-fA-F]{64}$' }, { type: 'object' }],
  });

function referenceSchemaOf(value: unknown): z.ZodType<BlockReference> {
  if (typeof value === 'object' && value !== null) return blockObjectSchema;
  const isHash = typeof value === 'string' && value.startsWith('0x') && value.length === HASH_CHARACTERS;
  return isHash ? hashSchema.transform((hash) => ({ hash })) : blockSelectorSchema;
}

/**
 * The default block parameter, which has no effect (docs/interface.md#block-parameter): results always reflect the
 * latest state. Anything that names a block passes, by EIP-1898 as well; a list or a boolean does not.
 */
export const ignoredBlockSchema = withQuickReader(
  z
    .union([z.string(), z.number(), z.null(), blockObjectSchema], { error: describeIgnoredIssue })
    .optional()
    .meta({
      id: 'IgnoredBlockParameter',
      title: 'QUANTITY, TAG or EIP-1898, without effect',
      description: 'Accepted for compatibility: results always reflect the latest state.',
    }),
  (value) => (typeof value === 'string' || value === undefined ? value : UNCOMMON),
);

/** Says what is wrong with an object in the object's own words. */
function describeIgnoredIssue(issue: z.core.$ZodRawIssue): string {
  const { input } = issue;
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
  const problem = isObject ? blockObjectSchema.safeParse(input).error?.issues[0] : undefined;
  if (problem === undefined) return `${EXPECTED} (it has no effect), got ${describeValue(input)}`;
  return [...problem.path.map(String), problem.message].join(': ');
}
