import { dataShape, nullableShape } from '../../../view/index.ts';
import { RAW_DIFFERENCES, rawTransaction } from '../../answers/raw-transaction.ts';
import { defineMethod } from '../../method.ts';
import { hashSchema } from '../../parameters/bytes.ts';

export const getRawTransactionByHash = defineMethod({
  name: 'eth_getRawTransactionByHash',
  summary: 'Answers the bytes of a transaction by its hash; null when there is none.',
  section: 'blocks',
  work: 'turn',
  parameters: [
    { name: 'transactionHash', schema: hashSchema, summary: 'Of the pending or the included form.' },
  ],
  result: nullableShape(dataShape),
  differences: RAW_DIFFERENCES,
  handler: ({ ledger }, [hash]) => rawTransaction(ledger.findTransaction(hash)),
});
