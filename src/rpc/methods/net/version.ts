import { z } from 'zod';
import { defineMethod, type MethodContext } from '../../method.ts';

const description = {
  summary: 'Answers the network id: 1 main, 2 test, 3 dev, 255 default.',
  section: 'client',
  parameters: [],
  result: z.string(),
  differences: 'The id of the network is not its chain id, except for the default chain.',
  example: { parameters: [], result: '255' },
  handler: ({ ledger }: MethodContext) => String(ledger.network.networkId),
} as const;

export const version = defineMethod({ ...description, name: 'net_version' });

/** The name that anvil gives it. */
export const networkId = defineMethod({ ...description, name: 'eth_networkId' });
