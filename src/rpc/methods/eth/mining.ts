import { z } from 'zod';
import { defineTestMethod } from '../../method.ts';

export const mining = defineTestMethod({
  name: 'eth_mining',
  summary: 'Tells whether the client is generating blocks.',
  parameters: [],
  result: z.boolean(),
  handler: ({ ledger }) => ledger.isMining(),
});
