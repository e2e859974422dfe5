import { readFileSync } from 'node:fs';
import { WEI_PER_UNIT } from '../consensus.ts';
import { accountStateOf, genesisNumberOf, type Ledger } from '../ledger/index.ts';
import { type AccountId, type Address, accountAddress, invariant, type Seed } from '../protocol/index.ts';
import type { ProfileId } from '../rpc/index.ts';
import { PROFILE_PATHS } from '../server/index.ts';
import { stateKey } from '../store/index.ts';
import { evmAddressOf } from '../wallet/index.ts';
import {
  isLoopbackHost,
  type ServiceConfiguration,
  type TestEthereumConfiguration,
  type TestNodeConfiguration,
} from './configuration.ts';
import type { NodeFork } from './fork/node-fork.ts';
import type { GenesisKeys } from './test-chain/genesis-keys.ts';

/** Version of this program, from its package. */
export const VERSION: string = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
).version;

/** A test account of the genesis. */
export interface NodeAccount {
  readonly id: AccountId;
  /** Balance at the head in native units. */
  readonly balance: bigint;
  readonly seed: Seed;
  readonly evmAddress: Address;
}

/** The funded keys of a chain in test mode with Ethereum, with their balances at the head in wei. */
export type EthereumDescription = ReturnType<typeof describeKeys>;

/** The description of a node for its users. */
export type ServiceDescription = ReturnType<typeof describeService>;

/** The description of a node in test mode, with its private keys. */
export type TestNodeDescription = ReturnType<typeof describeTestNode>;

/** Describes a node and its URLs at its start. */
export function describeService(
  { explorer, host, ipc, root }: Pick<ServiceConfiguration, 'explorer' | 'host' | 'ipc' | 'root'>,
  url: string,
  ledger: Ledger,
) {
  const genesis = ledger.blocks.blockByNumber(genesisNumberOf(ledger.parameters.genesis));
  invariant(genesis !== undefined, 'an open ledger has a genesis block');
  const urlOf = (profile: ProfileId): string => (profile === root ? url : `${url}${PROFILE_PATHS[profile]}`);
  return {
    version: VERSION,
    url,
    /** The profile at `url`. */
    root,
    ledgerUrl: urlOf('ledger'),
    /** Undefined on a chain that does not know Ethereum. */
    ethereumUrl: ledger.parameters.knowsEthereum ? urlOf('ethereum') : undefined,
    /** Path of the Unix socket; undefined for none. */
    ipc,
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

/** Describes a node in test mode at its start. */
export function describeTestNode(
  configuration: TestNodeConfiguration,
  url: string,
  ledger: Ledger,
  { accounts, keys, ethereum }: GenesisKeys,
  dataDir: string | undefined,
  fork: Pick<NodeFork, 'opened' | 'source'>,
) {
  return {
    ...describeService(configuration, url, ledger),
    mode: 'test' as const,
    /** Absolute path of the data folder; undefined for a temporary chain. */
    dataDir,
    /** Seconds between blocks; undefined for a block for every transaction. */
    blockTime: configuration.blockTime,
    mining: configuration.mining,
    /** True for a block for every transaction beside those of an interval. */
    mixedMining: configuration.mixedMining,
    accounts: accounts.map(
      (account): NodeAccount => ({
        ...account,
        balance: ledger.accounts.balanceOf(accountAddress(account.id)),
      }),
    ),
    ethereum: ethereum && describeKeys(ledger, keys, ethereum),
    /** Undefined for a chain that is no fork. */
    fork: describeFork(fork, keys),
  };
}

function describeFork({ opened, source }: Pick<NodeFork, 'opened' | 'source'>, keys: readonly Seed[]) {
  if (opened === undefined) return undefined;
  const { base, point } = opened;
  const hasCode = (address: Address): boolean => {
    const record = base.state(stateKey.account(address));
    return record !== undefined && accountStateOf(record, WEI_PER_UNIT).codeHash !== undefined;
  };
  return {
    /** URL of the remote node without credentials; undefined without one. */
    source,
    number: point.number,
    hash: point.hash,
    /** Funded accounts that have code on the remote chain, and none here. */
    withCode: keys.map(evmAddressOf).filter(hasCode).length,
  };
}

function describeKeys(ledger: Ledger, keys: readonly Seed[], ethereum: TestEthereumConfiguration) {
  const { fees } = ledger.parameters.rules;
  return {
    ...ethereum,
    // A fork, or the chain of a data folder, has another one than the configuration.
    baseFee: fees.type === 'eip1559' ? fees.initialBaseFee : ethereum.baseFee,
    accounts: keys.map((privateKey) => {
      const address = evmAddressOf(privateKey);
      return { address, privateKey, balance: ledger.accounts.weiBalanceOf(address) };
    }),
  };
}
