import { z } from 'zod';
import { toTransaction } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';
import { transactionResult } from '../../schemas/results.ts';

export const pendingTransactions = defineMethod({
  name: 'eth_pendingTransactions',
  summary: 'Lists the transactions that wait for a block.',
  section: 'blocks',
  parameters: [],
  result: z.array(transactionResult),
  differences: "All transactions that wait, not only those of the node's own accounts.",
  example: { parameters: [], result: [] },
  handler: ({ ledger }) => ledger.pendingOperations().map(toTransaction),
});
