import { objectShape, quantity, quantityShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';

export const poolStatus = defineMethod({
  name: 'txpool_status',
  summary: 'Counts the transactions that wait: ready for a block, and behind a gap of nonces.',
  section: 'blocks',
  work: 'turn',
  parameters: [],
  result: objectShape({ pending: quantityShape, queued: quantityShape }),
  example: { parameters: [], result: { pending: '0x0', queued: '0x0' } },
  handler: ({ ledger }) => ({
    pending: quantity(ledger.pendingOperations().length),
    queued: quantity(ledger.queuedOperations().length),
  }),
});
