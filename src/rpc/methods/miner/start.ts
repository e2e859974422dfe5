import { z } from 'zod';
import { defineTestMethod } from '../../method.ts';

export const startMiner = defineTestMethod({
  name: 'miner_start',
  summary: 'Starts generating blocks.',
  section: 'testMode',
  parameters: [],
  result: z.null(),
  differences: 'Parameters are ignored.',
  example: { parameters: [], result: null },
  handler: ({ ledger }) => {
    ledger.startMining();
    return null;
  },
});
