import { isIP } from 'node:net';
import type { Hardfork } from '../evm/index.ts';
import { LATEST_HARDFORK } from '../evm/index.ts';
import type { NetworkName } from '../ledger/index.ts';
import {
  BATCH_REQUESTS_MAX,
  BODY_BYTES_MAX,
  BUSY_POLL_MICROSECONDS,
  CALL_GAS_MAX,
  CALL_TIME_MS_MAX,
  CLOSE_GRACE_MS,
  CONNECTIONS_MAX,
  FILTER_TIMEOUT_SECONDS,
  FREE_BYTES_MIN_DEFAULT,
  HEADER_BYTES_MAX,
  HEADERS_TIMEOUT_MS,
  KEEP_ALIVE_TIMEOUT_MS,
  LOGS_MAX,
  REGISTRATION_DIFFICULTY_DEFAULT,
  REGISTRATION_DIFFICULTY_TEST_MODE,
  REQUEST_TIMEOUT_MS,
} from '../limits.ts';
import { LedgerdError } from '../protocol/index.ts';
import { isLoopback } from '../server/index.ts';

/** Bounds of requests that an operator may move. */
export interface NodeLimits {
  /** Bytes of an HTTP body. */
  readonly bodyBytes: number;
  /** Requests of one batch. */
  readonly batchRequests: number;
  /** Gas of an `eth_call` or `eth_estimateGas`. */
  readonly callGas: bigint;
  /** Seconds of computing for an `eth_call` or `eth_estimateGas`. */
  readonly callTimeout: number;
  /** Logs in one answer; hashes in the answer of a block filter or of a pending-transaction filter. */
  readonly logs: number;
  /** Seconds after which a filter is removed that nobody polls. */
  readonly filterTimeout: number;
  /** Connections at one time. */
  readonly connections: number;
  /** Bytes of the headers of a request. */
  readonly headerBytes: number;
  /** Seconds within which a client must have sent its headers. */
  readonly headersTimeout: number;
  /** Seconds within which a client must have sent its whole request. */
  readonly requestTimeout: number;
  /** Seconds that an idle kept-alive connection stays open. */
  readonly idleTimeout: number;
  /** Seconds that requests in flight have to finish when the node stops. */
  readonly shutdownTimeout: number;
  /** Calls that one client may make in a second; 0 for no such bound. */
  readonly rateLimit: number;
  /** Microseconds for which the server looks for the next request before it sleeps; 0 for none. */
  readonly busyPoll: number;
}

/** What every node is started with: where it listens, what it answers, and how much. */
export interface ServiceConfiguration {
  /** Name or address to listen at. */
  readonly host: string;
  /** Port to listen at; 0 for one that the system chooses. */
  readonly port: number;
  /** Host names that requests may name, beside loopback names and the address listened at. */
  readonly allowedHosts: readonly string[];
  /** Origins of web pages that may send requests. */
  readonly allowedOrigins: readonly string[];
  /**
   * Whether the history plugin counts operations (`eth_getTransactionCount`); undefined: what the stored chain
   * does, and the mode's choice for a new one.
   */
  readonly history: boolean | undefined;
  /** Zero bits of the proof of work that registers an account. */
  readonly registrationDifficulty: number;
  /** Processes that answer queries beside the node's own; 0 for none. */
  readonly workers: number;
  readonly limits: NodeLimits;
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
  /** Free bytes of the folder's file system below which nothing is written; 0 for no such bound. */
  readonly minFreeBytes: number;
}

const DEFAULT_SERVICE = {
  host: '127.0.0.1',
  port: 8545,
  allowedHosts: [],
  allowedOrigins: [],
  workers: 0,
  limits: {
    bodyBytes: BODY_BYTES_MAX,
    batchRequests: BATCH_REQUESTS_MAX,
    callGas: CALL_GAS_MAX,
    callTimeout: CALL_TIME_MS_MAX / 1_000,
    logs: LOGS_MAX,
    filterTimeout: FILTER_TIMEOUT_SECONDS,
    connections: CONNECTIONS_MAX,
    headerBytes: HEADER_BYTES_MAX,
    headersTimeout: HEADERS_TIMEOUT_MS / 1_000,
    requestTimeout: REQUEST_TIMEOUT_MS / 1_000,
    idleTimeout: KEEP_ALIVE_TIMEOUT_MS / 1_000,
    shutdownTimeout: CLOSE_GRACE_MS / 1_000,
    rateLimit: 0,
    busyPoll: BUSY_POLL_MICROSECONDS,
  },
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
  history: true,
  registrationDifficulty: REGISTRATION_DIFFICULTY_TEST_MODE,
  unsafeExpose: false,
};

/** The configuration of a persistent node of which nothing but the folder is given. */
export const DEFAULT_NODE_CONFIGURATION: Omit<NodeConfiguration, 'dataDir'> = {
  ...DEFAULT_SERVICE,
  mode: 'node',
  genesisFile: undefined,
  keysFolder: undefined,
  blockInterval: undefined,
  follow: [],
  minFreeBytes: FREE_BYTES_MIN_DEFAULT,
  history: undefined,
  registrationDifficulty: REGISTRATION_DIFFICULTY_DEFAULT,
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
