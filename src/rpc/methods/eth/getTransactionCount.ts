import { quantity } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { ignoredBlockSchema } from '../../schemas/block.ts';
import { addressSchema } from '../../schemas/bytes.ts';
import { quantityResult } from '../../schemas/results.ts';

export const getTransactionCount = defineMethod({
  name: 'eth_getTransactionCount',
  summary: 'Counts the included transactions whose fees an address paid; needs the history plugin.',
  parameters: [
    { name: 'address', schema: addressSchema },
    { name: 'block', schema: ignoredBlockSchema },
  ],
  result: quantityResult,
  handler: ({ ledger }, address) => quantity(ledger.operationCount(address)),
});
