import { ethereumBlockShape, nullableShape } from '../../../view/index.ts';
import { ethereumBlockAt } from '../../answers/ethereum-objects.ts';
import { numberOfSelector } from '../../answers/find-block.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { blockSelectorSchema } from '../../parameters/block.ts';
import { flagSchema } from '../../parameters/plain.ts';
import { optional } from '../../parameters/schema.ts';

export const getBlockByNumber = defineMethod({
  name: 'eth_getBlockByNumber',
  summary: 'Answers a block by its number or tag; null beyond the head.',
  section: 'blocks',
  work: 'worker',
  parameters: [
    { name: 'block', schema: blockSelectorSchema },
    {
      name: 'fullTransactions',
      schema: optional(flagSchema, false),
      summary: 'True for transaction objects, false for their hashes.',
    },
  ],
  result: nullableShape(ethereumBlockShape),
  errors: [ERRORS.answerTooLong, ERRORS.blockReverted],
  differences: '`safe`, `finalized` and `pending` are the latest.',
  handler: (context, [selector, full]) =>
    ethereumBlockAt(context, numberOfSelector(context.ledger, selector), full),
});
