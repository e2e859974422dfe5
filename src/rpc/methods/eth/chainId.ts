import { z } from 'zod';
import { defineMethod } from '../../method.ts';

export const chainId = defineMethod({
  name: 'eth_chainId',
  summary: 'Answers the chain id as a JSON integer.',
  parameters: [],
  result: z.int(),
  handler: ({ ledger }) => ledger.network.chainId,
});
