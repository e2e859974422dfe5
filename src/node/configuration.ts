import { isIP } from 'node:net';
import { type Hardfork, LATEST_HARDFORK } from '../evm/index.ts';
import {
  BLOB_RETENTION_BLOCKS_DEFAULT,
  DEFAULT_PRICE_POLICY,
  ETHEREUM_BLOCK_GAS_LIMIT,
  type Network,
  type NetworkName,
  networkOf,
  type PricePolicy,
  REGISTRATION_DIFFICULTY_DEFAULT,
} from '../ledger/index.ts';
import { LedgerdError } from '../protocol/index.ts';
import { DEFAULT_RPC_LIMITS, type ProfileId, type RpcLimits } from '../rpc/index.ts';
import { DEFAULT_SERVER_LIMITS, isLoopback, type ServerLimits } from '../server/index.ts';
import { ETHEREUM_DERIVATION_PATH, TEST_MNEMONIC } from '../wallet/index.ts';
import type { BlockLogSource } from './block-log/block-log.ts';
import type { ForkConfiguration } from './fork-configuration.ts';
import type { MaxLag } from './health.ts';
import { UNDO_BLOCKS_DEFAULT } from './stored-chain.ts';

/** The settings of every node: address, services and bounds. */
export interface ServiceConfiguration {
  readonly host: string;
  /** Port; 0 for one that the system chooses. */
  readonly port: number;
  /** Path of a Unix socket that serves the profile at `/`, too; undefined: none. */
  readonly ipc?: string | undefined;
  /** Allowed Host headers besides loopback names and `host`. */
  readonly allowedHosts: readonly string[];
  /** Origins of web pages that may send requests, or patterns of them. */
  readonly allowedOrigins: readonly string[];
  /** True to count operations for `eth_getTransactionCount`; undefined: as the stored chain, or the mode's default. */
  readonly history: boolean | undefined;
  /** Zero bits of the proof of work that registers an account. */
  readonly registrationDifficulty: number;
  /** True if transactions without replay protection (EIP-155) are accepted. */
  readonly allowUnprotected: boolean;
  readonly prices: PricePolicy;
  readonly explorer: boolean;
  /** The profile at the path `/`. */
  readonly root: ProfileId;
  /** Worker processes for queries; 0: the node's process runs them. */
  readonly workers: number;
  readonly rpc: RpcLimits;
  readonly server: ServerLimits;
}

/** The source of the funded keys of a chain in test mode with Ethereum. */
export interface TestEthereumConfiguration {
  /** Mnemonic (BIP-39). */
  readonly mnemonic: string;
  /** Derivation path without the index (BIP-32). */
  readonly derivationPath: string;
  /** Native units of each key. */
  readonly keyBalance: bigint;
  /** Base fee of the first block, in wei. */
  readonly baseFee: bigint;
  /** Gas that the operations of a block may take together; of a fork that of the remote block, unless this is none. */
  readonly blockGasLimit: bigint;
  /** True if headers commit to a trie of the state, which proofs need. */
  readonly hasStateTrie: boolean;
  /** Most bytes of the code of a contract; absent: as in EIP-170. */
  readonly codeSizeLimit?: number | undefined;
}

/** The files of the state of a chain in test mode. */
export interface StateFiles {
  /** A dump that a new chain begins with; undefined: none. */
  readonly load?: string | undefined;
  /** True if the file of that dump may be missing. */
  readonly isLoadOptional?: boolean | undefined;
  /** The file of the dump that the node writes when it stops; undefined: none. */
  readonly dump?: string | undefined;
  /** Seconds between two dumps of a running node; undefined: only when it stops. */
  readonly dumpSeconds?: number | undefined;
}

/** The settings of a node in test mode. */
export interface TestNodeConfiguration extends ServiceConfiguration {
  readonly mode: 'test';
  /** Test accounts of the genesis. */
  readonly accounts: number;
  /** Native units of each test account. */
  readonly balance: bigint;
  /** Seconds between blocks; undefined for an immediate block for each transaction. */
  readonly blockTime?: number | undefined;
  readonly mining: boolean;
  /** True if blocks for each transaction and blocks at an interval leave each other on. */
  readonly mixedMining: boolean;
  /** Least seconds from the time of a block to that of the next one; 0: they may be equal. */
  readonly timeStep: number;
  /** True if every address outside the wallet is impersonated from the start. */
  readonly autoImpersonate: boolean;
  /** Folder of the chain; undefined for a temporary one. */
  readonly dataDir?: string | undefined;
  readonly hardfork: Hardfork;
  readonly network: NetworkName;
  /** Chain id and network id instead of those of the network; undefined: the network's. */
  readonly chainId?: number | undefined;
  /** Text from which the keys of the test accounts are derived. */
  readonly seed: string;
  /** The funded keys of a chain that knows Ethereum; undefined for one that does not. */
  readonly ethereum?: TestEthereumConfiguration | undefined;
  /** The remote chain that the chain continues from; undefined for a chain of its own. */
  readonly fork?: ForkConfiguration | undefined;
  /** Absent: none. */
  readonly stateFiles?: StateFiles | undefined;
  /** Greatest number of further chains, each created by the first call of a method; 0 for none. */
  readonly chains: number;
  /** Folders of compiler artifacts, for the names in the node's log. */
  readonly artifacts: readonly string[];
  /** True if test mode, which has keys, may listen at an address that other machines reach. */
  readonly unsafeExpose: boolean;
}

/** The settings of a persistent node. */
export interface NodeConfiguration extends ServiceConfiguration {
  readonly mode: 'node';
  /** Folder of the genesis, the keys and the chain. */
  readonly dataDir: string;
  /** Genesis file; undefined for `genesis.json` of the folder. */
  readonly genesisFile?: string | undefined;
  /** Folder of the key files; undefined for `keys` of the folder. */
  readonly keysFolder?: string | undefined;
  /** Seconds between two blocks; undefined: as in the genesis. */
  readonly blockInterval?: number | undefined;
  readonly follow: readonly string[];
  /** The lag up to which the node is healthy; undefined: any. */
  readonly maxLag?: MaxLag | undefined;
  /** Number of the node in its cluster; undefined: the position of its first producer among several. */
  readonly nodeNumber?: number | undefined;
  /** The block log of the cluster; absent: the node's own store orders its blocks. */
  readonly log?: Pick<BlockLogSource, 'url' | 'open'> | undefined;
  /** True to make blocks before each followed node was heard once. */
  readonly produceWithoutHearing: boolean;
  /** Number of the newest block, after which keys may sign blocks again; undefined: never. */
  readonly signAgainAfter?: number | undefined;
  /** Free bytes below which nothing is written; 0 for no bound. */
  readonly minFreeBytes: number;
  /** Number of newest blocks with undo records; 0 for none. */
  readonly undoBlocks: number;
  /** Blocks after its block for which the blobs of a transaction are kept. */
  readonly blobRetention: number;
}

/** Wei of a gwei. */
const GWEI = 10n ** 9n;

const DEFAULT_SERVICE = {
  host: '127.0.0.1',
  port: 8545,
  allowedHosts: [],
  allowedOrigins: [],
  allowUnprotected: false,
  prices: DEFAULT_PRICE_POLICY,
  root: 'ledger',
  workers: 0,
  rpc: DEFAULT_RPC_LIMITS,
  server: DEFAULT_SERVER_LIMITS,
} as const satisfies Partial<ServiceConfiguration>;

/** The configuration of `ledgerd` without any flag. */
export const DEFAULT_CONFIGURATION: TestNodeConfiguration = {
  ...DEFAULT_SERVICE,
  mode: 'test',
  prices: { ...DEFAULT_PRICE_POLICY, suggestedTip: GWEI },
  accounts: 10,
  balance: 100_000_000_000_000_000n,
  mining: true,
  mixedMining: false,
  timeStep: 0,
  autoImpersonate: false,
  hardfork: LATEST_HARDFORK,
  network: 'default',
  seed: 'ledgerd',
  history: true,
  registrationDifficulty: 8,
  explorer: true,
  chains: 64,
  artifacts: [],
  unsafeExpose: false,
};

/** The gas limit of blocks without one: the greatest number that every client can read. */
export const NO_BLOCK_GAS_LIMIT = BigInt(Number.MAX_SAFE_INTEGER);

/** The keys that all Ethereum tools know, and the first base fee that they expect. */
export const DEFAULT_ETHEREUM: TestEthereumConfiguration = {
  mnemonic: TEST_MNEMONIC,
  derivationPath: ETHEREUM_DERIVATION_PATH,
  /** 10,000 ether, in native units. */
  keyBalance: 10n ** 12n,
  baseFee: GWEI,
  blockGasLimit: ETHEREUM_BLOCK_GAS_LIMIT,
  hasStateTrie: false,
};

/** The configuration of a persistent node without any flag except the folder. */
export const DEFAULT_NODE_CONFIGURATION: Omit<NodeConfiguration, 'dataDir'> = {
  ...DEFAULT_SERVICE,
  mode: 'node',
  follow: [],
  produceWithoutHearing: false,
  minFreeBytes: 1024 * 1024 * 1024,
  undoBlocks: UNDO_BLOCKS_DEFAULT,
  blobRetention: BLOB_RETENTION_BLOCKS_DEFAULT,
  history: undefined,
  registrationDifficulty: REGISTRATION_DIFFICULTY_DEFAULT,
  explorer: false,
};

/** Returns the network of a chain in test mode. */
export function networkIn({ network, chainId }: Pick<TestNodeConfiguration, 'network' | 'chainId'>): Network {
  const named = networkOf(network);
  return chainId === undefined ? named : { ...named, chainId, networkId: chainId };
}

/** Test mode would listen at an address that other machines reach, without the flag that allows it. */
export class UnsafeHostError extends LedgerdError {
  override readonly code = 'UNSAFE_HOST';

  constructor(host: string) {
    super(
      `refusing to listen at ${host}: test mode has keys, and anyone who reaches this host could use them; ` +
        'listen at 127.0.0.1, or give --unsafe-expose-test-mode to allow it',
    );
  }
}

/** Returns true for a loopback host: `localhost`, 127.0.0.0/8 or ::1 (RFC 6761, RFC 6890). */
export function isLoopbackHost(host: string): boolean {
  return isIP(host) === 0 ? host.toLowerCase() === 'localhost' : isLoopback(host);
}

/** @throws UnsafeHostError unless the host is a loopback host or the configuration allows others */
export function requireSafeHost(configuration: Pick<TestNodeConfiguration, 'host' | 'unsafeExpose'>): void {
  if (!configuration.unsafeExpose && !isLoopbackHost(configuration.host)) {
    throw new UnsafeHostError(configuration.host);
  }
}
