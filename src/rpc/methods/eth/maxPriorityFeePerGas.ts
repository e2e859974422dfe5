import { quantity, quantityShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';

export const maxPriorityFeePerGas = defineMethod({
  name: 'eth_maxPriorityFeePerGas',
  summary: 'Answers what a unit of gas costs beyond the base fee, which is always 1.',
  section: 'client',
  work: 'quick',
  parameters: [],
  result: quantityShape,
  differences: 'Always 1, the price of gas: there is no base fee and no market.',
  example: { parameters: [], result: '0x1' },
  handler: () => quantity(1),
});
