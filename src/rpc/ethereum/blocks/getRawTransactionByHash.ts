import { dataShape, nullableShape } from '../../../view/index.ts';
import { rawEthereumTransaction } from '../../answers/ethereum-objects.ts';
import { rawTransaction } from '../../answers/raw-transaction.ts';
import { defineMethod } from '../../method.ts';
import { hashSchema } from '../../parameters/bytes.ts';

export const getRawTransactionByHash = defineMethod({
  name: 'eth_getRawTransactionByHash',
  summary: 'Answers the signed bytes of a transaction by its hash; null when there is none.',
  section: 'blocks',
  work: 'turn',
  parameters: [{ name: 'transactionHash', schema: hashSchema }],
  result: nullableShape(dataShape),
  differences: 'Of a native operation the bytes of its native transaction.',
  handler: ({ ledger }, [hash]) => {
    const found = ledger.findOperation(hash);
    if (found === undefined) return null;
    return rawEthereumTransaction(found) ?? rawTransaction(ledger.findTransaction(hash));
  },
});
