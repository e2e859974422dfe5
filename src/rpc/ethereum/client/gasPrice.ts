import { quantityShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { gasPriceText } from '../constants.ts';

export const gasPrice = defineMethod({
  name: 'eth_gasPrice',
  summary: 'Answers the price of gas in wei.',
  section: 'client',
  work: 'quick',
  parameters: [],
  result: quantityShape,
  differences: 'Always 10 gwei: a unit of gas costs a unit of the ledger.',
  example: { parameters: [], result: '0x2540be400' },
  handler: ({ ledger }) => gasPriceText(ledger.rules),
});
