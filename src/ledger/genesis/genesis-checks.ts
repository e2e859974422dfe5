import {
  AMOUNT_MAX,
  BASE_FEE_MAX,
  BLOCK_BLOBS_MAX,
  BLOCK_INTERVAL_SECONDS_MAX,
  BLOCK_INTERVAL_SECONDS_MIN,
  BLOCK_NUMBER_MAX,
  CLOCK_TIME_MAX,
  CODE_SIZE_LIMIT_MAX,
  CONTRACT_CODE_BYTES_MAX,
  DELEGATE_SHARE_MAX,
  ETHEREUM_BLOCK_GAS_LIMIT_MIN,
  FEE_RULE_DIVISOR_MAX,
  FIRST_ACCOUNT_INSTANCE,
  GENESIS_ACCOUNTS_MAX,
  GENESIS_CONTRACTS_MAX,
  GENESIS_ETHEREUM_ACCOUNTS_MAX,
  GENESIS_INSTANCE_MAX,
  GENESIS_PRODUCERS_MAX,
  NETWORK_NAME_CHARACTERS_MAX,
} from '../../consensus.ts';
import { HARDFORKS, isSince } from '../../evm/index.ts';
import {
  type AccountId,
  type Address,
  addressOwner,
  bytesToHex,
  formatAccountId,
} from '../../protocol/index.ts';
import { authorityDefect } from '../authorities/authority.ts';
import type { EthereumFeatures } from '../chain/ethereum-features.ts';
import type { ForkOrigin } from '../chain/fork-origin.ts';
import { InvalidGenesisError } from '../errors/chain-errors.ts';
import { isAccountName } from '../operations/accounts.ts';
import type { EthereumGenesis, Genesis, GenesisAccount, Network } from './genesis.ts';

const NETWORK_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** Checks the rules that types cannot express. Throws `InvalidGenesisError` with the path in the genesis file. */
export function checkGenesis(genesis: Genesis): void {
  const { network, hardfork, blockInterval, reserved, timestamp } = genesis;
  checkNetwork(network);
  expectIn('timestamp', timestamp, 0, CLOCK_TIME_MAX);
  if (!HARDFORKS.includes(hardfork)) {
    throw new InvalidGenesisError('parameters.hardfork', `must be one of ${HARDFORKS.join(', ')}`);
  }
  checkInterval(blockInterval);
  expectIn('reservedInstances.accounts', reserved.accounts, FIRST_ACCOUNT_INSTANCE, GENESIS_INSTANCE_MAX);
  expectIn('reservedInstances.contracts', reserved.contracts, 0, GENESIS_INSTANCE_MAX);
  const ids = checkAccounts(genesis.accounts);
  if (genesis.ethereum !== undefined) checkEthereum(genesis.ethereum, genesis.accounts);
  if (genesis.ethereum?.fork !== undefined) checkFork(genesis.ethereum.fork, genesis);
  checkRoles(genesis, ids);
}

function checkNetwork({ name, chainId, networkId }: Network): void {
  if (name.length > NETWORK_NAME_CHARACTERS_MAX || !NETWORK_NAME.test(name)) {
    throw new InvalidGenesisError(
      'network.name',
      `must be 1 to ${NETWORK_NAME_CHARACTERS_MAX} letters, digits, dots, - and _, the first a letter or digit`,
    );
  }
  expectIn('network.chainId', chainId, 1, Number.MAX_SAFE_INTEGER);
  expectIn('network.networkId', networkId, 1, Number.MAX_SAFE_INTEGER);
}

function checkInterval(seconds: number): void {
  const milliseconds = Math.round(seconds * 1_000);
  // The inverse reveals fractions of a millisecond, which the stored form cannot hold.
  const valid =
    milliseconds / 1_000 === seconds &&
    seconds >= BLOCK_INTERVAL_SECONDS_MIN &&
    seconds <= BLOCK_INTERVAL_SECONDS_MAX;
  if (valid) return;
  throw new InvalidGenesisError(
    'parameters.blockInterval',
    `must be ${BLOCK_INTERVAL_SECONDS_MIN} to ${BLOCK_INTERVAL_SECONDS_MAX} seconds, of whole milliseconds`,
  );
}

/** Checks the accounts one by one and against each other; returns their identifiers. */
function checkAccounts(accounts: readonly GenesisAccount[]): ReadonlySet<AccountId> {
  expectNoMore('accounts', accounts.length, GENESIS_ACCOUNTS_MAX);
  const ids = new Set(accounts.map(({ id }) => id));
  const taken = new Set<string>();
  const expectFree = (path: string, value: string): void => {
    const name = `${path.slice(path.lastIndexOf('.'))} ${value}`;
    if (taken.has(name)) throw new InvalidGenesisError(path, 'another account of the genesis has it too');
    taken.add(name);
  };
  let supply = 0n;
  accounts.forEach((account, index) => {
    const path = `accounts[${index}]`;
    expectFree(`${path}.id`, String(account.id));
    checkAccount(path, account, ids);
    expectFree(`${path}.name`, account.name);
    if (account.evmAddress !== undefined) expectFree(`${path}.evmAddress`, bytesToHex(account.evmAddress));
    supply += account.balance;
    expectSupply(`${path}.balance`, supply);
  });
  return ids;
}

/** Checks the Ethereum part of a genesis: no duplicates, and no more than the greatest supply. */
function checkEthereum(ethereum: EthereumGenesis, native: readonly GenesisAccount[]): void {
  const { blockGasLimit, accounts, contracts } = ethereum;
  const gas = Number(blockGasLimit);
  expectIn('ethereum.blockGasLimit', gas, ETHEREUM_BLOCK_GAS_LIMIT_MIN, Number.MAX_SAFE_INTEGER);
  checkFeatures(ethereum.features);
  expectNoMore('ethereum.accounts', accounts.length, GENESIS_ETHEREUM_ACCOUNTS_MAX);
  expectNoMore('ethereum.contracts', contracts.length, GENESIS_CONTRACTS_MAX);
  const taken = new Set<string>();
  const expectFree = (path: string, address: Address): void => {
    if (addressOwner(address).kind !== 'other') {
      throw new InvalidGenesisError(path, 'is the address of an identifier');
    }
    const name = bytesToHex(address);
    if (taken.has(name)) throw new InvalidGenesisError(path, 'another entry of the genesis has it too');
    taken.add(name);
  };
  let supply = native.reduce((sum, { balance }) => sum + balance, 0n);
  accounts.forEach(({ address, balance }, index) => {
    const path = `ethereum.accounts[${index}]`;
    expectFree(`${path}.address`, address);
    if (balance < 0n) throw new InvalidGenesisError(`${path}.balance`, 'must not be negative');
    supply += balance;
    expectSupply(`${path}.balance`, supply);
  });
  // The preinstalled contracts of test mode have more than a limit that a test has lowered.
  const codeBytesMax = Math.max(ethereum.features.codeSizeLimit ?? 0, CONTRACT_CODE_BYTES_MAX);
  contracts.forEach(({ address, code }, index) => {
    const path = `ethereum.contracts[${index}]`;
    expectFree(`${path}.address`, address);
    expectNoMore(`${path}.code`, code.length, codeBytesMax, 'bytes');
  });
}

/** Rules before Cancun destroy contracts with storage, which no remote chain can list. */
function checkFork({ number, isWhole }: ForkOrigin, { hardfork, ethereum }: Genesis): void {
  expectIn('ethereum.fork.number', number, 0, BLOCK_NUMBER_MAX - 1);
  if (isWhole === true) return;
  const { features } = ethereum ?? {};
  const fault = !isSince(hardfork, 'cancun')
    ? 'needs the rules of Cancun or later'
    : features?.hasStateTrie === true
      ? 'excludes ethereum.stateTrie'
      : undefined;
  if (fault !== undefined) throw new InvalidGenesisError('ethereum.fork', fault);
}

function checkFeatures({ fees, blobs, codeSizeLimit }: EthereumFeatures): void {
  if (codeSizeLimit !== undefined) {
    expectIn('ethereum.codeSizeLimit', codeSizeLimit, 1, CODE_SIZE_LIMIT_MAX);
  }
  switch (fees.type) {
    case 'fixed':
      expectPrice('ethereum.fees.price', fees.price);
      break;
    case 'eip1559':
      expectPrice('ethereum.fees.initialBaseFee', fees.initialBaseFee);
      expectPrice('ethereum.fees.minimum', fees.minimum);
      expectIn('ethereum.fees.elasticity', fees.elasticity, 1, FEE_RULE_DIVISOR_MAX);
      expectIn('ethereum.fees.denominator', fees.denominator, 1, FEE_RULE_DIVISOR_MAX);
      break;
  }
  if (blobs === undefined) return;
  expectIn('ethereum.blobSchedule.max', blobs.max, 1, BLOCK_BLOBS_MAX);
  expectIn('ethereum.blobSchedule.target', blobs.target, 0, blobs.max);
  expectIn('ethereum.blobSchedule.baseFeeUpdateFraction', blobs.baseFeeUpdateFraction, 1, 2 ** 32 - 1);
}

function expectPrice(path: string, price: bigint): void {
  if (price >= 0n && price <= BASE_FEE_MAX) return;
  throw new InvalidGenesisError(path, `must be 0 to ${BASE_FEE_MAX} wei, not ${price}`);
}

function expectNoMore(path: string, count: number, most: number, unit?: 'bytes'): void {
  if (count <= most) return;
  throw new InvalidGenesisError(
    path,
    `${count}${unit === undefined ? '' : ` ${unit}`} are more than ${most}`,
  );
}

function expectSupply(path: string, supply: bigint): void {
  if (supply <= AMOUNT_MAX) return;
  throw new InvalidGenesisError(
    path,
    `all balances up to here are ${supply}, the greatest supply is ${AMOUNT_MAX}`,
  );
}

function checkAccount(path: string, account: GenesisAccount, ids: ReadonlySet<AccountId>): void {
  const { id, name, active, balance, options } = account;
  expectIn(`${path}.id`, id, 0, GENESIS_INSTANCE_MAX);
  if (!isAccountName(name)) {
    throw new InvalidGenesisError(
      `${path}.name`,
      'must be 3 to 63 characters of a-z, 0-9, - and ., every label beginning with a letter and ending with a ' +
        'letter or digit',
    );
  }
  if (balance < 0n) throw new InvalidGenesisError(`${path}.balance`, 'must not be negative');
  const fault = authorityDefect(active, (member) => ids.has(member));
  if (fault !== undefined) throw new InvalidGenesisError(`${path}.active`, fault);
  expectAccount(`${path}.options.delegating_account`, options.delegatingAccount, ids);
  expectIn(`${path}.options.delegate_share`, options.delegateShare, 0, DELEGATE_SHARE_MAX);
}

function checkRoles({ producers, registrar }: Genesis, ids: ReadonlySet<AccountId>): void {
  if (producers.length === 0 || producers.length > GENESIS_PRODUCERS_MAX) {
    throw new InvalidGenesisError(
      'consensus.producers',
      `must be 1 to ${GENESIS_PRODUCERS_MAX} accounts, not ${producers.length}`,
    );
  }
  producers.forEach((producer, index) => {
    const path = `consensus.producers[${index}]`;
    expectAccount(path, producer, ids);
    if (producers.indexOf(producer) !== index) throw new InvalidGenesisError(path, 'is listed twice');
  });
  expectAccount('registrar', registrar, ids);
}

function expectIn(path: string, value: number, least: number, most: number): void {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return;
  throw new InvalidGenesisError(path, `must be an integer of ${least} to ${most}, not ${value}`);
}

function expectAccount(path: string, id: AccountId, ids: ReadonlySet<AccountId>): void {
  if (ids.has(id)) return;
  throw new InvalidGenesisError(path, `${formatAccountId(id)} is not among the accounts of the genesis`);
}
