import { z } from 'zod';
import { defineMethod } from '../../method.ts';

export const version = defineMethod({
  name: 'net_version',
  summary: 'Answers the network id: 1 main, 2 test, 3 dev, 255 default.',
  section: 'client',
  parameters: [],
  result: z.string(),
  differences: 'The id of the network is not its chain id, except for the default chain.',
  example: { parameters: [], result: '255' },
  handler: ({ ledger }) => String(ledger.network.networkId),
});
