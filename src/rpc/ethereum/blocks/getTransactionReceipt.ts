import { bytesToHex } from '../../../protocol/index.ts';
import { ethereumReceiptShape, nullableShape } from '../../../view/index.ts';
import { ethereumReceiptOf } from '../../answers/ethereum-objects.ts';
import { defineMethod } from '../../method.ts';
import { hashSchema } from '../../parameters/bytes.ts';

export const getTransactionReceipt = defineMethod({
  name: 'eth_getTransactionReceipt',
  summary: 'Answers the receipt of a transaction; null while it is pending and when there is none.',
  section: 'blocks',
  work: 'turn',
  parameters: [{ name: 'transactionHash', schema: hashSchema }],
  result: nullableShape(ethereumReceiptShape),
  differences: 'Native operations have receipts, too.',
  handler: (context, [hash]) => {
    const known = context.ethereumIncluded.receipts.get(bytesToHex(hash));
    if (known !== undefined) return known;
    const found = context.ledger.findOperation(hash);
    return found?.kind === 'included' ? ethereumReceiptOf(context, found) : null;
  },
});
