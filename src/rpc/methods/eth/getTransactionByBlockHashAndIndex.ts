import { blockByHash, transactionAt } from '../../lookups.ts';
import { defineQuery } from '../../method.ts';
import { hashSchema } from '../../schemas/bytes.ts';
import { quantitySchema } from '../../schemas/quantity.ts';
import { transactionResult } from '../../schemas/results.ts';

export const getTransactionByBlockHashAndIndex = defineQuery({
  name: 'eth_getTransactionByBlockHashAndIndex',
  summary: 'Answers the transaction at a position of a block given by its hash; null when there is none.',
  section: 'blocks',
  parameters: [
    { name: 'blockHash', schema: hashSchema },
    { name: 'index', schema: quantitySchema, summary: 'Position of the operation in the block.' },
  ],
  result: transactionResult.nullable(),
  handler: (context, hash, index) => transactionAt(context, blockByHash(context.ledger, hash), index),
});
