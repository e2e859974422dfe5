import { z } from 'zod';
import { defineMethod } from '../../method.ts';

export const version = defineMethod({
  name: 'net_version',
  summary: 'Answers the network id: 1 main, 2 test, 3 dev, 255 default.',
  parameters: [],
  result: z.string(),
  handler: ({ ledger }) => ledger.network.networkId,
});
