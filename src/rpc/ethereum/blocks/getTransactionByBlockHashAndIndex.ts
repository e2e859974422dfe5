import { ethereumTransactionShape, nullableShape } from '../../../view/index.ts';
import { ethereumTransactionAt } from '../../answers/ethereum-objects.ts';
import { blockByHash } from '../../answers/find-block.ts';
import { defineMethod } from '../../method.ts';
import { hashSchema } from '../../parameters/bytes.ts';
import { quantitySchema } from '../../parameters/quantity.ts';

export const getTransactionByBlockHashAndIndex = defineMethod({
  name: 'eth_getTransactionByBlockHashAndIndex',
  summary: 'Answers the transaction at a position of a block; null when there is none.',
  section: 'blocks',
  work: 'worker',
  parameters: [
    { name: 'blockHash', schema: hashSchema },
    { name: 'index', schema: quantitySchema },
  ],
  result: nullableShape(ethereumTransactionShape),
  handler: (context, [hash, index]) =>
    ethereumTransactionAt(context, blockByHash(context.ledger, hash), index),
});
