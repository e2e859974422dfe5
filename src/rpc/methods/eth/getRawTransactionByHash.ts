import { defineMethod } from '../../method.ts';
import { RAW_DIFFERENCES, rawTransaction } from '../../raw-transaction.ts';
import { hashSchema } from '../../schemas/bytes.ts';
import { dataResult } from '../../schemas/results.ts';

export const getRawTransactionByHash = defineMethod({
  name: 'eth_getRawTransactionByHash',
  summary: 'Answers the bytes of a transaction by its hash; null when there is none.',
  section: 'blocks',
  parameters: [
    { name: 'transactionHash', schema: hashSchema, summary: 'Of the pending or the included form.' },
  ],
  result: dataResult.nullable(),
  differences: RAW_DIFFERENCES,
  handler: ({ ledger }, hash) => rawTransaction(ledger.findTransaction(hash)),
});
