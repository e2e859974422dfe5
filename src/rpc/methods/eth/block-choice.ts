import type { LedgerQueries } from '../../../ledger/index.ts';
import { blockByHash, numberOfSelector } from '../../blocks/find-block.ts';
import { type BlockReference, blockHashSchema, blockSelectorSchema } from '../../parameters/block.ts';
import type { Parameter } from '../../parameters/schema.ts';

/** A way to name a block, for which a method exists. */
export interface BlockChoice {
  /** The suffix of the names of such methods. */
  readonly suffix: 'Hash' | 'Number';
  readonly noun: string;
  readonly parameter: Parameter<BlockReference>;
  readonly differences: string;
}

export const BLOCK_CHOICES: readonly BlockChoice[] = [
  {
    suffix: 'Hash',
    noun: 'hash',
    parameter: { name: 'blockHash', schema: blockHashSchema },
    differences:
      "The hash is the native block id with 12 zero bytes in front; it is not the hash of the header's fields.",
  },
  {
    suffix: 'Number',
    noun: 'number or tag',
    parameter: { name: 'block', schema: blockSelectorSchema },
    differences: '`safe` and `finalized` are the latest block; at `/`, `pending` is, too.',
  },
];

/** Finds the number of a block; undefined where no block can have it. */
export function numberOf(ledger: LedgerQueries, reference: BlockReference): number | undefined {
  return typeof reference === 'object'
    ? blockByHash(ledger, reference.hash)?.number
    : numberOfSelector(ledger, reference);
}
