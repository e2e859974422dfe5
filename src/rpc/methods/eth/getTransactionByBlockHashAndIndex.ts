import { nullableShape, transactionShape } from '../../../view/index.ts';
import { blockByHash } from '../../answers/find-block.ts';
import { transactionAt } from '../../answers/ledger-objects.ts';
import { defineMethod } from '../../method.ts';
import { hashSchema } from '../../parameters/bytes.ts';
import { quantitySchema } from '../../parameters/quantity.ts';

export const getTransactionByBlockHashAndIndex = defineMethod({
  name: 'eth_getTransactionByBlockHashAndIndex',
  summary: 'Answers the transaction at a position of a block given by its hash; null when there is none.',
  section: 'blocks',
  work: 'worker',
  parameters: [
    { name: 'blockHash', schema: hashSchema },
    { name: 'index', schema: quantitySchema, summary: 'Position of the operation in the block.' },
  ],
  result: nullableShape(transactionShape),
  handler: (context, [hash, index]) => transactionAt(context, blockByHash(context.ledger, hash), index),
});
