import { quantity } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { quantityResult } from '../../schemas/results.ts';

export const blobBaseFee = defineMethod({
  name: 'eth_blobBaseFee',
  summary: 'Answers the base fee of blob gas, as contracts see it: always 1.',
  section: 'client',
  parameters: [],
  result: quantityResult,
  differences: 'Always 1, the least that Ethereum knows: no transaction of this ledger carries blobs.',
  example: { parameters: [], result: '0x1' },
  handler: () => quantity(1),
});
