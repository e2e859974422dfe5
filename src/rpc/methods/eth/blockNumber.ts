import { quantity } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { quantityResult } from '../../schemas/results.ts';

export const blockNumber = defineMethod({
  name: 'eth_blockNumber',
  summary: 'Answers the number of the latest block.',
  parameters: [],
  result: quantityResult,
  handler: ({ ledger }) => quantity(ledger.head().number),
});
