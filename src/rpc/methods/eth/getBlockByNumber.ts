import { blockShape, nullableShape } from '../../../view/index.ts';
import { numberOfSelector } from '../../answers/find-block.ts';
import { blockObject } from '../../answers/ledger-objects.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod } from '../../method.ts';
import { blockSelectorSchema } from '../../parameters/block.ts';
import { flagSchema } from '../../parameters/plain.ts';

export const getBlockByNumber = defineMethod({
  name: 'eth_getBlockByNumber',
  summary:
    'Answers a block by its number or tag; `pending` is the latest block, and beyond the head there is null.',
  section: 'blocks',
  work: 'worker',
  parameters: [
    { name: 'block', schema: blockSelectorSchema },
    {
      name: 'fullTransactions',
      schema: flagSchema,
      summary: 'True for transaction objects, false for their hashes.',
    },
  ],
  result: nullableShape(blockShape),
  errors: [ERRORS.answerTooLong, ERRORS.blockReverted],
  differences: '`pending` is the latest block; `safe` and `finalized` are, too.',
  handler: (context, [selector, fullTransactions]) =>
    blockObject(context, numberOfSelector(context.ledger, selector), fullTransactions),
});
