import { addressShape, arrayShape, data, quantity, quantityShape } from '../../view/index.ts';
import { defineMethod, type MethodDefinition } from '../method.ts';

const accounts = defineMethod({
  name: 'eth_accounts',
  aliases: ['eth_requestAccounts', 'personal_listAccounts'],
  summary: 'Lists the accounts that the node signs for; none outside of test mode.',
  section: 'client',
  work: 'turn',
  parameters: [],
  result: arrayShape(addressShape),
  handler: ({ keys }) => (keys?.list() ?? []).map(data),
});

const hashrate = defineMethod({
  name: 'eth_hashrate',
  summary: 'Answers the rate of hashes, which is 0: blocks are not mined by proof of work.',
  section: 'client',
  work: 'quick',
  parameters: [],
  result: quantityShape,
  example: { parameters: [], result: '0x0' },
  handler: () => quantity(0),
});

/** The methods about a client that Ethereum's tools ask it for, and `/` does not have. */
export const ETHEREUM_CLIENT_METHODS: readonly MethodDefinition[] = [accounts, hashrate];
