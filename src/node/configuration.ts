import { isIP } from 'node:net';
import type { Hardfork } from '../evm/index.ts';
import { LATEST_HARDFORK } from '../evm/index.ts';
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
import type { BlockLogSource } from './block-log/block-log-source.ts';
import type { MaxLag } from './head-lag.ts';

/** What every node is started with: where it listens, what it answers, and how much. */
export interface ServiceConfiguration {
  /** Name or address to listen at. */
  readonly host: string;
  /** Port to listen at; 0 for one that the system chooses. */
  readonly port: number;
  /** Host names that requests may name, beside loopback names and the address listened at. */
  readonly allowedHosts: readonly string[];
  /** Origins of web pages that may send requests, or patterns of them. */
  readonly allowedOrigins: readonly string[];
  /**
   * Whether the history plugin counts operations (`eth_getTransactionCount`); undefined: what the stored chain
   * does, and the mode's choice for a new one.
   */
  readonly history: boolean | undefined;
  /** Zero bits of the proof of work that registers an account. */
  readonly registrationDifficulty: number;
  /** Whether signed Ethereum transactions are taken that are good for every chain (from before EIP-155). */
  readonly allowUnprotected: boolean;
  /** Whether browsers are shown the explorer. */
  readonly explorer: boolean;
  /** Processes that answer queries beside the node's own; 0 for none. */
  readonly workers: number;
  /** The bounds of the interface. */
  readonly rpc: RpcLimits;
  /** The bounds of the server. */
  readonly server: ServerLimits;
}

/** The keys that a chain of test mode which knows Ethereum funds. */
export interface TestEthereumConfiguration {
  /** Words that the keys follow from (BIP-39). */
  readonly mnemonic: string;
  /** Where the keys are below it, without their own index (BIP-32). */
  readonly derivationPath: string;
}

/** Everything that a node in test mode is started with. */
export interface TestNodeConfiguration extends ServiceConfiguration {
  readonly mode: 'test';
  /** Test accounts of the genesis. */
  readonly accounts: number;
  /** Native units of each test account. */
  readonly balance: bigint;
  /** Seconds between blocks; undefined for a block at once for every transaction. */
  readonly blockTime: number | undefined;
  /** Whether blocks are produced from the start. */
  readonly mining: boolean;
  /** Folder that the chain is kept in; undefined for a temporary one, gone when the node stops. */
  readonly dataDir: string | undefined;
  readonly hardfork: Hardfork;
  readonly network: NetworkName;
  /** Text that the test accounts' keys are derived from. */
  readonly seed: string;
  /** What a chain that knows Ethereum has besides; undefined for one that does not. */
  readonly ethereum: TestEthereumConfiguration | undefined;
  /** Folders in which compilers leave what they say of contracts, for the names in the node's log. */
  readonly artifacts: readonly string[];
  /** Whether a host that other machines can reach is accepted although test mode holds keys. */
  readonly unsafeExpose: boolean;
}

/** Everything that a persistent node is started with. */
export interface NodeConfiguration extends ServiceConfiguration {
  readonly mode: 'node';
  /** Folder of the node: its genesis, its keys and its chain. */
  readonly dataDir: string;
  /** Genesis file; undefined for `genesis.json` of the folder. */
  readonly genesisFile: string | undefined;
  /** Folder of the key files; undefined for `keys` of the folder. */
  readonly keysFolder: string | undefined;
  /** Seconds between two blocks; undefined for what the genesis says. */
  readonly blockInterval: number | undefined;
  /** URLs of the nodes whose blocks this one takes. */
  readonly follow: readonly string[];
  /** How far behind the newest known block the node may be and say that it is well; undefined: as far as it likes. */
  readonly maxLag: MaxLag | undefined;
  /** Number of the node in its cluster; undefined: by the producer whose key it holds, where there are several. */
  readonly nodeNumber: number | undefined;
  /** The block log that the nodes of a cluster share; absent: the node's own store is its order of blocks. */
  readonly log?: Pick<BlockLogSource, 'url' | 'open'> | undefined;
  /** Whether blocks are made before each followed node has been heard once. */
  readonly produceWithoutHearing: boolean;
  /** Number of the newest block, behind which keys may sign blocks again; undefined: they never do. */
  readonly signAgainAfter: number | undefined;
  /** Free bytes of the folder's file system below which nothing is written; 0 for no such bound. */
  readonly minFreeBytes: number;
  /** Of how many newest blocks is kept what they overwrote; 0 for none. */
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
  blockTime: undefined,
  mining: true,
  dataDir: undefined,
  hardfork: LATEST_HARDFORK,
  network: 'default',
  seed: 'ledgerd',
  ethereum: undefined,
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
  genesisFile: undefined,
  keysFolder: undefined,
  blockInterval: undefined,
  follow: [],
  maxLag: undefined,
  nodeNumber: undefined,
  produceWithoutHearing: false,
  signAgainAfter: undefined,
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

/** Tells whether only this machine can reach a host: `localhost`, 127.0.0.0/8 or ::1 (RFC 6761, RFC 6890). */
export function isLoopbackHost(host: string): boolean {
  return isIP(host) === 0 ? host.toLowerCase() === 'localhost' : isLoopback(host);
}

/** @throws UnsafeHostError unless the host is a loopback one or the configuration allows others */
export function requireSafeHost(configuration: Pick<TestNodeConfiguration, 'host' | 'unsafeExpose'>): void {
  if (!configuration.unsafeExpose && !isLoopbackHost(configuration.host)) {
    throw new UnsafeHostError(configuration.host);
  }
}
