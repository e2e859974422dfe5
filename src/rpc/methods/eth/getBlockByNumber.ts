import { nullableShape } from '../../../view/index.ts';
import { numberOfSelector } from '../../answers/find-block.ts';
import { ERRORS } from '../../description/described-errors.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import { blockSelectorSchema } from '../../parameters/block.ts';
import type { Profile } from '../../profiles/profile.ts';

export const getBlockByNumber = ({ objects }: Profile): MethodDefinition =>
  defineMethod({
    name: 'eth_getBlockByNumber',
    summary:
      'Returns a block by its number or tag, with transaction objects or hashes; null beyond the head.',
    section: 'blocks',
    work: 'worker',
    parameters: [
      { name: 'block', schema: blockSelectorSchema },
      {
        name: 'fullTransactions',
        schema: objects.fullTransactions,
        summary: 'True for transaction objects, false for their hashes.',
      },
    ],
    result: nullableShape(objects.blockShape),
    errors: [ERRORS.answerTooLong, ERRORS.blockReverted],
    differences: '`pending`, `safe` and `finalized` are the latest block.',
    handler: (context, [selector, full]) =>
      objects.block(context, numberOfSelector(context.ledger, selector), full),
  });
