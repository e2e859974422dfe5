import { bytesToHex } from '../../../protocol/index.ts';
import { nullableShape, receiptShape } from '../../../view/index.ts';
import { includedReceipt } from '../../answers/ledger-objects.ts';
import { defineMethod } from '../../method.ts';
import { hashSchema } from '../../parameters/bytes.ts';

export const getTransactionReceipt = defineMethod({
  name: 'eth_getTransactionReceipt',
  summary: 'Answers the receipt of a transaction; null while it is pending and when there is none.',
  section: 'blocks',
  work: 'turn',
  parameters: [
    { name: 'transactionHash', schema: hashSchema, summary: 'Of the pending or the included form.' },
  ],
  result: nullableShape(receiptShape),
  differences: 'Operations that are not contract calls, such as the update of an account, have receipts too.',
  handler: (context, [hash]) => {
    const known = context.included.receipts.get(bytesToHex(hash));
    if (known !== undefined) return known;
    const found = context.ledger.findOperation(hash);
    return found?.kind === 'included' ? includedReceipt(context, found) : null;
  },
});
