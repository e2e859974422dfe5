import { blockBySelector, blockObject } from '../../lookups.ts';
import { defineMethod } from '../../method.ts';
import { blockSelectorSchema } from '../../schemas/block.ts';
import { flagSchema } from '../../schemas/plain.ts';
import { blockResult } from '../../schemas/results.ts';

export const getBlockByNumber = defineMethod({
  name: 'eth_getBlockByNumber',
  summary:
    'Answers a block by its number or tag; `pending` is the latest block, and beyond the head there is null.',
  parameters: [
    { name: 'block', schema: blockSelectorSchema },
    { name: 'fullTransactions', schema: flagSchema },
  ],
  result: blockResult.nullable(),
  handler: ({ ledger }, selector, fullTransactions) =>
    blockObject(ledger, blockBySelector(ledger, selector), fullTransactions),
});
