import { blockBySelector, transactionAt } from '../../lookups.ts';
import { defineQuery } from '../../method.ts';
import { blockSelectorSchema } from '../../schemas/block.ts';
import { quantitySchema } from '../../schemas/quantity.ts';
import { transactionResult } from '../../schemas/results.ts';

export const getTransactionByBlockNumberAndIndex = defineQuery({
  name: 'eth_getTransactionByBlockNumberAndIndex',
  summary:
    'Answers the transaction at a position of a block given by number or tag; null when there is none.',
  section: 'blocks',
  parameters: [
    { name: 'block', schema: blockSelectorSchema },
    { name: 'index', schema: quantitySchema, summary: 'Position of the operation in the block.' },
  ],
  result: transactionResult.nullable(),
  differences: '`pending` is the latest block.',
  handler: (context, selector, index) =>
    transactionAt(context, blockBySelector(context.ledger, selector), index),
});
