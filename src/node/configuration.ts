import { isIP } from 'node:net';
import { type Hardfork, LATEST_HARDFORK } from '../evm/index.ts';
import type { NetworkName } from '../ledger/index.ts';
import {
  FREE_BYTES_MIN_DEFAULT,
  REGISTRATION_DIFFICULTY_DEFAULT,
  REGISTRATION_DIFFICULTY_TEST_MODE,
  UNDO_BLOCKS_DEFAULT,
} from '../limits.ts';
import { LedgerdError } from '../protocol/index.ts';
import { DEFAULT_RPC_LIMITS, type RpcLimits } from '../rpc/index.ts';
import { DEFAULT_SERVER_LIMITS, isLoopback, type ServerLimits } from '../server/index.ts';
import { ETHEREUM_DERIVATION_PATH } from '../wallet/index.ts';
import type { BlockLogSource } from './block-log/block-log.ts';
import type { MaxLag } from './health.ts';

/** The settings of every node: where it listens, what it serves, and its bounds. */
export interface ServiceConfiguration {
  readonly host: string;
  /** Port; 0 for one that the system chooses. */
  readonly port: number;
  /** Allowed Host headers beside loopback names and `host`. */
  readonly allowedHosts: readonly string[];
  /** Origins of web pages that may send requests, or patterns of them. */
  readonly allowedOrigins: readonly string[];
  /**
   * True if operations are counted (`eth_getTransactionCount`); undefined: as the stored chain, or the default of the
   * mode.
   */
  readonly history: boolean | undefined;
  /** Zero bits of the proof of work that registers an account. */
  readonly registrationDifficulty: number;
  /** True if transactions without replay protection (EIP-155) are accepted. */
  readonly allowUnprotected: boolean;
  readonly explorer: boolean;
  /** Processes for queries beside the node's own; 0 for none. */
  readonly workers: number;
  readonly rpc: RpcLimits;
  readonly server: ServerLimits;
}

/** The keys that a chain of test mode which knows Ethereum funds. */
export interface TestEthereumConfiguration {
  /** Mnemonic (BIP-39). */
  readonly mnemonic: string;
  /** Derivation path without the index (BIP-32). */
  readonly derivationPath: string;
}

/** The settings of a node in test mode. */
export interface TestNodeConfiguration extends ServiceConfiguration {
  readonly mode: 'test';
  /** Test accounts of the genesis. */
  readonly accounts: number;
  /** Native units of each test account. */
  readonly balance: bigint;
  /** Seconds between blocks; undefined for a block at once for every transaction. */
  readonly blockTime?: number | undefined;
  readonly mining: boolean;
  /** Folder of the chain; undefined for a temporary one. */
  readonly dataDir?: string | undefined;
  readonly hardfork: Hardfork;
  readonly network: NetworkName;
  /** Text that the test accounts' keys are derived from. */
  readonly seed: string;
  /** The funded keys of a chain that knows Ethereum; undefined for one that does not. */
  readonly ethereum?: TestEthereumConfiguration | undefined;
  /** Folders of compiler artifacts, for the names in the node's log. */
  readonly artifacts: readonly string[];
  /** True if test mode may listen where other machines reach it, although it holds keys. */
  readonly unsafeExpose: boolean;
}

/** The settings of a persistent node. */
export interface NodeConfiguration extends ServiceConfiguration {
  readonly mode: 'node';
  /** Folder of the node: its genesis, its keys and its chain. */
  readonly dataDir: string;
  /** Genesis file; undefined for `genesis.json` of the folder. */
  readonly genesisFile?: string | undefined;
  /** Folder of the key files; undefined for `keys` of the folder. */
  readonly keysFolder?: string | undefined;
  /** Seconds between two blocks; undefined: as in the genesis. */
  readonly blockInterval?: number | undefined;
  readonly follow: readonly string[];
  /** The lag up to which the node reports that it is healthy; undefined: any. */
  readonly maxLag?: MaxLag | undefined;
  /** Number of the node in its cluster; undefined: by its first producer, where there are several. */
  readonly nodeNumber?: number | undefined;
  /** The block log of the cluster; absent: the node's own store orders its blocks. */
  readonly log?: Pick<BlockLogSource, 'url' | 'open'> | undefined;
  /** True if blocks are made before each followed node was heard once. */
  readonly produceWithoutHearing: boolean;
  /** Number of the newest block, after which keys may sign blocks again; undefined: they never do. */
  readonly signAgainAfter?: number | undefined;
  /** Free bytes below which nothing is written; 0 for no bound. */
  readonly minFreeBytes: number;
  /** Number of newest blocks with undo records; 0 for none. */
  readonly undoBlocks: number;
}

const DEFAULT_SERVICE = {
  host: '127.0.0.1',
  port: 8545,
  allowedHosts: [],
  allowedOrigins: [],
  allowUnprotected: false,
  workers: 0,
  rpc: DEFAULT_RPC_LIMITS,
  server: DEFAULT_SERVER_LIMITS,
} as const satisfies Partial<ServiceConfiguration>;

/** The configuration of `ledgerd` without any flag. */
export const DEFAULT_CONFIGURATION: TestNodeConfiguration = {
  ...DEFAULT_SERVICE,
  mode: 'test',
  accounts: 10,
  balance: 100_000_000_000_000_000n,
  mining: true,
  hardfork: LATEST_HARDFORK,
  network: 'default',
  seed: 'ledgerd',
  history: true,
  registrationDifficulty: REGISTRATION_DIFFICULTY_TEST_MODE,
  explorer: true,
  artifacts: [],
  unsafeExpose: false,
};

/** The keys that every tool for Ethereum knows. */
export const DEFAULT_ETHEREUM: TestEthereumConfiguration = {
  mnemonic: 'test test test test test test test test test test test junk',
  derivationPath: ETHEREUM_DERIVATION_PATH,
};

/** The configuration of a persistent node of which nothing but the folder is given. */
export const DEFAULT_NODE_CONFIGURATION: Omit<NodeConfiguration, 'dataDir'> = {
  ...DEFAULT_SERVICE,
  mode: 'node',
  follow: [],
  produceWithoutHearing: false,
  minFreeBytes: FREE_BYTES_MIN_DEFAULT,
  undoBlocks: UNDO_BLOCKS_DEFAULT,
  history: undefined,
  registrationDifficulty: REGISTRATION_DIFFICULTY_DEFAULT,
  explorer: false,
};

/** Test mode was asked to listen where other machines can reach it, without the flag that allows that. */
export class UnsafeHostError extends LedgerdError {
  override readonly code = 'UNSAFE_HOST';

  constructor(host: string) {
    super(
      `refusing to listen at ${host}: test mode holds keys, and whoever reaches this host could use them; ` +
        'listen at 127.0.0.1, or give --unsafe-expose-test-mode if that is meant',
    );
  }
}

/** Returns true for a host that only this machine reaches: `localhost`, 127.0.0.0/8 or ::1 (RFC 6761, RFC 6890). */
export function isLoopbackHost(host: string): boolean {
  return isIP(host) === 0 ? host.toLowerCase() === 'localhost' : isLoopback(host);
}

/** @throws UnsafeHostError unless the host is a loopback one or the configuration allows others */
export function requireSafeHost(configuration: Pick<TestNodeConfiguration, 'host' | 'unsafeExpose'>): void {
  if (!configuration.unsafeExpose && !isLoopbackHost(configuration.host)) {
    throw new UnsafeHostError(configuration.host);
  }
}
