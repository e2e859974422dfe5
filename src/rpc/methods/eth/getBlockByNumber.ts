import { blockObject, numberOfSelector } from '../../lookups.ts';
import { defineQuery } from '../../method.ts';
import { blockSelectorSchema } from '../../schemas/block.ts';
import { flagSchema } from '../../schemas/plain.ts';
import { blockResult } from '../../schemas/results.ts';

export const getBlockByNumber = defineQuery({
  name: 'eth_getBlockByNumber',
  summary:
    'Answers a block by its number or tag; `pending` is the latest block, and beyond the head there is null.',
  section: 'blocks',
  parameters: [
    { name: 'block', schema: blockSelectorSchema },
    {
      name: 'fullTransactions',
      schema: flagSchema,
      summary: 'True for transaction objects, false for their hashes.',
    },
  ],
  result: blockResult.nullable(),
  differences: '`pending` is the latest block; `safe` and `finalized` are, too.',
  handler: (context, selector, fullTransactions) =>
    blockObject(context, numberOfSelector(context.ledger, selector), fullTransactions),
});
