import { z } from 'zod';
import { defineTestMethod } from '../../method.ts';

export const mining = defineTestMethod({
  name: 'eth_mining',
  summary: 'Tells whether the client is generating blocks.',
  section: 'testMode',
  parameters: [],
  result: z.boolean(),
  differences: 'Tells of block production: there is no proof of work.',
  example: { parameters: [], result: true },
  handler: ({ ledger }) => ledger.isMining(),
});
