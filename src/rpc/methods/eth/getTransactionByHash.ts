import { toTransaction } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { hashSchema } from '../../schemas/bytes.ts';
import { transactionResult } from '../../schemas/results.ts';

export const getTransactionByHash = defineMethod({
  name: 'eth_getTransactionByHash',
  summary:
    'Answers a transaction by its hash, that of its pending or its processed form; null when there is none.',
  parameters: [{ name: 'transactionHash', schema: hashSchema }],
  result: transactionResult.nullable(),
  handler: ({ ledger }, hash) => {
    const found = ledger.findOperation(hash);
    return found === undefined ? null : toTransaction(found);
  },
});
