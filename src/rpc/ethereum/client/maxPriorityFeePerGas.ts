import { quantity, quantityShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';

export const maxPriorityFeePerGas = defineMethod({
  name: 'eth_maxPriorityFeePerGas',
  summary: 'Answers the tip that a transaction needs, which is none.',
  section: 'client',
  work: 'quick',
  parameters: [],
  result: quantityShape,
  differences: 'Always 0: only the base fee is charged, and a tip stays with its sender.',
  example: { parameters: [], result: '0x0' },
  handler: () => quantity(0),
});
