import type { Hardfork } from '../evm/index.ts';
import { AMOUNT_MAX, FIRST_ACCOUNT_INSTANCE } from '../limits.ts';
import type {
  AccountId,
  AccountOptions,
  Address,
  Authority,
  Codec,
  Hash,
  PublicKey,
} from '../protocol/index.ts';
import {
  accountAddress,
  accountIdCodec,
  accountOptionsCodec,
  addressCodec,
  authorityCodec,
  encode,
  optional,
  publicKeyCodec,
  sha256,
  string,
  struct,
  uint64,
  vector,
} from '../protocol/index.ts';
import { InvalidGenesisError } from './errors.ts';
import type { NetworkName } from './network.ts';
import type { WorkingState } from './working-state.ts';

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

/** What a chain begins with. Everything but the time is part of the native chain id. */
export interface Genesis {
  readonly network: NetworkName;
  readonly hardfork: Hardfork;
  readonly accounts: readonly GenesisAccount[];
  /** The consensus configuration: the accounts that produce blocks; the first is `eth_coinbase`. */
  readonly producers: readonly AccountId[];
  /** The account that pays for registrations. */
  readonly registrar: AccountId;
  /** Unix time of block 0 in seconds. */
  readonly timestamp: number;
}

const genesisAccountCodec: Codec<GenesisAccount> = struct<GenesisAccount>('genesis_account', {
  id: accountIdCodec,
  name: string,
  active: authorityCodec,
  echorandKey: publicKeyCodec,
  balance: uint64,
  evmAddress: optional(addressCodec),
  options: accountOptionsCodec,
});

type ChainParameters = Pick<Genesis, 'accounts' | 'producers' | 'registrar'> & {
  readonly network: string;
  readonly hardfork: string;
};

const chainParametersCodec: Codec<ChainParameters> = struct<ChainParameters>('chain_parameters', {
  network: string,
  hardfork: string,
  accounts: vector(genesisAccountCodec),
  producers: vector(accountIdCodec),
  registrar: accountIdCodec,
});

/**
 * The native chain id, which every signature covers: SHA-256 of the serialized genesis without its time, so that
 * a test chain has the same id on every start. A transaction made for an earlier run is refused all the same,
 * because its reference block is not on the new chain.
 */
export function chainIdOf(genesis: Genesis): Hash {
  const { network, hardfork, accounts, producers, registrar } = genesis;
  return sha256(encode(chainParametersCodec, { network, hardfork, accounts, producers, registrar }));
}

/** The account that produces a block: the producers take turns. */
export function producerOf(genesis: Genesis, number: number): GenesisAccount {
  const id = genesis.producers[number % genesis.producers.length];
  const account = genesis.accounts.find((candidate) => candidate.id === id);
  if (account === undefined)
    throw new InvalidGenesisError('a producer is not among the accounts of the genesis');
  return account;
}

/** Checks what the types cannot say. Throws `InvalidGenesisError`. */
export function checkGenesis(genesis: Genesis): void {
  const ids = new Set<AccountId>();
  let supply = 0n;
  for (const { id, balance } of genesis.accounts) {
    if (ids.has(id)) throw new InvalidGenesisError(`the account 1.2.${id} stands twice in the genesis`);
    ids.add(id);
    if (balance < 0n) throw new InvalidGenesisError(`the balance of 1.2.${id} is negative`);
    supply += balance;
  }
  if (supply > AMOUNT_MAX) {
    throw new InvalidGenesisError(
      `all balances together are ${supply}, the greatest supply is ${AMOUNT_MAX}`,
    );
  }
  if (genesis.producers.length === 0) throw new InvalidGenesisError('the genesis has no producers');
  for (const id of [...genesis.producers, genesis.registrar]) {
    if (!ids.has(id)) throw new InvalidGenesisError(`1.2.${id} is not among the accounts of the genesis`);
  }
}

/** Puts the accounts of the genesis into an empty state. */
export function applyGenesis(genesis: Genesis, state: WorkingState): void {
  let nextAccount = FIRST_ACCOUNT_INSTANCE;
  for (const { id, name, active, echorandKey, balance, evmAddress, options } of genesis.accounts) {
    state.native.setAccount(id, { name, active, echorandKey, evmAddress, options });
    if (balance > 0n) state.engine.credit(accountAddress(id), balance);
    nextAccount = Math.max(nextAccount, id + 1);
  }
  state.native.setProperties({ chainId: chainIdOf(genesis), nextAccount, nextContract: 0 });
}
