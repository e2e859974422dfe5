import { data } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { addressResult } from '../../schemas/results.ts';

export const coinbase = defineMethod({
  name: 'eth_coinbase',
  summary: 'Answers the first account of the consensus configuration.',
  parameters: [],
  result: addressResult,
  handler: ({ ledger }) => data(ledger.coinbase),
});
