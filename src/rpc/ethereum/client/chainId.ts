import { quantity, quantityShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';

export const chainId = defineMethod({
  name: 'eth_chainId',
  summary: 'Answers the chain id.',
  section: 'client',
  work: 'quick',
  parameters: [],
  result: quantityShape,
  example: { parameters: [], result: '0x7a69' },
  handler: ({ ledger }) => quantity(ledger.network.chainId),
});
