import { toHeader } from '../../../view/index.ts';
import { blockBySelector } from '../../lookups.ts';
import { defineQuery, type QueryContext } from '../../method.ts';
import { type BlockSelector, blockSelectorSchema } from '../../schemas/block.ts';
import { headerResult } from '../../schemas/results.ts';

const description = {
  summary: 'Answers a block by its number or tag without its transactions; null beyond the head.',
  section: 'blocks',
  parameters: [{ name: 'block', schema: blockSelectorSchema }],
  result: headerResult.nullable(),
  differences: 'The fields of a block object; a native header has others.',
  handler: ({ ledger }: QueryContext, selector: BlockSelector) => {
    const block = blockBySelector(ledger, selector);
    return block === undefined ? null : toHeader(block);
  },
} as const;

export const getHeaderByNumber = defineQuery({ ...description, name: 'eth_getHeaderByNumber' });

/** The name that Erigon gives it. */
export const getHeaderByErigonsName = defineQuery({ ...description, name: 'erigon_getHeaderByNumber' });
