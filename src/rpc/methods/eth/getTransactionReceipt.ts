import { toReceipt } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { hashSchema } from '../../schemas/bytes.ts';
import { receiptResult } from '../../schemas/results.ts';

export const getTransactionReceipt = defineMethod({
  name: 'eth_getTransactionReceipt',
  summary: 'Answers the receipt of a transaction; null while it is pending and when there is none.',
  parameters: [{ name: 'transactionHash', schema: hashSchema }],
  result: receiptResult.nullable(),
  handler: ({ ledger }, hash) => {
    const found = ledger.findOperation(hash);
    if (found === undefined || found.kind === 'pending') return null;
    const receipt = ledger.receiptOf(found.block.number, found.index);
    return receipt === undefined ? null : toReceipt(found, receipt);
  },
});
