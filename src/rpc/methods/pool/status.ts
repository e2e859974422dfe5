import { objectShape, quantity, quantityShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';

export const poolStatus = defineMethod({
  name: 'txpool_status',
  summary: 'Counts the transactions that wait for a block; none is queued.',
  section: 'control',
  work: 'turn',
  chains: 'test',
  parameters: [],
  result: objectShape({ pending: quantityShape, queued: quantityShape }),
  differences: 'Counts operations, which are the transactions here.',
  example: { parameters: [], result: { pending: '0x0', queued: '0x0' } },
  handler: ({ ledger }) => ({ pending: quantity(ledger.pendingOperations().length), queued: quantity(0) }),
});
