import { quantity, quantityShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';

export const blockNumber = defineMethod({
  name: 'eth_blockNumber',
  summary: 'Answers the number of the latest block.',
  section: 'state',
  work: 'quick',
  parameters: [],
  result: quantityShape,
  example: { parameters: [], result: '0x14' },
  handler: ({ ledger }) => quantity(ledger.head().number),
});
