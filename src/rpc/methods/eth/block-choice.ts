import type { LedgerQueries } from '../../../ledger/index.ts';
import { blockByHash, numberOfSelector } from '../../blocks/find-block.ts';
import { blockSelectorSchema } from '../../parameters/block.ts';
import { hashSchema } from '../../parameters/bytes.ts';
import type { Parameter } from '../../parameters/positional.ts';
import { mapped } from '../../parameters/schema.ts';

/** Finds the number of a block; undefined where no block can have it. */
type NumberFinder = (ledger: LedgerQueries) => number | undefined;

/** A way to name a block, for which a method exists. */
export interface BlockChoice {
  /** The suffix of the names of such methods. */
  readonly suffix: 'Hash' | 'Number';
  readonly noun: string;
  readonly parameter: Parameter<NumberFinder>;
  readonly differences: string;
}

export const BLOCK_CHOICES: readonly BlockChoice[] = [
  {
    suffix: 'Hash',
    noun: 'hash',
    parameter: {
      name: 'blockHash',
      schema: mapped(
        hashSchema,
        (hash): NumberFinder =>
          (ledger) =>
            blockByHash(ledger, hash)?.number,
      ),
    },
    differences:
      "The hash is the native block id with 12 zero bytes in front; it is not the hash of the header's fields.",
  },
  {
    suffix: 'Number',
    noun: 'number or tag',
    parameter: {
      name: 'block',
      schema: mapped(
        blockSelectorSchema,
        (selector): NumberFinder =>
          (ledger) =>
            numberOfSelector(ledger, selector),
      ),
    },
    differences: '`pending`, `safe` and `finalized` are the latest block.',
  },
];
