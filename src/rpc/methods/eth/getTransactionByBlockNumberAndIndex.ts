import { nullableShape, transactionShape } from '../../../view/index.ts';
import { blockBySelector } from '../../answers/find-block.ts';
import { transactionAt } from '../../answers/ledger-objects.ts';
import { defineMethod } from '../../method.ts';
import { blockSelectorSchema } from '../../parameters/block.ts';
import { quantitySchema } from '../../parameters/quantity.ts';

export const getTransactionByBlockNumberAndIndex = defineMethod({
  name: 'eth_getTransactionByBlockNumberAndIndex',
  summary:
    'Answers the transaction at a position of a block given by number or tag; null when there is none.',
  section: 'blocks',
  work: 'worker',
  parameters: [
    { name: 'block', schema: blockSelectorSchema },
    { name: 'index', schema: quantitySchema, summary: 'Position of the operation in the block.' },
  ],
  result: nullableShape(transactionShape),
  differences: '`pending` is the latest block.',
  handler: (context, [selector, index]) =>
    transactionAt(context, blockBySelector(context.ledger, selector), index),
});
