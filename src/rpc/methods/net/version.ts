import { textShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';

export const version = defineMethod({
  name: 'net_version',
  // The name that anvil gives it.
  aliases: ['eth_networkId'],
  summary: 'Answers the network id: 1 main, 2 test, 3 dev, 255 default.',
  section: 'client',
  work: 'quick',
  parameters: [],
  result: textShape,
  differences: 'The id of the network is not its chain id, except for the default chain.',
  example: { parameters: [], result: '255' },
  handler: ({ ledger }) => String(ledger.network.networkId),
});
