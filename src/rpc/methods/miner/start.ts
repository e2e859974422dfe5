import { z } from 'zod';
import { defineTestMethod } from '../../method.ts';

export const startMiner = defineTestMethod({
  name: 'miner_start',
  summary: 'Starts generating blocks.',
  parameters: [],
  result: z.null(),
  handler: ({ ledger }) => {
    ledger.startMining();
    return null;
  },
});
