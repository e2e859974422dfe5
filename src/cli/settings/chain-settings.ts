import { BLOCK_INTERVAL_SECONDS_MAX, BLOCK_INTERVAL_SECONDS_MIN, BLOCK_NUMBER_MAX } from '../../consensus.ts';
import { HARDFORKS } from '../../evm/index.ts';
import { NETWORK_NAMES } from '../../ledger/index.ts';
import {
  BLOCK_TIME_SECONDS_MAX,
  FREE_BYTES_FLAG_MAX,
  NODE_NUMBER_MAX,
  STREAM_REPLICAS_MAX,
  TEST_ACCOUNTS_MAX,
} from '../../limits.ts';
import { DEFAULT_CONFIGURATION, DEFAULT_ETHEREUM, DEFAULT_NODE_CONFIGURATION } from '../../node/index.ts';
import {
  byteCount,
  byteText,
  decimalSeconds,
  headLag,
  logAddress,
  nativeUnits,
  nodeUrl,
  oneOf,
  path,
  someText,
  wholeNumber,
} from '../values.ts';
import { list, optional, type Setting, toggle, value } from './setting.ts';

/** Replicas with which a block log is safe. */
const STREAM_REPLICAS_DEFAULT = 3;

/** Settings that choose the mode. */
export const MODE_SETTINGS = {
  'data-dir': optional({
    argument: 'folder',
    help: 'folder of the node; without one, test mode in a temporary folder',
    type: path,
    defaultText: 'none',
  }),
  test: toggle('test mode also with a data folder: funded accounts, a wallet, a movable clock'),
} as const satisfies Record<string, Setting>;

/** Settings of the persistent node of a chain. */
export const NODE_SETTINGS = {
  genesis: optional({
    argument: 'file',
    help: 'genesis file of the chain',
    type: path,
    defaultText: 'genesis.json in the data folder',
  }),
  keys: optional({
    argument: 'folder',
    help: 'folder of the key files',
    type: path,
    defaultText: 'keys in the data folder',
  }),
  'block-interval': optional({
    help: 'time between two blocks, decimals allowed',
    type: decimalSeconds(BLOCK_INTERVAL_SECONDS_MIN, BLOCK_INTERVAL_SECONDS_MAX),
    defaultText: 'as the genesis says',
  }),
  follow: list({
    help: 'node whose blocks are taken over, repeatable',
    type: nodeUrl,
  }),
  'max-lag': optional({
    argument: 'lag',
    help: 'blocks, or seconds (30s), that the node may be behind the newest known block and be well',
    type: headLag,
    defaultText: 'any',
  }),
  'node-number': optional({
    help: "number of the node in its cluster, with which its filters' ids begin",
    type: wholeNumber(1, NODE_NUMBER_MAX),
    defaultText: 'that of its producer, where there are several',
  }),
  log: optional({
    argument: 'urls',
    help: 'NATS servers that keep the block log which the nodes of a cluster share',
    type: logAddress,
    defaultText: "none: the node's own store",
  }),
  'log-replicas': value({
    help: 'servers that have to keep the block log; 1 is for tests',
    type: wholeNumber(1, STREAM_REPLICAS_MAX),
    default: STREAM_REPLICAS_DEFAULT,
  }),
  'log-monitor': list({
    help: 'monitoring port of a server of the block log, repeatable: it shows how the server writes',
    type: nodeUrl,
  }),
  'log-assume-synced': toggle('vouch for it that all servers of the block log have sync_interval: always'),
  'log-credentials': optional({
    argument: 'file',
    help: 'file with the credentials of a user of the block log (.creds)',
    type: path,
    defaultText: 'none',
  }),
  'log-ca': optional({
    argument: 'file',
    help: 'certificates by which the servers of the block log are believed, as PEM',
    type: path,
    defaultText: "the system's",
  }),
  'produce-without-hearing': toggle('make blocks before each followed node has been heard once'),
  'sign-again-after': optional({
    help: 'newest block, behind which what was signed before is given up',
    type: wholeNumber(0, BLOCK_NUMBER_MAX),
    defaultText: 'never',
  }),
  'min-free-space': value({
    help: 'free space below which nothing is written, 0 for no such limit',
    type: byteCount(0, FREE_BYTES_FLAG_MAX),
    default: DEFAULT_NODE_CONFIGURATION.minFreeBytes,
    defaultText: byteText(DEFAULT_NODE_CONFIGURATION.minFreeBytes),
  }),
  'undo-blocks': value({
    help: 'newest blocks that can be taken back and looked behind, 0 for none',
    type: wholeNumber(0, BLOCK_NUMBER_MAX),
    default: DEFAULT_NODE_CONFIGURATION.undoBlocks,
  }),
  explorer: toggle('show browsers the explorer at /'),
} as const satisfies Record<string, Setting>;

/** Settings of test mode. */
export const TEST_SETTINGS = {
  accounts: value({
    help: `funded accounts, at most ${TEST_ACCOUNTS_MAX}`,
    type: wholeNumber(1, TEST_ACCOUNTS_MAX),
    default: DEFAULT_CONFIGURATION.accounts,
  }),
  balance: value({
    argument: 'units',
    help: 'native units of each of them',
    type: nativeUnits,
    default: DEFAULT_CONFIGURATION.balance,
  }),
  seed: value({
    argument: 'text',
    help: 'text that their keys are derived from',
    type: someText(),
    default: DEFAULT_CONFIGURATION.seed,
    isSecret: true,
  }),
  ethereum: toggle('a chain that knows Ethereum: its wallets and tools work at the path /ethereum'),
  'native-accounts': toggle('with --ethereum: print the native accounts and their keys, too'),
  mnemonic: value({
    argument: 'words',
    help: "with --ethereum: words that the keys of Ethereum's tools are derived from",
    type: someText(),
    default: DEFAULT_ETHEREUM.mnemonic,
    isSecret: true,
  }),
  'derivation-path': value({
    argument: 'path',
    help: 'with --ethereum: where these keys are below the words',
    type: someText(),
    default: DEFAULT_ETHEREUM.derivationPath,
  }),
  network: optional({
    help: NETWORK_NAMES.join(', '),
    type: oneOf(NETWORK_NAMES),
    defaultText: 'default; with --ethereum: local',
  }),
  hardfork: value({
    help: HARDFORKS.join(', '),
    type: oneOf(HARDFORKS),
    default: DEFAULT_CONFIGURATION.hardfork,
  }),
  'block-time': value({
    argument: 'seconds',
    help: 'a block every so many seconds',
    type: wholeNumber(1, BLOCK_TIME_SECONDS_MAX),
    default: DEFAULT_CONFIGURATION.blockTime,
    defaultText: 'one for every transaction',
  }),
  'no-mining': toggle('start with block production stopped: evm_mine and miner_start make blocks'),
  artifacts: list({
    argument: 'folder',
    help: "artifacts of Hardhat, or Foundry's out, for names in the node's log, repeatable",
    type: path,
  }),
  'no-explorer': toggle('do not show browsers the explorer at /'),
  'unsafe-expose-test-mode': toggle('allow a host that other machines can reach'),
  quiet: toggle('print nothing but errors'),
} as const satisfies Record<string, Setting>;
