import { blockBySelector, transactionObject } from '../../lookups.ts';
import { defineMethod } from '../../method.ts';
import { blockSelectorSchema } from '../../schemas/block.ts';
import { quantitySchema } from '../../schemas/quantity.ts';
import { transactionResult } from '../../schemas/results.ts';

export const getTransactionByBlockNumberAndIndex = defineMethod({
  name: 'eth_getTransactionByBlockNumberAndIndex',
  summary:
    'Answers the transaction at a position of a block given by number or tag; null when there is none.',
  parameters: [
    { name: 'block', schema: blockSelectorSchema },
    { name: 'index', schema: quantitySchema },
  ],
  result: transactionResult.nullable(),
  handler: ({ ledger }, selector, index) =>
    transactionObject(ledger, blockBySelector(ledger, selector), index),
});
