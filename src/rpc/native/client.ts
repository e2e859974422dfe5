import { shape } from '../../formatters/index.ts';
import { toPrefixedHex } from '../../protocol/index.ts';
import { defineClientMethod, type MethodDefinition } from '../method.ts';
import { capabilitiesMethod } from '../methods/client/client.ts';

const networkVersion = defineClientMethod({
  name: 'net_version',
  aliases: ['eth_networkId'],
  summary: 'Returns the network id: 1 main, 2 test, 3 dev, 255 default.',
  result: shape.text,
  differences: 'The id of the network is not its chain id, except for the default chain.',
  example: { parameters: [], result: '255' },
  handler: ({ ledger }) => String(ledger.parameters.network.networkId),
});

const coinbase = defineClientMethod({
  name: 'eth_coinbase',
  summary: 'Returns the first account of the consensus configuration.',
  result: shape.address,
  differences:
    'The first account of the consensus configuration, even if another one produces the next block.',
  example: { parameters: [], result: '0x00000000000000000000000000000000000003ff' },
  handler: ({ ledger }) => toPrefixedHex(ledger.parameters.coinbase),
});

const chainId = defineClientMethod({
  name: 'eth_chainId',
  summary: 'Returns the chain id as a JSON integer.',
  result: shape.integer,
  differences: 'A JSON integer, not a QUANTITY.',
  example: { parameters: [], result: 255 },
  handler: ({ ledger }) => ledger.parameters.network.chainId,
});

/** The methods about the node and its network that differ. */
export const NATIVE_CLIENT_METHODS: readonly MethodDefinition[] = [
  networkVersion,
  coinbase,
  chainId,
  capabilitiesMethod((ledger) => ledger.blocks.head().number),
];
