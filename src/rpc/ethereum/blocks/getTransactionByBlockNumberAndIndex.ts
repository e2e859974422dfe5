import { ethereumTransactionShape, nullableShape } from '../../../view/index.ts';
import { ethereumTransactionAt } from '../../answers/ethereum-objects.ts';
import { blockBySelector } from '../../answers/find-block.ts';
import { defineMethod } from '../../method.ts';
import { blockSelectorSchema } from '../../parameters/block.ts';
import { quantitySchema } from '../../parameters/quantity.ts';

export const getTransactionByBlockNumberAndIndex = defineMethod({
  name: 'eth_getTransactionByBlockNumberAndIndex',
  summary: 'Answers the transaction at a position of a block; null when there is none.',
  section: 'blocks',
  work: 'worker',
  parameters: [
    { name: 'block', schema: blockSelectorSchema },
    { name: 'index', schema: quantitySchema },
  ],
  result: nullableShape(ethereumTransactionShape),
  handler: (context, [selector, index]) =>
    ethereumTransactionAt(context, blockBySelector(context.ledger, selector), index),
});
