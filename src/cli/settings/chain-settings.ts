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
import { list, type Setting, toggle, value } from './setting.ts';

/** Replicas that a block log is safe with, unless the operator says otherwise. */
const STREAM_REPLICAS_DEFAULT = 3;

/** Which node it is. */
export const MODE_SETTINGS = {
  'data-dir': value({
    argument: 'folder',
    help: 'folder of the node; without one, test mode in a temporary folder',
    type: path,
    default: undefined,
    defaultText: 'none',
    isPath: true,
  }),
  test: toggle({ help: 'test mode also with a data folder: funded accounts, a wallet, a movable clock' }),
} as const satisfies Record<string, Setting>;

/** What only the persistent node of a chain has. */
export const NODE_SETTINGS = {
  genesis: value({
    mode: 'node',
    argument: 'file',
    help: 'genesis file of the chain',
    type: path,
    default: undefined,
    defaultText: 'genesis.json in the data folder',
    isPath: true,
  }),
  keys: value({
    mode: 'node',
    argument: 'folder',
    help: 'folder of the key files',
    type: path,
    default: undefined,
    defaultText: 'keys in the data folder',
    isPath: true,
  }),
  'block-interval': value({
    mode: 'node',
    argument: 'seconds',
    help: 'time between two blocks, decimals allowed',
    type: decimalSeconds(BLOCK_INTERVAL_SECONDS_MIN, BLOCK_INTERVAL_SECONDS_MAX),
    default: undefined,
    defaultText: 'as the genesis says',
  }),
  follow: list({
    mode: 'node',
    argument: 'url',
    help: 'node whose blocks are taken over, repeatable',
    type: nodeUrl,
  }),
  'max-lag': value({
    mode: 'node',
    argument: 'lag',
    help: 'blocks, or seconds (30s), that the node may be behind the newest known block and be well',
    type: headLag,
    default: undefined,
    defaultText: 'any',
  }),
  'node-number': value({
    mode: 'node',
    argument: 'number',
    help: "number of the node in its cluster, with which its filters' ids begin",
    type: wholeNumber(1, NODE_NUMBER_MAX),
    default: undefined,
    defaultText: 'that of its producer, where there are several',
  }),
  log: value({
    mode: 'node',
    argument: 'urls',
    help: 'NATS servers that keep the block log which the nodes of a cluster share',
    type: logAddress,
    default: undefined,
    defaultText: "none: the node's own store",
  }),
  'log-replicas': value({
    mode: 'node',
    argument: 'number',
    help: 'servers that have to keep the block log; 1 is for tests',
    type: wholeNumber(1, STREAM_REPLICAS_MAX),
    default: STREAM_REPLICAS_DEFAULT,
  }),
  'log-monitor': list({
    mode: 'node',
    argument: 'url',
    help: 'monitoring port of a server of the block log, repeatable: it shows how the server writes',
    type: nodeUrl,
  }),
  'log-assume-synced': toggle({
    mode: 'node',
    help: 'vouch for it that all servers of the block log have sync_interval: always',
  }),
  'log-credentials': value({
    mode: 'node',
    argument: 'file',
    help: 'file with the credentials of a user of the block log (.creds)',
    type: path,
    default: undefined,
    defaultText: 'none',
    isPath: true,
  }),
  'log-ca': value({
    mode: 'node',
    argument: 'file',
    help: 'certificates by which the servers of the block log are believed, as PEM',
    type: path,
    default: undefined,
    defaultText: "the system's",
    isPath: true,
  }),
  'produce-without-hearing': toggle({
    mode: 'node',
    help: 'make blocks before each followed node has been heard once',
  }),
  'sign-again-after': value({
    mode: 'node',
    argument: 'number',
    help: 'newest block, behind which what was signed before is given up',
    type: wholeNumber(0, BLOCK_NUMBER_MAX),
    default: undefined,
    defaultText: 'never',
  }),
  'min-free-space': value({
    mode: 'node',
    argument: 'bytes',
    help: 'free space below which nothing is written, 0 for no such limit',
    type: byteCount(0, FREE_BYTES_FLAG_MAX),
    default: DEFAULT_NODE_CONFIGURATION.minFreeBytes,
    defaultText: byteText(DEFAULT_NODE_CONFIGURATION.minFreeBytes),
  }),
  'undo-blocks': value({
    mode: 'node',
    argument: 'number',
    help: 'newest blocks that can be taken back and looked behind, 0 for none',
    type: wholeNumber(0, BLOCK_NUMBER_MAX),
    default: DEFAULT_NODE_CONFIGURATION.undoBlocks,
  }),
  explorer: toggle({ mode: 'node', help: 'show browsers the explorer at /' }),
} as const satisfies Record<string, Setting>;

/** What only test mode has. */
export const TEST_SETTINGS = {
  accounts: value({
    mode: 'test',
    argument: 'number',
    help: `funded accounts, at most ${TEST_ACCOUNTS_MAX}`,
    type: wholeNumber(1, TEST_ACCOUNTS_MAX),
    default: DEFAULT_CONFIGURATION.accounts,
  }),
  balance: value({
    mode: 'test',
    argument: 'units',
    help: 'native units of each of them',
    type: nativeUnits,
    default: DEFAULT_CONFIGURATION.balance,
  }),
  seed: value({
    mode: 'test',
    argument: 'text',
    help: 'text that their keys are derived from',
    type: someText(),
    default: DEFAULT_CONFIGURATION.seed,
    isSecret: true,
  }),
  ethereum: toggle({
    mode: 'test',
    help: 'a chain that knows Ethereum: its wallets and tools work at the path /ethereum',
  }),
  'native-accounts': toggle({
    mode: 'test',
    help: 'with --ethereum: print the native accounts and their keys, too',
  }),
  mnemonic: value({
    mode: 'test',
    argument: 'words',
    help: "with --ethereum: words that the keys of Ethereum's tools are derived from",
    type: someText(),
    default: DEFAULT_ETHEREUM.mnemonic,
    isSecret: true,
  }),
  'derivation-path': value({
    mode: 'test',
    argument: 'path',
    help: 'with --ethereum: where these keys are below the words',
    type: someText(),
    default: DEFAULT_ETHEREUM.derivationPath,
  }),
  network: value({
    mode: 'test',
    argument: 'name',
    help: NETWORK_NAMES.join(', '),
    type: oneOf(NETWORK_NAMES),
    default: undefined,
    defaultText: 'default; with --ethereum: local',
  }),
  hardfork: value({
    mode: 'test',
    argument: 'name',
    help: HARDFORKS.join(', '),
    type: oneOf(HARDFORKS),
    default: DEFAULT_CONFIGURATION.hardfork,
  }),
  'block-time': value({
    mode: 'test',
    argument: 'seconds',
    help: 'a block every so many seconds',
    type: wholeNumber(1, BLOCK_TIME_SECONDS_MAX),
    default: DEFAULT_CONFIGURATION.blockTime,
    defaultText: 'one for every transaction',
  }),
  'no-mining': toggle({
    mode: 'test',
    help: 'start with block production stopped: evm_mine and miner_start make blocks',
  }),
  artifacts: list({
    mode: 'test',
    argument: 'folder',
    help: "artifacts of Hardhat, or Foundry's out, for names in the node's log, repeatable",
    type: path,
    isPath: true,
  }),
  'no-explorer': toggle({ mode: 'test', help: 'do not show browsers the explorer at /' }),
  'unsafe-expose-test-mode': toggle({
    mode: 'test',
    help: 'allow a host that other machines can reach',
  }),
  quiet: toggle({ mode: 'test', help: 'print nothing but errors' }),
} as const satisfies Record<string, Setting>;
