import { lstatSync, mkdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Hardfork } from '../evm/index.ts';
import {
  chainIdOf,
  type EthereumGenesis,
  formatGenesis,
  type Genesis,
  type GenesisAccount,
  InvalidGenesisError,
  type Network,
  parseGenesis,
  systemClock,
} from '../ledger/index.ts';
import { ETHEREUM_BLOCK_GAS_LIMIT, FIRST_ACCOUNT_INSTANCE, INIT_REGISTRAR_BALANCE } from '../limits.ts';
import { type AccountId, accountId, type Hash, type PublicKey } from '../protocol/index.ts';
import { openStore } from '../store/index.ts';
import { Closers } from './closers.ts';
import { type DataFolder, FOLDER_MODE, openDataFolder } from './data-folder.ts';
import { flushFolder, writeNewFile } from './durable-files.ts';
import { DataFolderError } from './errors.ts';
import { lockFolder } from './folder-lock.ts';
import { GENESIS_FILE_MODE } from './genesis-file.ts';
import { type AccountKey, formatKeyFile, generateKeys, KEY_FILE_MODE } from './keys/key-file.ts';
import { preinstallsOf } from './preinstalls.ts';

/** What a new chain begins with. */
export interface InitializeOptions {
  /** Folder of the node. */
  readonly dataDir: string;
  readonly network: Network;
  readonly hardfork: Hardfork;
  /** Native units of all accounts together. */
  readonly supply: bigint;
  /** Seconds between two blocks. */
  readonly blockInterval: number;
  /** Whether the node of this folder counts operations by payer, which a chain does from its beginning or never. */
  readonly history: boolean;
  /** Accounts whose keys are held elsewhere; their balances are a part of the supply. */
  readonly accounts: readonly {
    readonly name: string;
    readonly publicKey: PublicKey;
    readonly balance: bigint;
  }[];
  /** What a chain that knows Ethereum begins with; absent for one that does not. */
  readonly ethereum?: InitializeEthereum | undefined;
}

/** What a new chain that knows Ethereum begins with beside its native accounts. */
export interface InitializeEthereum {
  /** Accounts of keys that are held elsewhere; their balances, in native units, are a part of the supply. */
  readonly accounts: EthereumGenesis['accounts'];
  /** Whether the contracts are there from the beginning that tools look for on every chain. */
  readonly preinstalls: boolean;
}

/** An account of a new chain. */
export interface InitializedAccount {
  readonly id: AccountId;
  readonly name: string;
  readonly publicKey: PublicKey;
  readonly balance: bigint;
  /** File of its key; undefined for a key that was not made here. */
  readonly keyFile: string | undefined;
}

/** What was made. Nothing in it is secret. */
export interface InitializedFolder {
  /** Absolute path of the folder. */
  readonly path: string;
  readonly genesisFile: string;
  readonly nativeChainId: Hash;
  /** Producer, registrar and treasury, then those that were asked for. */
  readonly accounts: readonly InitializedAccount[];
}

/** Where everything is written before it takes its place. Nothing in it was ever used. */
const STAGING = '.initializing';

/**
 * Makes a new chain in a folder: fresh keys of a producer, a registrar and a treasury, which owns what the others do
 * not, and the genesis. Everything or nothing is made, and nothing is overwritten.
 *
 * @throws DataFolderError, InvalidGenesisError
 */
export async function initializeFolder(options: InitializeOptions): Promise<InitializedFolder> {
  const made = makeKeys();
  // Read back before anything is written, with all the checks that a start makes.
  const genesis = parseGenesis(formatGenesis(genesisOf(options, made)));
  const folder = openDataFolder(options.dataDir);
  const closers = new Closers();
  closers.add(await lockFolder(folder.path));
  try {
    requireUnused(folder);
    await write(folder, genesis, Object.values(made), options.history);
  } catch (cause) {
    if (cause instanceof DataFolderError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new DataFolderError('unusable', `the data folder ${folder.path} cannot be used: ${reason}`, {
      cause,
    });
  } finally {
    await closers.close();
  }
  const keyFiles = new Map(Object.values(made).map((key) => [key.account, keyPath(folder.keys, key)]));
  return {
    path: folder.path,
    genesisFile: folder.genesis,
    nativeChainId: chainIdOf(genesis),
    accounts: genesis.accounts.map(({ id, name, echorandKey, balance }) => ({
      id,
      name,
      publicKey: echorandKey,
      balance,
      keyFile: keyFiles.get(id),
    })),
  };
}

interface MadeKeys {
  readonly producer: AccountKey;
  readonly registrar: AccountKey;
  readonly treasury: AccountKey;
}

function makeKeys(): MadeKeys {
  const made = (instance: number, name: string): AccountKey => ({
    account: accountId(instance),
    name,
    keys: generateKeys(),
  });
  return {
    producer: made(FIRST_ACCOUNT_INSTANCE - 1, 'producer'),
    registrar: made(FIRST_ACCOUNT_INSTANCE - 2, 'registrar'),
    treasury: made(FIRST_ACCOUNT_INSTANCE, 'treasury'),
  };
}

function genesisOf(options: InitializeOptions, { producer, registrar, treasury }: MadeKeys): Genesis {
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
      account(producer, 0n),
      account(registrar, endowment),
      account(treasury, rest - endowment),
      ...accounts.map(({ name, publicKey, balance }, index) =>
        genesisAccount(accountId(FIRST_ACCOUNT_INSTANCE + 1 + index), name, publicKey, balance),
      ),
    ],
    producers: [producer.account],
    registrar: registrar.account,
    reserved: { accounts: FIRST_ACCOUNT_INSTANCE, contracts: 0 },
    blockInterval,
    timestamp: systemClock.now(),
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

function requireUnused({ path, genesis, keys, store, wallet }: DataFolder): void {
  for (const taken of [genesis, keys, store, wallet]) {
    if (lstatSync(taken, { throwIfNoEntry: false }) === undefined) continue;
    throw new DataFolderError(
      'occupied',
      `the data folder ${path} is not empty: ${taken} is there already, and nothing is overwritten`,
    );
  }
}

/**
 * Writes everything aside, then gives it its place: the genesis, which makes the folder a node's, at last. The store
 * has no block yet: it only says whether it keeps history.
 */
async function write(
  folder: DataFolder,
  genesis: Genesis,
  made: readonly AccountKey[],
  history: boolean,
): Promise<void> {
  const staging = join(folder.path, STAGING);
  const stagedKeys = join(staging, 'keys');
  const stagedStore = join(staging, 'ledger');
  const stagedGenesis = join(staging, 'genesis.json');
  // What an initialisation left behind that was cut off.
  rmSync(staging, { recursive: true, force: true });
  const placed: string[] = [];
  const place = (from: string, to: string): void => {
    renameSync(from, to);
    placed.push(to);
  };
  try {
    mkdirSync(staging, FOLDER_MODE);
    mkdirSync(stagedKeys, FOLDER_MODE);
    for (const key of made) writeNewFile(keyPath(stagedKeys, key), formatKeyFile(key), KEY_FILE_MODE);
    flushFolder(stagedKeys);
    await openStore({ path: stagedStore, durable: true, history }).close();
    writeNewFile(stagedGenesis, formatGenesis(genesis), GENESIS_FILE_MODE);
    place(stagedKeys, folder.keys);
    place(stagedStore, folder.store);
    place(stagedGenesis, folder.genesis);
    rmdirSync(staging);
    flushFolder(folder.path);
  } catch (error) {
    for (const path of [staging, ...placed]) rmSync(path, { recursive: true, force: true });
    throw error;
  }
}

function keyPath(folder: string, { name }: AccountKey): string {
  return join(folder, `${name}.json`);
}
