import { bytesToHex } from '../../../protocol/index.ts';
import { nullableShape, toTransaction, transactionShape } from '../../../view/index.ts';
import { includedTransaction } from '../../answers/ledger-objects.ts';
import { defineMethod } from '../../method.ts';
import { hashSchema } from '../../parameters/bytes.ts';

export const getTransactionByHash = defineMethod({
  name: 'eth_getTransactionByHash',
  summary:
    'Answers a transaction by its hash, that of its pending or its processed form; null when there is none.',
  section: 'blocks',
  work: 'turn',
  parameters: [
    { name: 'transactionHash', schema: hashSchema, summary: 'Of the pending or the included form.' },
  ],
  result: nullableShape(transactionShape),
  differences:
    'A transaction has one hash while it is pending and another once it is in a block; both are found.',
  handler: (context, [hash]) => {
    const known = context.included.transactions.get(bytesToHex(hash));
    if (known !== undefined) return known;
    const found = context.ledger.findOperation(hash);
    if (found === undefined) return null;
    return found.kind === 'included' ? includedTransaction(context, found) : toTransaction(found);
  },
});
