import { bytesToHex } from '../../../protocol/index.ts';
import { toReceipt } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { hashSchema } from '../../schemas/bytes.ts';
import { receiptResult } from '../../schemas/results.ts';

export const getTransactionReceipt = defineMethod({
  name: 'eth_getTransactionReceipt',
  summary: 'Answers the receipt of a transaction; null while it is pending and when there is none.',
  section: 'blocks',
  parameters: [
    { name: 'transactionHash', schema: hashSchema, summary: 'Of the pending or the included form.' },
  ],
  result: receiptResult.nullable(),
  differences: 'Operations that are not contract calls, such as the update of an account, have receipts too.',
  handler: ({ ledger, included }, hash) => {
    const known = included.receipts.get(bytesToHex(hash));
    if (known !== undefined) return known;
    const found = ledger.findOperation(hash);
    if (found === undefined || found.kind === 'pending') return null;
    const receipt = ledger.receiptOf(found.block.number, found.index);
    if (receipt === undefined) return null;
    return included.receipts.of(bytesToHex(found.hash), () => toReceipt(found, receipt));
  },
});
