import { nullableShape, quantity, quantityShape } from '../../../view/index.ts';
import { blockByHash } from '../../answers/find-block.ts';
import { defineMethod } from '../../method.ts';
import { hashSchema } from '../../parameters/bytes.ts';

export const getBlockTransactionCountByHash = defineMethod({
  name: 'eth_getBlockTransactionCountByHash',
  summary: 'Counts the operations of a block; null when there is no such block.',
  section: 'state',
  work: 'worker',
  parameters: [{ name: 'blockHash', schema: hashSchema }],
  result: nullableShape(quantityShape),
  differences: 'One operation of a native transaction counts as one transaction.',
  example: {
    parameters: ['0x000000000000000000000000000000014b1c8a1d1c39da4bdf2b9c8d86ac2dd1'],
    result: '0x1',
  },
  handler: ({ ledger }, [hash]) => {
    const block = blockByHash(ledger, hash);
    return block === undefined ? null : quantity(block.operationCount);
  },
});
