import { quantity, quantityShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';

export const gasPrice = defineMethod({
  name: 'eth_gasPrice',
  summary: 'Answers the price of a unit of gas, which is always 1.',
  section: 'client',
  work: 'quick',
  parameters: [],
  result: quantityShape,
  differences: 'Always 1: fees are offered as an amount, and there is no market for gas.',
  example: { parameters: [], result: '0x1' },
  handler: () => quantity(1),
});
