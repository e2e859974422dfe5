import { z } from 'zod';
import { defineTestMethod } from '../../method.ts';

export const stopMiner = defineTestMethod({
  name: 'miner_stop',
  summary: 'Stops generating blocks: transactions stay pending.',
  parameters: [],
  result: z.null(),
  handler: ({ ledger }) => {
    ledger.stopMining();
    return null;
  },
});
