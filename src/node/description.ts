import type { Hardfork } from '../evm/index.ts';
import type { Ledger, Network } from '../ledger/index.ts';
import {
  type AccountId,
  type Address,
  accountAddress,
  type Hash,
  invariant,
  type Seed,
} from '../protocol/index.ts';
import { isLoopbackHost, type TestNodeConfiguration } from './configuration.ts';
import { VERSION } from './version.ts';

/** A test account of the genesis. */
export interface NodeAccount {
  readonly id: AccountId;
  /** Native units that it owns at the head. */
  readonly balance: bigint;
  readonly seed: Seed;
  readonly evmAddress: Address;
}

/** What somebody who uses a node in test mode needs to know of it. */
export interface NodeDescription {
  readonly version: string;
  readonly url: string;
  readonly network: Network;
  /** The 32 bytes that native signatures cover. */
  readonly nativeChainId: Hash;
  readonly hardfork: Hardfork;
  /** Unix time of block 0 in seconds. */
  readonly genesisTime: number;
  /** Number of the newest block. */
  readonly headNumber: number;
  /** Absolute path of the folder that keeps the chain; undefined for a temporary one. */
  readonly dataDir: string | undefined;
  /** Seconds between blocks; undefined for a block for every transaction. */
  readonly blockTime: number | undefined;
  readonly mining: boolean;
  /** Whether other machines can reach the node. */
  readonly exposed: boolean;
  readonly accounts: readonly NodeAccount[];
}

/** Describes a node that was just started. */
export function describeNode(
  configuration: TestNodeConfiguration,
  url: string,
  ledger: Ledger,
  accounts: readonly Omit<NodeAccount, 'balance'>[],
  dataDir: string | undefined,
): NodeDescription {
  const genesis = ledger.blockByNumber(0);
  invariant(genesis !== undefined, 'an open ledger has a genesis block');
  return {
    version: VERSION,
    url,
    network: ledger.network,
    nativeChainId: ledger.chainId,
    hardfork: ledger.hardfork,
    genesisTime: genesis.header.timestamp,
    headNumber: ledger.head().number,
    dataDir,
    blockTime: configuration.blockTime,
    mining: configuration.mining,
    exposed: !isLoopbackHost(configuration.host),
    accounts: accounts.map((account) => ({
      ...account,
      balance: ledger.balanceOf(accountAddress(account.id)),
    })),
  };
}
