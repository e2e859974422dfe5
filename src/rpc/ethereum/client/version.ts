import { textShape } from '../../../view/index.ts';
import { defineMethod } from '../../method.ts';

export const networkVersion = defineMethod({
  name: 'net_version',
  // The name that anvil gives it.
  aliases: ['eth_networkId'],
  summary: 'Answers the chain id in decimal digits.',
  section: 'client',
  work: 'quick',
  parameters: [],
  result: textShape,
  example: { parameters: [], result: '31337' },
  handler: ({ ledger }) => String(ledger.network.chainId),
});
