import { quantityShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { gasPriceText } from '../constants.ts';

export const baseFee = defineMethod({
  name: 'eth_baseFee',
  summary: 'Answers the base fee of the next block in wei.',
  section: 'client',
  work: 'quick',
  parameters: [],
  result: quantityShape,
  differences: 'Always 10 gwei.',
  example: { parameters: [], result: '0x2540be400' },
  handler: ({ ledger }) => gasPriceText(ledger.rules),
});
