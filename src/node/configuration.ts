import { isIP } from 'node:net';
import type { Hardfork } from '../evm/index.ts';
import { LATEST_HARDFORK } from '../evm/index.ts';
import type { NetworkName } from '../ledger/index.ts';
import {
  BATCH_REQUESTS_MAX,
  BODY_BYTES_MAX,
  CALL_GAS_MAX,
  FILTER_TIMEOUT_SECONDS,
  LOGS_MAX,
  REGISTRATION_DIFFICULTY_TEST_MODE,
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
  /** Logs in one answer; hashes in the answer of a block filter or of a pending-transaction filter. */
  readonly logs: number;
  /** Seconds after which a filter is removed that nobody polls. */
  readonly filterTimeout: number;
}

/** Everything that a node in test mode is started with. */
export interface TestNodeConfiguration {
  /** Name or address to listen at. */
  readonly host: string;
  /** Port to listen at; 0 for one that the system chooses. */
  readonly port: number;
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
  /** Whether the history plugin counts operations (`eth_getTransactionCount`). */
  readonly history: boolean;
  /** Zero bits of the proof of work that registers an account. */
  readonly registrationDifficulty: number;
  /** Host names that requests may name, beside loopback names and the address listened at. */
  readonly allowedHosts: readonly string[];
  /** Origins of web pages that may send requests, beside those on loopback hosts. */
  readonly allowedOrigins: readonly string[];
  /** Whether a host that other machines can reach is accepted although test mode holds keys. */
  readonly unsafeExpose: boolean;
  readonly limits: NodeLimits;
}

/** The configuration of `ledgerd` without any flag. */
export const DEFAULT_CONFIGURATION: TestNodeConfiguration = {
  host: '127.0.0.1',
  port: 8545,
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
  allowedHosts: [],
  allowedOrigins: [],
  unsafeExpose: false,
  limits: {
    bodyBytes: BODY_BYTES_MAX,
    batchRequests: BATCH_REQUESTS_MAX,
    callGas: CALL_GAS_MAX,
    logs: LOGS_MAX,
    filterTimeout: FILTER_TIMEOUT_SECONDS,
  },
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
