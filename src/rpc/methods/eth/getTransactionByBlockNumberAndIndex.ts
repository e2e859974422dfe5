import { nullableShape } from '../../../view/index.ts';
import { blockBySelector, operationIn } from '../../answers/find-block.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import { blockSelectorSchema } from '../../parameters/block.ts';
import { quantitySchema } from '../../parameters/quantity.ts';
import type { Profile } from '../../profiles/profile.ts';

export const getTransactionByBlockNumberAndIndex = ({ objects }: Profile): MethodDefinition =>
  defineMethod({
    name: 'eth_getTransactionByBlockNumberAndIndex',
    summary:
      'Returns the transaction at a position of a block given by number or tag; null where there is none.',
    section: 'blocks',
    work: 'worker',
    parameters: [
      { name: 'block', schema: blockSelectorSchema },
      { name: 'index', schema: quantitySchema, summary: 'Position of the operation in the block.' },
    ],
    result: nullableShape(objects.transactionShape),
    differences: '`pending` is the latest block.',
    handler: (context, [reference, index]) => {
      const operation = operationIn(context.ledger, blockBySelector(context.ledger, reference), index);
      return operation === undefined ? null : objects.transaction(context, operation);
    },
  });
