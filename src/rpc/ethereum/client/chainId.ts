import { quantityShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { chainIdText } from '../constants.ts';

export const chainId = defineMethod({
  name: 'eth_chainId',
  summary: 'Answers the chain id.',
  section: 'client',
  work: 'quick',
  parameters: [],
  result: quantityShape,
  example: { parameters: [], result: '0x7a69' },
  handler: ({ ledger }) => chainIdText(ledger.network),
});
