import type { Hardfork } from '../../evm/index.ts';
import {
  type AccountId,
  type AccountOptions,
  type Address,
  type Authority,
  accountAddress,
  bytesToHex,
  contractId,
  encode,
  type Hash,
  keccak256,
  type PublicKey,
} from '../../protocol/index.ts';
import { type StateChange, stateKey } from '../../store/index.ts';
import type { EthereumFeatures } from '../chain/ethereum-features.ts';
import type { ForkOrigin } from '../chain/fork-origin.ts';
import { accountRecordCodec } from '../chain/records.ts';
import type { WorkingState } from '../state/working-state.ts';

/** An account that exists from the genesis block on. */
export interface GenesisAccount {
  readonly id: AccountId;
  readonly name: string;
  readonly active: Authority;
  readonly echorandKey: PublicKey;
  /** In units of the core asset. */
  readonly balance: bigint;
  readonly evmAddress: Address | undefined;
  readonly options: AccountOptions;
}

/** The initial Ethereum state of a chain, in addition to its native accounts. */
export interface EthereumGenesis {
  /** Gas that the operations of a block may take together. */
  readonly blockGasLimit: bigint;
  /** Accounts of keys, which are addresses with a balance, in units of the core asset. */
  readonly accounts: readonly { readonly address: Address; readonly balance: bigint }[];
  /** Preinstalled contracts, with the nonce 1; each has an instance, in this order. */
  readonly contracts: readonly { readonly address: Address; readonly code: Uint8Array }[];
  readonly features: EthereumFeatures;
  /** The block of a remote chain from which this test chain continues. Absent: the chain begins with block 0. */
  readonly fork?: ForkOrigin | undefined;
}

/** Returns the number of the genesis block. */
export function genesisNumberOf({ ethereum }: Pick<Genesis, 'ethereum'>): number {
  return ethereum?.fork?.number ?? 0;
}

/** Returns the block of a remote chain that has the rest of the state; undefined for a chain that is no fork. */
export function remoteOriginOf({ ethereum }: Pick<Genesis, 'ethereum'>): ForkOrigin | undefined {
  return ethereum?.fork?.isWhole === true ? undefined : ethereum?.fork;
}

/** The beginning of a chain. Everything but the time is part of the native chain id. */
export interface Genesis {
  readonly network: Network;
  readonly hardfork: Hardfork;
  readonly accounts: readonly GenesisAccount[];
  /** The consensus configuration: the accounts that produce blocks in rotation; the first is `eth_coinbase`. */
  readonly producers: readonly AccountId[];
  readonly registrar: AccountId;
  /** Number of instances reserved for the system: later accounts and contracts have higher ones. */
  readonly reserved: { readonly accounts: number; readonly contracts: number };
  /** Seconds between two blocks, of whole milliseconds. */
  readonly blockInterval: number;
  /** Unix time of block 0 in seconds. */
  readonly timestamp: number;
  /** Absent: the chain accepts no Ethereum transactions. */
  readonly ethereum?: EthereumGenesis | undefined;
}

/** Returns the supply of the core asset in units. */
export function supplyOf({ accounts, ethereum }: Pick<Genesis, 'accounts' | 'ethereum'>): bigint {
  let supply = 0n;
  for (const { balance } of accounts) supply += balance;
  for (const { balance } of ethereum?.accounts ?? []) supply += balance;
  return supply;
}

/**
 * Writes the accounts of a checked genesis to an empty state.
 * @param remote the state at the block of a fork; its keys keep their nonces, and nothing else
 * @returns the entries of its contracts, in addition to the state's changes
 */
export function applyGenesis(
  genesis: Genesis,
  chainId: Hash,
  state: WorkingState,
  remote?: WorkingState,
): StateChange[] {
  const { accounts, reserved, ethereum } = genesis;
  let nextAccount = reserved.accounts;
  for (const { id, name, active, echorandKey, balance, evmAddress, options } of accounts) {
    state.native.setAccount(id, { name, active, echorandKey, evmAddress, options });
    state.credit(accountAddress(id), balance);
    nextAccount = Math.max(nextAccount, id + 1);
  }
  for (const { address, balance } of ethereum?.accounts ?? []) {
    state.credit(address, balance);
    // Its next contract must not get the address of one that the remote chain has.
    const nonce = remote?.engine.accountState(address)?.nonce ?? 0n;
    if (nonce > 0n) state.engine.setNonce(address, nonce);
  }
  const contracts = ethereum?.contracts ?? [];
  contracts.forEach(({ address }, index) => {
    state.native.setContract(contractId(reserved.contracts + index), address);
  });
  const nextContract = reserved.contracts + contracts.length;
  state.native.setProperties({ chainId, nextAccount, nextContract });
  return contractEntries(contracts);
}

/** Returns the state entries of contracts: balance 0, nonce 1 and the code, which several may share. */
function contractEntries(contracts: EthereumGenesis['contracts']): StateChange[] {
  const hashed = contracts.map(({ address, code }) => ({ address, code, codeHash: keccak256(code) }));
  const codes = new Map(hashed.map(({ code, codeHash }) => [bytesToHex(codeHash), { code, codeHash }]));
  const entries: StateChange[] = Array.from(codes.values(), ({ code, codeHash }) => ({
    key: stateKey.code(codeHash),
    before: undefined,
    after: code,
  }));
  for (const { address, codeHash } of hashed) {
    const after = encode(accountRecordCodec, { balance: 0n, nonce: 1n, codeHash });
    entries.push({ key: stateKey.account(address), before: undefined, after });
  }
  return entries;
}

/** The network that a chain is part of: docs/interface.md#client-and-network (`net_version`, `eth_chainId`). */
export interface Network {
  readonly name: string;
  /** The chain id of EIP-155: the result of `eth_chainId`, and of the opcode CHAINID. */
  readonly chainId: number;
  /** The result of `net_version`. */
  readonly networkId: number;
}

export const NETWORK_NAMES = ['main', 'test', 'dev', 'default', 'local'] as const;
/** A network that the program knows by name. */
export type NetworkName = (typeof NETWORK_NAMES)[number];

const NETWORKS: Readonly<Record<NetworkName, Network>> = {
  main: { name: 'main', chainId: 222, networkId: 1 },
  test: { name: 'test', chainId: 223, networkId: 2 },
  dev: { name: 'dev', chainId: 224, networkId: 3 },
  default: { name: 'default', chainId: 255, networkId: 255 },
  // The chain id that Ethereum's tools use for local chains.
  local: { name: 'local', chainId: 31_337, networkId: 31_337 },
};

/** Returns the network of a name: docs/interface.md#client-and-network. */
export function networkOf(name: NetworkName): Network {
  return NETWORKS[name];
}
