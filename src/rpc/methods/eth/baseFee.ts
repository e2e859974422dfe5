import { quantity, quantityShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';

export const baseFee = defineMethod({
  name: 'eth_baseFee',
  summary: 'Answers the base fee of the next block, which is always 0.',
  section: 'client',
  work: 'quick',
  parameters: [],
  result: quantityShape,
  differences: 'Always 0: the price of gas is 1, and all of it is a fee of the producer.',
  example: { parameters: [], result: '0x0' },
  handler: () => quantity(0),
});
