import { nullableShape } from '../../../view/index.ts';
import { blockByHash, operationIn } from '../../answers/find-block.ts';
import { defineMethod, type MethodDefinition } from '../../method.ts';
import { hashSchema } from '../../parameters/bytes.ts';
import { quantitySchema } from '../../parameters/quantity.ts';
import type { Profile } from '../../profiles/profile.ts';

export const getTransactionByBlockHashAndIndex = ({ objects }: Profile): MethodDefinition =>
  defineMethod({
    name: 'eth_getTransactionByBlockHashAndIndex',
    summary: 'Returns the transaction at a position of a block given by its hash; null where there is none.',
    section: 'blocks',
    work: 'worker',
    parameters: [
      { name: 'blockHash', schema: hashSchema },
      { name: 'index', schema: quantitySchema, summary: 'Position of the operation in the block.' },
    ],
    result: nullableShape(objects.transactionShape),
    handler: (context, [reference, index]) => {
      const operation = operationIn(context.ledger, blockByHash(context.ledger, reference), index);
      return operation === undefined ? null : objects.transaction(context, operation);
    },
  });
