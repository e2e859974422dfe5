import { quantity, quantityShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { ignoredBlockSchema } from '../../parameters/block.ts';
import { addressSchema } from '../../parameters/bytes.ts';

export const getBalance = defineMethod({
  name: 'eth_getBalance',
  summary: 'Answers the balance of an address in native units, which are Wei here.',
  section: 'state',
  work: 'quick',
  parameters: [
    { name: 'address', schema: addressSchema },
    { name: 'block', schema: ignoredBlockSchema },
  ],
  result: quantityShape,
  differences: 'One Wei is one native unit.',
  example: {
    parameters: ['0x0000000000000000000000000000000000000400', 'latest'],
    result: '0x16345785d8a0000',
  },
  handler: ({ ledger }, [address]) => quantity(ledger.balanceOf(address)),
});
