import { dataShape, nullableShape } from '../../../view/index.ts';
import { rawEthereumTransactionAt } from '../../answers/ethereum-objects.ts';
import { blockByHash } from '../../answers/find-block.ts';
import { defineMethod } from '../../method.ts';
import { hashSchema } from '../../parameters/bytes.ts';
import { quantitySchema } from '../../parameters/quantity.ts';

export const getRawTransactionByBlockHashAndIndex = defineMethod({
  name: 'eth_getRawTransactionByBlockHashAndIndex',
  summary: 'Answers the signed bytes of the transaction at a position of a block; null when there is none.',
  section: 'blocks',
  work: 'worker',
  parameters: [
    { name: 'blockHash', schema: hashSchema },
    { name: 'index', schema: quantitySchema },
  ],
  result: nullableShape(dataShape),
  differences: 'Of a native operation the bytes of its native transaction.',
  handler: ({ ledger }, [hash, index]) => rawEthereumTransactionAt(ledger, blockByHash(ledger, hash), index),
});
