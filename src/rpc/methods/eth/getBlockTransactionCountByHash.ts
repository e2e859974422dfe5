import { quantity } from '../../../view/index.ts';
import { blockByHash } from '../../lookups.ts';
import { defineMethod } from '../../method.ts';
import { hashSchema } from '../../schemas/bytes.ts';
import { quantityResult } from '../../schemas/results.ts';

export const getBlockTransactionCountByHash = defineMethod({
  name: 'eth_getBlockTransactionCountByHash',
  summary: 'Counts the operations of a block; null when there is no such block.',
  parameters: [{ name: 'blockHash', schema: hashSchema }],
  result: quantityResult.nullable(),
  handler: ({ ledger }, hash) => {
    const block = blockByHash(ledger, hash);
    return block === undefined ? null : quantity(block.operationCount);
  },
});
