import { addressShape, data } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';

export const coinbase = defineMethod({
  name: 'eth_coinbase',
  summary: 'Answers the first account of the consensus configuration.',
  section: 'client',
  work: 'quick',
  parameters: [],
  result: addressShape,
  differences: 'The first account of the consensus configuration, whether or not it makes the next block.',
  example: { parameters: [], result: '0x00000000000000000000000000000000000003ff' },
  handler: ({ ledger }) => data(ledger.coinbase),
});
