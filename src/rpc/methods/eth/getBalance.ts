import { quantity } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { ignoredBlockSchema } from '../../schemas/block.ts';
import { addressSchema } from '../../schemas/bytes.ts';
import { quantityResult } from '../../schemas/results.ts';

export const getBalance = defineMethod({
  name: 'eth_getBalance',
  summary: 'Answers the balance of an address in native units, which are Wei here.',
  section: 'state',
  parameters: [
    { name: 'address', schema: addressSchema },
    { name: 'block', schema: ignoredBlockSchema },
  ],
  result: quantityResult,
  differences: 'One Wei is one native unit.',
  example: {
    parameters: ['0x0000000000000000000000000000000000000400', 'latest'],
    result: '0x16345785d8a0000',
  },
  handler: ({ ledger }, address) => quantity(ledger.balanceOf(address)),
});
