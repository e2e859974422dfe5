import { quantity, quantityShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';

export const blobBaseFee = defineMethod({
  name: 'eth_blobBaseFee',
  summary: 'Answers the base fee of blob gas, as contracts see it: always 1.',
  section: 'client',
  work: 'quick',
  parameters: [],
  result: quantityShape,
  differences: 'Always 1, the least that Ethereum knows: no transaction of this ledger carries blobs.',
  example: { parameters: [], result: '0x1' },
  handler: () => quantity(1),
});
