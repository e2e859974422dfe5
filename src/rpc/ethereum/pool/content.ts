import { addressShape, objectShape, pendingTransactionShape, recordShape } from '../../../view/index.ts';
import { waitingTransaction } from '../../answers/ethereum-objects.ts';
import { defineMethod } from '../../method.ts';
import { listed, waitingOperations } from './waiting.ts';

const contentShape = recordShape(recordShape(pendingTransactionShape), addressShape);

export const poolContent = defineMethod({
  name: 'txpool_content',
  summary: 'Lists what waits by the address of who pays, and by nonce: ready for a block, and behind a gap.',
  section: 'blocks',
  work: 'turn',
  parameters: [],
  result: objectShape({ pending: contentShape, queued: contentShape }),
  example: { parameters: [], result: { pending: {}, queued: {} } },
  handler: (context) => {
    const { pending, queued } = waitingOperations(context);
    const write = waitingTransaction(context);
    return { pending: listed(context, pending, write), queued: listed(context, queued, write) };
  },
});
