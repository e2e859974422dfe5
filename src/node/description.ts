import type { Hardfork } from '../evm/index.ts';
import type { Ledger, Network } from '../ledger/index.ts';
import {
  type AccountId,
  type Address,
  accountAddress,
  type Hash,
  invariant,
  type PublicKey,
  type Seed,
} from '../protocol/index.ts';
import { evmAddressOf } from '../wallet/index.ts';
import { isLoopbackHost, type ServiceConfiguration, type TestNodeConfiguration } from './configuration.ts';
import type { GenesisKeys } from './test-chain/genesis-keys.ts';
import { VERSION } from './version.ts';

/** Where the interface for Ethereum's wallets and tools is. */
const ETHEREUM_PATH = '/ethereum';

/** A test account of the genesis. */
export interface NodeAccount {
  readonly id: AccountId;
  /** Native units that it owns at the head. */
  readonly balance: bigint;
  readonly seed: Seed;
  readonly evmAddress: Address;
}

/** What a node in test mode says of a chain that knows Ethereum. */
export interface EthereumDescription {
  /** Words that the keys follow from. */
  readonly mnemonic: string;
  /** Where the keys are below it, without their own index. */
  readonly derivationPath: string;
  readonly accounts: readonly {
    readonly address: Address;
    readonly privateKey: Seed;
    /** Wei at the head. */
    readonly balance: bigint;
  }[];
}

/** What somebody who uses a node needs to know of it. */
export interface ServiceDescription {
  readonly version: string;
  readonly url: string;
  /** Where Ethereum's wallets and tools find it; undefined on a chain that does not know Ethereum. */
  readonly ethereumUrl: string | undefined;
  /** Where a browser finds the explorer; undefined where it is not served. */
  readonly explorerUrl: string | undefined;
  readonly network: Network;
  /** The 32 bytes that native signatures cover. */
  readonly nativeChainId: Hash;
  readonly hardfork: Hardfork;
  /** Unix time of block 0 in seconds. */
  readonly genesisTime: number;
  /** Number of the newest block. */
  readonly headNumber: number;
  /** Whether other machines can reach the node. */
  readonly exposed: boolean;
}

/** The same of a node in test mode, its keys included. */
export interface TestNodeDescription extends ServiceDescription {
  readonly mode: 'test';
  /** Absolute path of the folder that keeps the chain; undefined for a temporary one. */
  readonly dataDir: string | undefined;
  /** Seconds between blocks; undefined for a block for every transaction. */
  readonly blockTime: number | undefined;
  readonly mining: boolean;
  readonly accounts: readonly NodeAccount[];
  /** Undefined on a chain that does not know Ethereum. */
  readonly ethereum: EthereumDescription | undefined;
}

/** The same of a persistent node: nothing in it is secret. */
export interface NodeDescription extends ServiceDescription {
  readonly mode: 'node';
  /** Absolute path of its folder. */
  readonly dataDir: string;
  /** Seconds between two blocks. */
  readonly blockInterval: number;
  /** The producers of the genesis whose keys the node holds. */
  readonly producers: readonly AccountId[];
  /** The keys that it signs with. */
  readonly keys: readonly { readonly account: AccountId; readonly publicKey: PublicKey }[];
  /** Whether the node registers accounts. */
  readonly registers: boolean;
  /** URLs of the followed nodes. */
  readonly follow: readonly string[];
  /** The servers of the block log that it shares with other nodes, without credentials; undefined where it has none. */
  readonly log: string | undefined;
}

/** Describes what a node serves, right after its start. */
export function describeService(
  configuration: ServiceConfiguration,
  url: string,
  ledger: Ledger,
): ServiceDescription {
  const genesis = ledger.blockByNumber(0);
  invariant(genesis !== undefined, 'an open ledger has a genesis block');
  return {
    version: VERSION,
    url,
    ethereumUrl: ledger.knowsEthereum ? `${url}${ETHEREUM_PATH}` : undefined,
    explorerUrl: configuration.explorer ? `${url}/` : undefined,
    network: ledger.network,
    nativeChainId: ledger.chainId,
    hardfork: ledger.hardfork,
    genesisTime: genesis.header.timestamp,
    headNumber: ledger.head().number,
    exposed: !isLoopbackHost(configuration.host),
  };
}

/** Describes a node in test mode that was just started. */
export function describeTestNode(
  configuration: TestNodeConfiguration,
  url: string,
  ledger: Ledger,
  { accounts, keys, ethereum }: GenesisKeys,
  dataDir: string | undefined,
): TestNodeDescription {
  return {
    ...describeService(configuration, url, ledger),
    mode: 'test',
    dataDir,
    blockTime: configuration.blockTime,
    mining: configuration.mining,
    accounts: accounts.map((account) => ({
      ...account,
      balance: ledger.balanceOf(accountAddress(account.id)),
    })),
    ethereum: ethereum && {
      ...ethereum,
      accounts: keys.map((privateKey) => {
        const address = evmAddressOf(privateKey);
        return { address, privateKey, balance: ledger.weiBalanceOf(address) };
      }),
    },
  };
}
