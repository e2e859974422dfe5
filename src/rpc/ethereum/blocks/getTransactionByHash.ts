import { bytesToHex } from '../../../protocol/index.ts';
import { ethereumTransactionShape, nullableShape } from '../../../view/index.ts';
import { includedEthereumTransaction, transactionObject } from '../../answers/ethereum-objects.ts';
import { defineMethod } from '../../method.ts';
import { hashSchema } from '../../parameters/bytes.ts';

export const getTransactionByHash = defineMethod({
  name: 'eth_getTransactionByHash',
  summary: 'Answers a transaction by its hash, in a block or pending; null when there is none.',
  section: 'blocks',
  work: 'turn',
  parameters: [{ name: 'transactionHash', schema: hashSchema }],
  result: nullableShape(ethereumTransactionShape),
  differences:
    'Native operations are transactions of type 0 whose v, r and s are 0; their native hashes are found.',
  handler: (context, [hash]) => {
    const known = context.ethereumIncluded.transactions.get(bytesToHex(hash));
    if (known !== undefined) return known;
    const found = context.ledger.findOperation(hash);
    if (found === undefined) return null;
    return found.kind === 'included'
      ? includedEthereumTransaction(context, found)
      : transactionObject(context, found);
  },
});
