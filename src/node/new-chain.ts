import { FIRST_ACCOUNT_INSTANCE } from '../consensus.ts';
import type { Hardfork } from '../evm/index.ts';
import {
  type EthereumGenesis,
  formatGenesis,
  type Genesis,
  type GenesisAccount,
  InvalidGenesisError,
  type Network,
  parseGenesis,
} from '../ledger/index.ts';
import { ETHEREUM_BLOCK_GAS_LIMIT, INIT_REGISTRAR_BALANCE } from '../limits.ts';
import { type AccountId, accountId, type PublicKey } from '../protocol/index.ts';
import { systemTime } from '../time.ts';
import { type AccountKey, generateKeys } from './keys/key-file.ts';
import { preinstallsOf } from './preinstalls.ts';

/** The genesis settings of a new chain. */
export interface NewChain {
  readonly network: Network;
  readonly hardfork: Hardfork;
  /** Native units of all accounts together. */
  readonly supply: bigint;
  readonly blockInterval: number;
  /** Accounts whose keys are held elsewhere; their balances are a part of the supply. */
  readonly accounts: readonly {
    readonly name: string;
    readonly publicKey: PublicKey;
    readonly balance: bigint;
  }[];
  /** The settings of a chain that knows Ethereum; absent for one that does not. */
  readonly ethereum?: InitializeEthereum | undefined;
}

/** The settings of a new chain that knows Ethereum, beside its native accounts. */
export interface InitializeEthereum {
  /** Accounts of keys that are held elsewhere; their balances, in native units, are a part of the supply. */
  readonly accounts: EthereumGenesis['accounts'];
  /** True if the genesis has the contracts that tools expect on every chain. */
  readonly preinstalls: boolean;
}

/** The new keys of a chain. */
export interface MadeKeys {
  /** In the order of the schedule. */
  readonly producers: readonly AccountKey[];
  readonly registrar: AccountKey;
  readonly treasury: AccountKey;
}

/** Generates the keys of a chain with so many producers. A single one has no number in its name. */
export function makeKeys(producers: number): MadeKeys {
  const made = (instance: number, name: string): AccountKey => ({
    account: accountId(instance),
    name,
    keys: generateKeys(),
  });
  const first = FIRST_ACCOUNT_INSTANCE - 1;
  const registrar = first - 1;
  const instanceOf = (index: number): number => (index === 0 ? first : registrar - index);
  return {
    producers:
      producers === 1
        ? [made(first, 'producer')]
        : Array.from({ length: producers }, (_, index) => made(instanceOf(index), `producer-${index + 1}`)),
    registrar: made(registrar, 'registrar'),
    treasury: made(FIRST_ACCOUNT_INSTANCE, 'treasury'),
  };
}

/** Returns the genesis of a chain with these keys, after all checks of a start. @throws InvalidGenesisError */
export function newGenesis(options: NewChain, made: MadeKeys): Genesis {
  return parseGenesis(formatGenesis(genesisOf(options, made)));
}

function genesisOf(options: NewChain, { producers, registrar, treasury }: MadeKeys): Genesis {
  const { network, hardfork, supply, blockInterval, accounts, ethereum } = options;
  const given = [...accounts, ...(ethereum?.accounts ?? [])];
  const rest = given.reduce((left, { balance }) => left - balance, supply);
  if (rest < 0n) {
    throw new InvalidGenesisError('accounts', `their balances are more than the supply of ${supply}`);
  }
  let endowment = INIT_REGISTRAR_BALANCE;
  if (rest < endowment) endowment = rest;
  const account = ({ account: id, name, keys }: AccountKey, balance: bigint): GenesisAccount =>
    genesisAccount(id, name, keys.publicKey, balance);
  return {
    network,
    hardfork,
    accounts: [
      ...producers.map((producer) => account(producer, 0n)),
      account(registrar, endowment),
      account(treasury, rest - endowment),
      ...accounts.map(({ name, publicKey, balance }, index) =>
        genesisAccount(accountId(FIRST_ACCOUNT_INSTANCE + 1 + index), name, publicKey, balance),
      ),
    ],
    producers: producers.map((producer) => producer.account),
    registrar: registrar.account,
    reserved: { accounts: FIRST_ACCOUNT_INSTANCE, contracts: 0 },
    blockInterval,
    // A clock that says no time for a block is refused.
    timestamp: Math.floor(systemTime.wallNow() / 1_000),
    ...(ethereum && { ethereum: ethereumOf(ethereum, network) }),
  };
}

function ethereumOf({ accounts, preinstalls }: InitializeEthereum, { chainId }: Network): EthereumGenesis {
  const contracts = preinstalls ? preinstallsOf(chainId) : [];
  return { blockGasLimit: ETHEREUM_BLOCK_GAS_LIMIT, accounts, contracts };
}

function genesisAccount(id: AccountId, name: string, key: PublicKey, balance: bigint): GenesisAccount {
  return {
    id,
    name,
    active: { weightThreshold: 1, accountAuths: [], keyAuths: [[key, 1]] },
    echorandKey: key,
    balance,
    evmAddress: undefined,
    options: { delegatingAccount: id, delegateShare: 0 },
  };
}
