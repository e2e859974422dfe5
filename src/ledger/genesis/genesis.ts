import type { Hardfork } from '../../evm/index.ts';
import type { AccountId, AccountOptions, Address, Authority, PublicKey } from '../../protocol/index.ts';
import { accountAddress, type Hash, invariant } from '../../protocol/index.ts';
import type { WorkingState } from '../state/index.ts';
import type { Network } from './network.ts';

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

/** The beginning of a chain. Everything but the time is part of the native chain id. */
export interface Genesis {
  readonly network: Network;
  readonly hardfork: Hardfork;
  readonly accounts: readonly GenesisAccount[];
  /** The consensus configuration: the accounts that produce blocks, in turn; the first is `eth_coinbase`. */
  readonly producers: readonly AccountId[];
  /** The account that pays for registrations. */
  readonly registrar: AccountId;
  /** Instances that are the system's: the first account and the first contract to come get none of them. */
  readonly reserved: { readonly accounts: number; readonly contracts: number };
  /** Seconds between two blocks, of whole milliseconds. */
  readonly blockInterval: number;
  /** Unix time of block 0 in seconds. */
  readonly timestamp: number;
}

/** The account that produces a block: the producers take turns. */
export function producerOf({ producers }: Pick<Genesis, 'producers'>, number: number): AccountId {
  const id = producers[number % producers.length];
  invariant(id !== undefined, 'a checked genesis has producers');
  return id;
}

/** Puts the accounts of a checked genesis into an empty state. */
export function applyGenesis(genesis: Genesis, chainId: Hash, state: WorkingState): void {
  const { accounts, reserved } = genesis;
  let nextAccount = reserved.accounts;
  for (const { id, name, active, echorandKey, balance, evmAddress, options } of accounts) {
    state.native.setAccount(id, { name, active, echorandKey, evmAddress, options });
    if (balance > 0n) state.engine.credit(accountAddress(id), balance);
    nextAccount = Math.max(nextAccount, id + 1);
  }
  state.native.setProperties({ chainId, nextAccount, nextContract: reserved.contracts });
}
