import { quantity } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { quantityResult } from '../../schemas/results.ts';

export const blockNumber = defineMethod({
  name: 'eth_blockNumber',
  summary: 'Answers the number of the latest block.',
  section: 'state',
  parameters: [],
  result: quantityResult,
  example: { parameters: [], result: '0x14' },
  handler: ({ ledger }) => quantity(ledger.head().number),
});
