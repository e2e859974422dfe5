import { crc32 } from 'node:zlib';
import { shape } from '../../../formatters/index.ts';
import { genesisNumberOf, type LedgerQueries } from '../../../ledger/index.ts';
import {
  blockHashOf,
  type Hexadecimal,
  invariant,
  keccak256,
  quantity,
  toPrefixedHex,
  zeroData,
} from '../../../protocol/index.ts';
import { toSyncStatus } from '../../context/node-status.ts';
import { ResponseBody } from '../../json/response-body.ts';
import { defineClientMethod, defineMethod, type MethodDefinition } from '../../method.ts';
import type { MethodContext } from '../../method-context.ts';
import { messageDataSchema } from '../../parameters/schema.ts';

const clientVersion = defineClientMethod({
  name: 'web3_clientVersion',
  summary: 'Returns the client and its version; in test mode those of an anvil, which tools expect.',
  result: shape.text,
  example: { parameters: [], result: 'anvil/v1.7.1-ledgerd-0.2.0' },
  handler: (context) => context.profile.clientVersion(context),
});

const sha3 = defineMethod({
  name: 'web3_sha3',
  summary: 'Computes the Keccak-256 hash of data, which is not the standardized SHA3-256.',
  section: 'client',
  parameters: [{ name: 'data', schema: messageDataSchema, summary: 'The bytes to hash.' }],
  beforeFork: 'local',
  result: shape.hash,
  example: {
    parameters: ['0x68656c6c6f20776f726c64'],
    result: '0x47173285a8d7341e5e972fc677286384f802f8ef42a5ec5f03bbfa254cb01fad',
  },
  handler: (_context, [bytes]) => toPrefixedHex(keccak256(bytes)),
});

const networkVersion = defineClientMethod({
  name: 'net_version',
  // The name that anvil gives it.
  aliases: ['eth_networkId'],
  summary: 'Returns the chain id in decimal digits.',
  result: shape.text,
  example: { parameters: [], result: '31337' },
  handler: ({ ledger }) => String(ledger.parameters.network.chainId),
});

const listening = defineClientMethod({
  name: 'net_listening',
  summary: 'Returns true if the node listens for connections.',
  result: shape.flag,
  example: { parameters: [], result: true },
  handler: ({ nodeStatus }) => nodeStatus.listening(),
});

const peerCount = defineClientMethod({
  name: 'net_peerCount',
  summary: 'Counts the connected peers.',
  result: shape.quantity,
  example: { parameters: [], result: '0x0' },
  handler: ({ nodeStatus }) => quantity(nodeStatus.peerCount()),
});

const PROTOCOL_VERSION = '0x3f';

const protocolVersion = defineClientMethod({
  name: 'eth_protocolVersion',
  summary: 'Returns the protocol version of the integrated EVM.',
  result: shape.quantity,
  differences: 'Always 63.',
  example: { parameters: [], result: '0x3f' },
  handler: () => PROTOCOL_VERSION,
});

/** Sync status: docs/interface.md#sync-status. */
const syncStatusShape = shape.named(
  'SyncStatus',
  { title: 'sync status' },
  shape.object({ startingBlock: shape.quantity, currentBlock: shape.quantity, highestBlock: shape.quantity }),
);

const syncing = defineClientMethod({
  name: 'eth_syncing',
  summary: 'Returns the progress of the synchronisation; false if the node is not syncing.',
  result: shape.either(shape.constant(false), syncStatusShape),
  example: { parameters: [], result: false },
  handler: ({ nodeStatus }) => {
    const status = nodeStatus.syncing();
    return status === undefined ? false : toSyncStatus(status);
  },
});

const coinbase = defineClientMethod({
  name: 'eth_coinbase',
  summary: 'Returns the first account of the consensus configuration.',
  result: shape.address,
  differences: 'On a test chain the result of COINBASE in the next block, which `anvil_setCoinbase` sets.',
  example: { parameters: [], result: zeroData(20) },
  handler: ({ ledger: { parameters, prices } }) =>
    toPrefixedHex(parameters.rules.headersStateSettings ? prices.settings().coinbase : parameters.coinbase),
});

const mining = defineClientMethod({
  name: 'eth_mining',
  summary: 'Returns true if the node produces blocks.',
  result: shape.flag,
  differences:
    'Reports block production, not proof of work: mining is on, the node holds the key of a producer, and nothing ' +
    'blocks production.',
  example: { parameters: [], result: true },
  handler: ({ ledger, nodeStatus }) => ledger.miner.isMining() && nodeStatus.mayProduce(),
});

const chainIdText = memoized(
  ({ chainId }: LedgerQueries['parameters']['network']) =>
    new ResponseBody<Hexadecimal>(JSON.stringify(quantity(chainId))),
);

const chainId = defineClientMethod({
  name: 'eth_chainId',
  summary: 'Returns the chain id.',
  result: shape.quantity,
  example: { parameters: [], result: '0x7a69' },
  handler: ({ ledger }) => chainIdText(ledger.parameters.network),
});

/** Caches a value of a part of the genesis, which is the same object until another chain is loaded. */
function memoized<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  let cached: { readonly key: Key; readonly value: Value } | undefined;
  return (key) => {
    if (cached?.key !== key) cached = { key, value: make(key) };
    return cached.value;
  };
}

const blockNumber = defineMethod({
  name: 'eth_blockNumber',
  summary: 'Returns the number of the latest block.',
  section: 'state',
  scheduling: 'quick',
  beforeFork: 'local',
  result: shape.quantity,
  example: { parameters: [], result: '0x14' },
  handler: ({ ledger }) => quantity(ledger.blocks.head().number),
});

/** The methods that say what the node is, and what it knows of the network. */
export const CLIENT_METHODS: readonly MethodDefinition[] = [
  clientVersion,
  sha3,
  networkVersion,
  listening,
  peerCount,
  protocolVersion,
  syncing,
  coinbase,
  mining,
  chainId,
  blockNumber,
];

const configurationShape = shape.object({
  activationTime: shape.integer,
  blobSchedule: shape.object({
    baseFeeUpdateFraction: shape.integer,
    max: shape.integer,
    target: shape.integer,
  }),
  chainId: shape.quantity,
  forkId: shape.data,
  precompiles: shape.record(shape.address),
  systemContracts: shape.object({}),
});

export const config = defineClientMethod({
  name: 'eth_config',
  summary: 'Returns the current rules of the EVM (EIP-7910).',
  result: shape.object({ current: configurationShape, next: shape.null, last: shape.null }),
  differences:
    'The hard fork is fixed by the genesis: `next` and `last` are null. There are no system contracts. ' +
    'The fork id is the CRC-32 of the hash of block 0.',
  handler: ({ ledger }) => {
    const current = {
      activationTime: 0,
      blobSchedule: ledger.parameters.rules.blobs ?? { baseFeeUpdateFraction: 0, max: 0, target: 0 },
      chainId: quantity(ledger.parameters.network.chainId),
      forkId: forkIdOf(ledger),
      precompiles: Object.fromEntries(
        ledger.parameters.precompiles().map(({ name, address }) => [name, toPrefixedHex(address)]),
      ),
      systemContracts: {},
    };
    return { current, next: null, last: null };
  },
});

/** Returns the fork id (EIP-6122) of a chain whose hard fork is that of its genesis. */
function forkIdOf(ledger: MethodContext['ledger']): Hexadecimal {
  const genesis = ledger.blocks.blockByNumber(genesisNumberOf(ledger.parameters.genesis));
  invariant(genesis !== undefined, 'a chain has a genesis block');
  const checksum = crc32(blockHashOf(genesis.id));
  return `0x${checksum.toString(16).padStart(8, '0')}`;
}

const keptShape = shape.object({
  disabled: shape.flag,
  oldestBlock: shape.optional(shape.quantity),
  deleteStrategy: shape.optional(
    shape.object({ type: shape.constant('window'), retentionBlocks: shape.quantity }),
  ),
});

/** The answer for data that is kept from block 0 on. */
const ALL_KEPT = { disabled: false, oldestBlock: quantity(0) };

const capabilitiesShape = shape.named(
  'Capabilities',
  { title: 'capabilities' },
  shape.object({
    head: shape.object({ number: shape.quantity, hash: shape.hash }),
    state: keptShape,
    tx: keptShape,
    logs: keptShape,
    receipts: keptShape,
    blocks: keptShape,
    stateproofs: keptShape,
  }),
);

/** Returns the method that describes the data of the node, by the number of the oldest block with a readable state. */
export const capabilitiesMethod = (oldestOf: (ledger: LedgerQueries) => number): MethodDefinition =>
  defineClientMethod({
    name: 'eth_capabilities',
    summary: 'Returns the oldest block for each kind of data that the node serves.',
    result: capabilitiesShape,
    differences: 'The node serves the state of the stored window and all blocks, but no proofs.',
    handler: ({ ledger }) => {
      const { number, id: head } = ledger.blocks.head();
      const oldest = oldestOf(ledger);
      return {
        head: { number: quantity(number), hash: toPrefixedHex(blockHashOf(head)) },
        state: {
          disabled: false,
          oldestBlock: quantity(oldest),
          deleteStrategy: { type: 'window' as const, retentionBlocks: quantity(number + 1 - oldest) },
        },
        tx: ALL_KEPT,
        logs: ALL_KEPT,
        receipts: ALL_KEPT,
        blocks: ALL_KEPT,
        stateproofs: { disabled: true },
      };
    },
  });
