import {
  BLOCK_INTERVAL_SECONDS_MAX,
  BLOCK_INTERVAL_SECONDS_MIN,
  BLOCK_NUMBER_MAX,
  CODE_SIZE_LIMIT_MAX,
  CONTRACT_CODE_BYTES_MAX,
  ETHEREUM_BLOCK_GAS_LIMIT_MIN,
} from '../../consensus.ts';
import { HARDFORKS } from '../../evm/index.ts';
import { FORK_BACKOFF_MS_DEFAULT, FORK_RETRIES_DEFAULT, FORK_TIMEOUT_MS_DEFAULT } from '../../fork/index.ts';
import { NETWORK_NAMES } from '../../ledger/index.ts';
import {
  DEFAULT_CONFIGURATION,
  DEFAULT_ETHEREUM,
  DEFAULT_NODE_CONFIGURATION,
  TEST_ACCOUNTS_MAX,
} from '../../node/index.ts';
import { BLOCK_TIME_SECONDS_MAX, NODE_NUMBER_MAX } from '../../rpc/index.ts';
import {
  byteCount,
  decimalSeconds,
  etherUnits,
  file,
  folder,
  forkSource,
  gasUnits,
  headerText,
  headLag,
  logAddress,
  nativeUnits,
  nodeUrl,
  oneOf,
  someText,
  transactionHash,
  weiAmount,
  wholeNumber,
} from '../values.ts';
import { list, optional, type Setting, toggle, value } from './setting.ts';

/** Greatest value of `--chains`. */
const FURTHER_CHAINS_FLAG_MAX = 256;
/** Greatest number of replicas of a block log. */
const STREAM_REPLICAS_MAX = 5;
/** Greatest milliseconds of a request to a remote node, and of the first pause before a retry: ten minutes. */
const FORK_TIMEOUT_MS_MAX = 600_000;

/** Default replicas of a block log: the least that survive the loss of a server. */
const STREAM_REPLICAS_DEFAULT = 3;

const node = DEFAULT_NODE_CONFIGURATION;
const chain = DEFAULT_CONFIGURATION;

export const MODE_SETTINGS = {
  'data-dir': optional('folder of the node; without one, test mode in a temporary folder', folder, 'none'),
  test: toggle('test mode also with a data folder: funded accounts, a wallet, a movable clock'),
} as const satisfies Record<string, Setting>;

/** Settings of the persistent node of a chain. */
export const NODE_SETTINGS = {
  genesis: optional('genesis file of the chain', file, 'genesis.json in the data folder'),
  keys: optional('folder of the key files', folder, 'keys in the data folder'),
  'block-interval': optional(
    'time between two blocks, decimals allowed',
    decimalSeconds(BLOCK_INTERVAL_SECONDS_MIN, BLOCK_INTERVAL_SECONDS_MAX),
    'the interval of the genesis',
  ),
  follow: list('node from which blocks are imported, repeatable', nodeUrl),
  'max-lag': optional(
    'blocks, or seconds (30s), behind the newest known block beyond which health fails',
    headLag,
    'any',
    { argument: 'lag' },
  ),
  'node-number': optional(
    'number of the node in its cluster, the prefix of its filter ids',
    wholeNumber(1, NODE_NUMBER_MAX),
    'that of its producer, if there are several',
  ),
  'block-log': optional(
    'NATS servers with the block log that the nodes of a cluster share',
    logAddress,
    "none: the node's store",
    { argument: 'urls' },
  ),
  'block-log-replicas': value(
    'servers that must store the block log; 1 is for tests',
    wholeNumber(1, STREAM_REPLICAS_MAX),
    STREAM_REPLICAS_DEFAULT,
  ),
  'block-log-monitor': list(
    'monitoring port of a server of the block log, repeatable: it shows how the server writes',
    nodeUrl,
  ),
  'block-log-assume-synced': toggle('assert that all servers of the block log have sync_interval: always'),
  'block-log-credentials': optional(
    'file with the credentials of a user of the block log (.creds)',
    file,
    'none',
  ),
  'block-log-ca': optional(
    'trusted certificates for the servers of the block log, as PEM',
    file,
    "the system's",
  ),
  'produce-without-hearing': toggle('make blocks before each followed node has responded once'),
  'sign-again-after': optional(
    'newest block: the node may sign blocks after it again, although it has signed others there',
    wholeNumber(0, BLOCK_NUMBER_MAX),
    'never',
  ),
  'min-free-space': value(
    'free space below which the node stops writing, 0 for no such limit',
    byteCount(0, 2 ** 50),
    node.minFreeBytes,
  ),
  'undo-blocks': value(
    'newest blocks that can be reverted, with their historical states, 0 for none',
    wholeNumber(0, BLOCK_NUMBER_MAX),
    node.undoBlocks,
  ),
  'blob-retention': value(
    'blocks after its block for which the blobs of a transaction are kept',
    wholeNumber(0, 1_000_000),
    node.blobRetention,
    { argument: 'blocks' },
  ),
  explorer: toggle('serve the explorer to browsers at /'),
} as const satisfies Record<string, Setting>;

export const TEST_SETTINGS = {
  accounts: value(
    `funded accounts, at most ${TEST_ACCOUNTS_MAX}`,
    wholeNumber(1, TEST_ACCOUNTS_MAX),
    chain.accounts,
  ),
  balance: value('native units of each of them', nativeUnits, chain.balance, { argument: 'units' }),
  seed: value('text from which their keys are derived', someText(), chain.seed, {
    argument: 'text',
    isSecret: true,
  }),
  ethereum: toggle('a chain with Ethereum: its wallets and tools work at the path /ethereum'),
  'native-accounts': toggle('with --ethereum: print the native accounts and their keys, too'),
  mnemonic: value(
    "with --ethereum: words from which the keys of Ethereum's tools are derived",
    someText(),
    DEFAULT_ETHEREUM.mnemonic,
    { argument: 'words', isSecret: true },
  ),
  'derivation-path': value(
    'with --ethereum: derivation path of these keys',
    someText(),
    DEFAULT_ETHEREUM.derivationPath,
    { argument: 'path' },
  ),
  'ethereum-balance': value(
    'with --ethereum: ether of each of these keys',
    etherUnits,
    DEFAULT_ETHEREUM.keyBalance,
    { argument: 'ether' },
  ),
  'block-gas-limit': value(
    'with --ethereum: gas limit of a block',
    gasUnits(ETHEREUM_BLOCK_GAS_LIMIT_MIN, Number.MAX_SAFE_INTEGER),
    DEFAULT_ETHEREUM.blockGasLimit,
    { argument: 'gas' },
  ),
  'disable-block-gas-limit': toggle('with --ethereum: blocks with any gas, also on a fork'),
  'code-size-limit': optional(
    'with --ethereum: bytes of the code of a contract; of init code twice as many',
    byteCount(1, CODE_SIZE_LIMIT_MAX),
    `${CONTRACT_CODE_BYTES_MAX} (EIP-170)`,
  ),
  'disable-code-size-limit': toggle('with --ethereum: contracts of any size'),
  'base-fee': value(
    'with --ethereum: base fee of the first block, in wei; later ones follow EIP-1559',
    weiAmount,
    DEFAULT_ETHEREUM.baseFee,
    { argument: 'wei' },
  ),
  fork: optional(
    'remote Ethereum node, with @ and a block, or the file of a pack: the chain continues there; implies --ethereum',
    forkSource,
    'none',
  ),
  'fork-block-number': optional(
    'with --fork: the block, like @ after the URL',
    wholeNumber(0, BLOCK_NUMBER_MAX),
    'the newest',
  ),
  'fork-transaction-hash': optional(
    'with --fork: continue from the state before this transaction',
    transactionHash,
    'none',
  ),
  'fork-chain-id': optional(
    'with --fork: the chain id that the remote node must have',
    wholeNumber(1, Number.MAX_SAFE_INTEGER),
    'any',
  ),
  'fork-header': list('with --fork: a header of requests, as "Name: value", repeatable', headerText),
  'fork-retries': value('with --fork: retries of a request', wholeNumber(0, 100), FORK_RETRIES_DEFAULT),
  'fork-timeout': value(
    'with --fork: time for a request',
    wholeNumber(1, FORK_TIMEOUT_MS_MAX),
    FORK_TIMEOUT_MS_DEFAULT,
    { argument: 'milliseconds' },
  ),
  'fork-retry-backoff': value(
    'with --fork: first pause before a retry',
    wholeNumber(0, FORK_TIMEOUT_MS_MAX),
    FORK_BACKOFF_MS_DEFAULT,
    { argument: 'milliseconds' },
  ),
  'fork-rate': optional('with --fork: requests a second', wholeNumber(1, 100_000), 'any number'),
  'fork-verify': toggle('with --fork: check the remote state by Merkle proofs'),
  'fork-trust-header': toggle('with --fork: accept a block whose fields do not have its hash'),
  'no-fork-cache': toggle("with --fork: do not use the cache in the user's cache folder"),
  init: optional(
    'with --ethereum: genesis file of geth, whose accounts and settings a new chain begins with',
    file,
    'none',
  ),
  'load-state': optional('dump that a new chain begins with: of this program, or of anvil', file, 'none'),
  'dump-state': optional('file of the dump that the node writes when it stops', file, 'none'),
  state: optional('both: the file of --dump-state, which a start loads if it exists', file, 'none'),
  'state-interval': optional(
    'with --dump-state or --state: a dump every so many seconds',
    wholeNumber(1, BLOCK_TIME_SECONDS_MAX),
    'only when the node stops',
    { argument: 'seconds' },
  ),
  'state-trie': toggle('with --ethereum: a Merkle-Patricia trie of the state, for eth_getProof'),
  'disable-min-priority-fee': toggle('with --ethereum: suggest no tip, instead of 1 gwei'),
  'no-priority-fee': toggle('the same as --disable-min-priority-fee'),
  'chain-id': optional(
    'chain id and network id, instead of those of the network',
    wholeNumber(1, Number.MAX_SAFE_INTEGER),
    "the network's",
  ),
  network: optional(NETWORK_NAMES.join(', '), oneOf(NETWORK_NAMES), 'default; with --ethereum: local'),
  hardfork: value(HARDFORKS.join(', '), oneOf(HARDFORKS), chain.hardfork),
  'block-time': value(
    'a block every so many seconds, decimals allowed',
    decimalSeconds(0.001, BLOCK_TIME_SECONDS_MAX),
    chain.blockTime,
    { defaultText: 'one for every transaction' },
  ),
  'mixed-mining': toggle('with an interval, a block for every transaction as well'),
  'time-step': value(
    'least seconds from the time of a block to that of the next one; with 1 no two are equal',
    wholeNumber(0, BLOCK_TIME_SECONDS_MAX),
    chain.timeStep,
    { argument: 'seconds' },
  ),
  'auto-impersonate': toggle(
    'send transactions of every address without its key, as anvil_autoImpersonateAccount',
  ),
  'no-mining': toggle('start with block production stopped: evm_mine and miner_start make blocks'),
  chains: value(
    `further chains at /chain/1, /chain/2 and so on, made by a call, at most ${FURTHER_CHAINS_FLAG_MAX}; 0: none`,
    wholeNumber(0, FURTHER_CHAINS_FLAG_MAX),
    chain.chains,
  ),
  artifacts: list("artifacts of Hardhat, or Foundry's out, for names in the node's log, repeatable", folder),
  'no-explorer': toggle('do not serve the explorer to browsers at /'),
  'unsafe-expose-test-mode': toggle('allow a host that other machines can reach'),
  quiet: toggle('print nothing but errors'),
} as const satisfies Record<string, Setting>;
