import { z } from 'zod';
import { defineTestMethod } from '../../method.ts';

export const stopMiner = defineTestMethod({
  name: 'miner_stop',
  summary: 'Stops generating blocks: transactions stay pending.',
  section: 'testMode',
  parameters: [],
  result: z.null(),
  example: { parameters: [], result: null },
  handler: ({ ledger }) => {
    ledger.stopMining();
    return null;
  },
});
