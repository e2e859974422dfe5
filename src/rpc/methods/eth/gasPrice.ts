import { quantity } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { quantityResult } from '../../schemas/results.ts';

export const gasPrice = defineMethod({
  name: 'eth_gasPrice',
  summary: 'Answers the price of a unit of gas, which is always 1.',
  parameters: [],
  result: quantityResult,
  handler: () => quantity(1),
});
