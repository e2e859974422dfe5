import { arrayShape, toTransaction, transactionShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';

export const pendingTransactions = defineMethod({
  name: 'eth_pendingTransactions',
  summary: 'Lists the transactions that wait for a block.',
  section: 'blocks',
  work: 'turn',
  parameters: [],
  result: arrayShape(transactionShape),
  differences: "All transactions that wait, not only those of the node's own accounts.",
  example: { parameters: [], result: [] },
  handler: ({ ledger }) => ledger.pendingOperations().map(toTransaction),
});
