import type { Ledger } from '../ledger/index.ts';
import {
  type AccountId,
  type Address,
  accountAddress,
  invariant,
  type PublicKey,
  type Seed,
} from '../protocol/index.ts';
import { evmAddressOf } from '../wallet/index.ts';
import {
  isLoopbackHost,
  type ServiceConfiguration,
  type TestEthereumConfiguration,
  type TestNodeConfiguration,
} from './configuration.ts';
import type { GenesisKeys } from './test-chain/genesis-keys.ts';
import { VERSION } from './version.ts';

/** Path of the interface for Ethereum's wallets and tools. */
const ETHEREUM_PATH = '/ethereum';

/** A test account of the genesis. */
export interface NodeAccount {
  readonly id: AccountId;
  /** Native units that it owns at the head. */
  readonly balance: bigint;
  readonly seed: Seed;
  readonly evmAddress: Address;
}

/** The keys that a chain of test mode which knows Ethereum funds, with their balances. */
export interface EthereumDescription extends TestEthereumConfiguration {
  readonly accounts: readonly {
    readonly address: Address;
    readonly privateKey: Seed;
    /** Wei at the head. */
    readonly balance: bigint;
  }[];
}

/** The description of a node for its users. */
export type ServiceDescription = ReturnType<typeof describeService>;

/** The description of a node in test mode, its keys included. */
export type TestNodeDescription = ReturnType<typeof describeTestNode>;

/** The description of a persistent node; nothing in it is secret. */
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
  /** True if the node registers accounts. */
  readonly registers: boolean;
  /** URLs of the followed nodes. */
  readonly follow: readonly string[];
  /** The servers of its block log, without credentials; undefined without one. */
  readonly log: string | undefined;
}

/** Describes what a node serves, right after its start. */
export function describeService(
  { explorer, host }: Pick<ServiceConfiguration, 'explorer' | 'host'>,
  url: string,
  ledger: Ledger,
) {
  const genesis = ledger.blocks.blockByNumber(0);
  invariant(genesis !== undefined, 'an open ledger has a genesis block');
  return {
    version: VERSION,
    url,
    /** Undefined on a chain that does not know Ethereum. */
    ethereumUrl: ledger.parameters.knowsEthereum ? `${url}${ETHEREUM_PATH}` : undefined,
    /** Undefined where the explorer is not served. */
    explorerUrl: explorer ? `${url}/` : undefined,
    network: ledger.parameters.network,
    /** The 32 bytes that native signatures cover. */
    nativeChainId: ledger.parameters.chainId,
    hardfork: ledger.parameters.hardfork,
    /** Unix time of block 0 in seconds. */
    genesisTime: genesis.header.timestamp,
    headNumber: ledger.blocks.head().number,
    /** True if other machines can reach the node. */
    exposed: !isLoopbackHost(host),
  } as const;
}

/** Describes a node in test mode that was just started. */
export function describeTestNode(
  configuration: TestNodeConfiguration,
  url: string,
  ledger: Ledger,
  { accounts, keys, ethereum }: GenesisKeys,
  dataDir: string | undefined,
) {
  return {
    ...describeService(configuration, url, ledger),
    mode: 'test' as const,
    /** Absolute path of the folder that keeps the chain; undefined for a temporary one. */
    dataDir,
    /** Seconds between blocks; undefined for a block for every transaction. */
    blockTime: configuration.blockTime,
    mining: configuration.mining,
    accounts: accounts.map(
      (account): NodeAccount => ({
        ...account,
        balance: ledger.accounts.balanceOf(accountAddress(account.id)),
      }),
    ),
    ethereum: ethereum && describeKeys(ledger, keys, ethereum),
  };
}

function describeKeys(
  ledger: Ledger,
  keys: readonly Seed[],
  ethereum: TestEthereumConfiguration,
): EthereumDescription {
  return {
    ...ethereum,
    accounts: keys.map((privateKey) => {
      const address = evmAddressOf(privateKey);
      return { address, privateKey, balance: ledger.accounts.weiBalanceOf(address) };
    }),
  };
}
