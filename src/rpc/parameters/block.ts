import type { Hash } from '../../protocol/index.ts';
import { describeValue, shorten } from '../json/describe.ts';
import { flagSchema, QUANTITY_FORMS, quantitySchema } from './plain.ts';
import {
  canonicalOf,
  hashSchema,
  ignoredSchema,
  mapped,
  named,
  optional,
  refusal,
  type Schema,
} from './schema.ts';
import { objectOf } from './structures.ts';

/** TAG (docs/interface.md#value-types); `safe` and `finalized` are read as `latest`. */
export type BlockTag = 'earliest' | 'latest' | 'pending';

/** A block by a TAG or a number. */
export type BlockSelector = BlockTag | bigint;

/** A block by a TAG, a number or a hash. */
export type BlockReference = BlockSelector | { readonly hash: Hash };

/** The meaning of each TAG: a block is final once it is made, so that the head is safe and finalized. */
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
export const blockSelectorSchema: Schema<BlockSelector> = named(
  'BlockParameter',
  {
    title: 'QUANTITY or TAG',
    description:
      'A block by its number, or `earliest`, `latest` or `pending`; `safe` and `finalized` are `latest`.',
  },
  {
    describe: () => ({ anyOf: FORMS }),
    canonical: (value) => (TAGS.has(value) ? value : canonicalOf(quantitySchema, value)),
    read: (value, path) => {
      const tag = TAGS.get(value);
      if (tag !== undefined) return tag;
      if (typeof value === 'string' && !value.startsWith('0x')) {
        throw refusal(path, `${EXPECTED}, got ${JSON.stringify(shorten(value))}`);
      }
      if (typeof value === 'string' || typeof value === 'number') return quantitySchema.read(value, path);
      throw refusal(path, `${EXPECTED}, got ${describeValue(value)}`);
    },
  },
);

export const blockHashSchema: Schema<BlockReference> = mapped(hashSchema, (hash) => ({ hash }));

/** A block by EIP-1898: an object with its hash or its number. */
const blockObjectSchema = named(
  'BlockObject',
  { title: 'block by EIP-1898', description: 'A block by its `blockHash` or by its `blockNumber`.' },
  mapped(
    objectOf({
      blockHash: optional(hashSchema),
      blockNumber: optional(blockSelectorSchema),
      requireCanonical: optional(flagSchema),
    }),
    ({ blockHash, blockNumber }, path): BlockReference => {
      if (blockHash !== undefined && blockNumber === undefined) return { hash: blockHash };
      if (blockNumber !== undefined && blockHash === undefined) return blockNumber;
      throw refusal(path, 'expected either blockHash or blockNumber');
    },
  ),
);

function isHash(value: unknown): boolean {
  return typeof value === 'string' && value.startsWith('0x') && value.length === HASH_CHARACTERS;
}

/** A block by its number, TAG or hash, or by an object that has one of them (EIP-1898). */
export const blockReferenceSchema: Schema<BlockReference> = named(
  'BlockReference',
  {
    title: 'QUANTITY, TAG, hash or EIP-1898',
    description: 'A block by number, TAG or hash, or by an object with `blockHash` or `blockNumber`.',
  },
  {
    describe: (components) => ({
      anyOf: [...FORMS, hashSchema.describe(components), blockObjectSchema.describe(components)],
    }),
    canonical: (value) => {
      if (typeof value === 'object') return canonicalOf(blockObjectSchema, value);
      return isHash(value) ? value : canonicalOf(blockSelectorSchema, value);
    },
    read: (value, path) => {
      if (typeof value === 'object' && value !== null) return blockObjectSchema.read(value, path);
      return isHash(value) ? { hash: hashSchema.read(value, path) } : blockSelectorSchema.read(value, path);
    },
  },
);

/** The default block parameter, which has no effect (docs/interface.md#block-parameter): anything passes. */
export const ignoredBlockSchema: Schema<undefined> = named(
  'IgnoredBlockParameter',
  {
    title: 'anything, without effect',
    description: 'Accepted for compatibility: results always reflect the latest state.',
  },
  ignoredSchema,
);
