import { blockByHash, rawTransactionAt } from '../../lookups.ts';
import { defineQuery } from '../../method.ts';
import { RAW_DIFFERENCES } from '../../raw-transaction.ts';
import { hashSchema } from '../../schemas/bytes.ts';
import { quantitySchema } from '../../schemas/quantity.ts';
import { dataResult } from '../../schemas/results.ts';

export const getRawTransactionByBlockHashAndIndex = defineQuery({
  name: 'eth_getRawTransactionByBlockHashAndIndex',
  summary: 'Answers the bytes of the transaction at a position of a block; null when there is none.',
  section: 'blocks',
  parameters: [
    { name: 'blockHash', schema: hashSchema },
    { name: 'index', schema: quantitySchema, summary: 'Position of the operation in the block.' },
  ],
  result: dataResult.nullable(),
  differences: RAW_DIFFERENCES,
  handler: ({ ledger }, block, index) => rawTransactionAt(ledger, blockByHash(ledger, block), index),
});
