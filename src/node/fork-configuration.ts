import {
  FORK_BACKOFF_MS_DEFAULT,
  FORK_RETRIES_DEFAULT,
  FORK_TIMEOUT_MS_DEFAULT,
  parseEndpoint,
} from '../fork/index.ts';

/** The origin of a forked chain: a block of a remote chain, or the pack of such a fork. */
export type ForkSource = RemoteSource | { readonly kind: 'pack'; readonly file: string };

export interface RemoteSource {
  readonly kind: 'remote';
  /** May contain credentials: never shown. */
  readonly url: string;
  /** Undefined: the newest block. */
  readonly block: number | undefined;
}

/** Returns the URL of a remote node without credentials, for messages. */
export function endpointName(url: string): string {
  return parseEndpoint(url).name;
}

/** The settings of a fork. */
export interface ForkConfiguration {
  readonly source: ForkSource;
  /** Hash of a transaction: the chain continues from the state before it. Undefined: from a block. */
  readonly transaction?: string | undefined;
  /** The chain id that the remote chain must have; undefined: any. */
  readonly chainId?: number | undefined;
  /** True if the chain has the chain id of the remote one. */
  readonly keepsChainId: boolean;
  /** Further headers of requests, each `Name: value`: never shown. */
  readonly headers: readonly string[];
  readonly retries: number;
  readonly timeoutMs: number;
  readonly backoffMs: number;
  /** HTTP requests a second; undefined: any number. */
  readonly rate?: number | undefined;
  /** True if entries of the state are checked by Merkle proofs. */
  readonly verifies: boolean;
  /** True to accept a block whose hash is not that of its fields. */
  readonly trustsHeader: boolean;
  /** True if entries are shared with other processes in the user's cache folder. */
  readonly caches: boolean;
}

/** The settings of a fork that a client of a running node requests. */
export const DEFAULT_FORK: Omit<ForkConfiguration, 'source'> = {
  keepsChainId: true,
  headers: [],
  retries: FORK_RETRIES_DEFAULT,
  timeoutMs: FORK_TIMEOUT_MS_DEFAULT,
  backoffMs: FORK_BACKOFF_MS_DEFAULT,
  verifies: false,
  trustsHeader: false,
  caches: true,
};
