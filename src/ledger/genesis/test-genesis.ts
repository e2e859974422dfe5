import { FIRST_ACCOUNT_INSTANCE } from '../../consensus.ts';
import type { Hardfork } from '../../evm/index.ts';
import type { AccountId, Address, Authority, PublicKey } from '../../protocol/index.ts';
import { accountId } from '../../protocol/index.ts';
import type { EthereumGenesis, Genesis, GenesisAccount, Network } from './genesis.ts';

/** The block gas limit of chains with Ethereum. Clients that guess use 35 % of it, which is below EIP-7825's bound. */
export const ETHEREUM_BLOCK_GAS_LIMIT = 45_000_000n;
/** Default seconds between two blocks of a new chain. */
export const BLOCK_INTERVAL_SECONDS_DEFAULT = 3;

/** The system account that makes the blocks of a test chain and pays for registrations. */
const TEST_PRODUCER: AccountId = accountId(FIRST_ACCOUNT_INSTANCE - 1);
const TEST_PRODUCER_NAME = 'test-producer';
const testAccountName = (index: number): string => `test-account-${index}`;

/** Initial units of the test producer: enough for registrations, which it earns back. */
const TEST_PRODUCER_BALANCE = 1_000_000_000n;

/** The variable parts of the genesis of a test chain. */
export interface TestGenesisOptions {
  readonly network: Network;
  readonly hardfork: Hardfork;
  /** The first accounts, in the order of their identifiers. */
  readonly accounts: readonly { readonly publicKey: PublicKey; readonly evmAddress: Address | undefined }[];
  /** Balance of each of them, in units of the core asset. */
  readonly balance: bigint;
  /** Active and consensus key of the test producer. */
  readonly producerKey: PublicKey;
  /** Unix time of block 0 in seconds. */
  readonly timestamp: number;
  /** Absent: the chain accepts no Ethereum transactions. */
  readonly ethereum?: EthereumGenesis | undefined;
}

/** Creates the genesis of test mode: one producer, and funded accounts from 1.2.1024 on. */
export function createTestGenesis(options: TestGenesisOptions): Genesis {
  const { network, hardfork, accounts, balance, producerKey, timestamp, ethereum } = options;
  const producer = genesisAccount(
    TEST_PRODUCER,
    TEST_PRODUCER_NAME,
    producerKey,
    TEST_PRODUCER_BALANCE,
    undefined,
  );
  const funded = accounts.map(({ publicKey, evmAddress }, index) =>
    genesisAccount(
      accountId(FIRST_ACCOUNT_INSTANCE + index),
      testAccountName(index),
      publicKey,
      balance,
      evmAddress,
    ),
  );
  return {
    network,
    hardfork,
    accounts: [producer, ...funded],
    producers: [TEST_PRODUCER],
    registrar: TEST_PRODUCER,
    reserved: { accounts: FIRST_ACCOUNT_INSTANCE, contracts: 0 },
    blockInterval: BLOCK_INTERVAL_SECONDS_DEFAULT,
    timestamp,
    ...(ethereum && { ethereum }),
  };
}

/**
 * Returns true for a genesis of test mode: it has the accounts of `createTestGenesis`, by identifiers and names, and
 * their producer. Keys, balances and the network may differ.
 */
export function isTestGenesis({ accounts, producers, registrar }: Genesis): boolean {
  const [producer, ...funded] = accounts;
  return (
    producers.length === 1 &&
    producers[0] === TEST_PRODUCER &&
    registrar === TEST_PRODUCER &&
    producer?.id === TEST_PRODUCER &&
    producer.name === TEST_PRODUCER_NAME &&
    funded.every(
      ({ id, name }, index) => id === FIRST_ACCOUNT_INSTANCE + index && name === testAccountName(index),
    )
  );
}

function genesisAccount(
  id: AccountId,
  name: string,
  key: PublicKey,
  balance: bigint,
  evmAddress: Address | undefined,
): GenesisAccount {
  const active: Authority = { weightThreshold: 1, accountAuths: [], keyAuths: [[key, 1]] };
  const options = { delegatingAccount: id, delegateShare: 0 };
  return { id, name, active, echorandKey: key, balance, evmAddress, options };
}
