import { shape } from '../../formatters/index.ts';
import { blockHashOf, quantity, toPrefixedHex } from '../../protocol/index.ts';
import { defineControlMethod, defineMethod, type MethodDefinition, peerNames } from '../method.ts';
import { suggestedPrice } from '../transactions/suggested-prices.ts';

const accounts = defineMethod({
  name: 'eth_accounts',
  aliases: ['eth_requestAccounts', 'personal_listAccounts'],
  summary:
    'Returns the accounts that the node signs for, then the impersonated addresses; none outside of test mode.',
  section: 'client',
  beforeFork: 'local',
  result: shape.array(shape.address),
  // ethers' `getSigner(address)` takes only the addresses of this list.
  handler: ({ keys, wallet }) => [
    ...new Set([
      ...(keys?.list() ?? []).map(toPrefixedHex),
      ...(wallet?.impersonation.state.impersonated ?? []).map((digits) => `0x${digits}` as const),
    ]),
  ],
});

const hashrate = defineMethod({
  name: 'eth_hashrate',
  summary: 'Returns the hash rate: always 0, because there is no proof of work.',
  section: 'client',
  scheduling: 'quick',
  beforeFork: 'local',
  result: shape.quantity,
  example: { parameters: [], result: '0x0' },
  handler: () => quantity(0),
});

const nodeInfoShape = shape.named(
  'TestNodeInfo',
  { title: 'state of a test node' },
  shape.object({
    currentBlockNumber: shape.quantity,
    currentBlockTimestamp: shape.integer,
    currentBlockHash: shape.hash,
    hardFork: shape.text,
    transactionOrder: shape.text,
    environment: shape.object({
      baseFee: shape.quantity,
      chainId: shape.integer,
      gasLimit: shape.quantity,
      gasPrice: shape.quantity,
    }),
    forkConfig: shape.object({
      forkUrl: shape.nullable(shape.text),
      forkBlockNumber: shape.nullable(shape.integer),
      forkRetryBackoff: shape.nullable(shape.integer),
    }),
  }),
);

export const nodeInfo = defineControlMethod({
  ...peerNames('nodeInfo'),
  summary: 'Returns the head, the hard fork and the gas prices of the node, and the block of a fork.',
  differences: '`forkUrl` has no credentials: neither user and password nor the path.',
  scheduling: 'quick',
  result: nodeInfoShape,
  handler: ({ ledger, fork }) => {
    const { number, id, header } = ledger.blocks.head();
    const { gasLimit } = ledger.prices.settings();
    const { baseFee } = ledger.prices.next();
    return {
      currentBlockNumber: quantity(number),
      currentBlockTimestamp: header.timestamp,
      currentBlockHash: toPrefixedHex(blockHashOf(id)),
      hardFork: ledger.parameters.hardfork,
      transactionOrder: ledger.pool.prices.order,
      environment: {
        baseFee: quantity(baseFee),
        chainId: ledger.parameters.network.chainId,
        gasLimit: quantity(gasLimit),
        gasPrice: quantity(suggestedPrice(ledger)),
      },
      forkConfig: {
        forkUrl: fork?.source ?? null,
        forkBlockNumber: fork?.chain.remote?.number ?? null,
        forkRetryBackoff: fork?.backoffMs ?? null,
      },
    };
  },
});

/** The methods about the client that `/` does not have. */
export const ETHEREUM_CLIENT_METHODS: readonly MethodDefinition[] = [accounts, hashrate];
