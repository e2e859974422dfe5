import { arrayShape, pendingTransactionShape } from '../../../view/index.ts';
import { waitingTransaction } from '../../answers/ethereum-objects.ts';
import { defineMethod } from '../../method.ts';
import { waitingOperations } from './waiting.ts';

export const pendingTransactions = defineMethod({
  name: 'eth_pendingTransactions',
  summary: 'Lists the transactions that are ready for a block.',
  section: 'blocks',
  work: 'turn',
  parameters: [],
  result: arrayShape(pendingTransactionShape),
  differences: "All that wait, not only those of the node's own accounts.",
  example: { parameters: [], result: [] },
  handler: (context) => {
    const write = waitingTransaction(context);
    return waitingOperations(context).pending.map((operation) => write(operation));
  },
});
