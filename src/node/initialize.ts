import { lstatSync, mkdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { FIRST_ACCOUNT_INSTANCE } from '../consensus.ts';
import { flush, writeNewFile } from '../durable-files.ts';
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
} from '../ledger/index.ts';
import { ETHEREUM_BLOCK_GAS_LIMIT, INIT_REGISTRAR_BALANCE } from '../limits.ts';
import { type AccountId, accountId, messageOf, type PublicKey } from '../protocol/index.ts';
import { openStore } from '../store/index.ts';
import { systemTime } from '../time.ts';
import { Closers } from './closers.ts';
import { type DataFolder, FOLDER_MODE, openDataFolder } from './data-folder.ts';
import { DataFolderError } from './errors.ts';
import { lockFolder } from './folder-lock.ts';
import { GENESIS_FILE_MODE } from './genesis-file.ts';
import { type AccountKey, formatKeyFile, generateKeys, KEY_FILE_MODE } from './keys/key-file.ts';
import { preinstallsOf } from './preinstalls.ts';

export interface InitializeOptions extends NewChain {
  /** Folder of the node, or of the folders of several. */
  readonly dataDir: string;
  /** True if its nodes count operations by payer, which a chain does from its beginning or never. */
  readonly history: boolean;
}

/** An account of a new chain; its key file is undefined for a key that was not made here. */
export type InitializedAccount = ReturnType<typeof accountsOf>[number];

/** A new folder without secrets. Its accounts are producer, registrar and treasury, then the requested ones. */
export type InitializedFolder = Awaited<ReturnType<typeof initializeFolder>>;

/** New folders of several nodes, each to be copied to its machine as a whole; nothing in this is secret. */
export type InitializedCluster = Awaited<ReturnType<typeof initializeCluster>>;

/** The folder of unfinished files, which were never used. */
const STAGING = '.initializing';

/** The file of the treasury's key beside the folders of several nodes. */
const TREASURY = 'treasury.json';

/**
 * Creates a chain in a folder: keys of a producer, a registrar and a treasury, which owns the rest of the supply, and
 * the genesis. Creates everything or nothing, and overwrites nothing. @throws DataFolderError, InvalidGenesisError
 */
export async function initializeFolder(options: InitializeOptions) {
  const made = makeKeys(1);
  // Checked before anything is written.
  const genesis = newGenesis(options, made);
  const { producers, registrar, treasury } = made;
  const keys = [...producers, registrar, treasury];
  const { path, ...folder } = await writeFolder(
    options.dataDir,
    ['keys', 'ledger', 'genesis.json'],
    (staging) => fillNode(staging, genesis, keys, options.history),
  );
  const keyFiles = new Map(keys.map((key) => [key.account, keyPath(folder.keys, key)]));
  const accounts = accountsOf(genesis, keyFiles);
  return { path, genesisFile: folder.genesis, nativeChainId: chainIdOf(genesis), accounts };
}

/**
 * Creates a chain for several nodes: a folder for each with its genesis, the key of one producer and of the registrar;
 * and the key of the treasury, which no node needs. Creates everything or nothing, and overwrites nothing.
 * @param producers at least 2
 * @throws DataFolderError, InvalidGenesisError
 */
export async function initializeCluster(options: InitializeOptions, producers: number) {
  const made = makeKeys(producers);
  const genesis = newGenesis(options, made);
  const named = new Map(made.producers.map((producer, index) => [`node-${index + 1}`, producer]));
  const { path } = await writeFolder(options.dataDir, [...named.keys(), TREASURY], async (staging) => {
    for (const [name, producer] of named) {
      mkdirSync(join(staging, name), FOLDER_MODE);
      await fillNode(join(staging, name), genesis, [producer, made.registrar], options.history);
    }
    writeNewFile(join(staging, TREASURY), formatKeyFile(made.treasury), KEY_FILE_MODE);
  });
  const treasuryFile = join(path, TREASURY);
  const keyFiles = new Map([[made.treasury.account, treasuryFile]]);
  const nodes = Array.from(named, ([name, producer], index) => {
    keyFiles.set(producer.account, keyPath(join(path, name, 'keys'), producer));
    return { number: index + 1, path: join(path, name), producer: producer.account };
  });
  const accounts = accountsOf(genesis, keyFiles);
  return { path, nativeChainId: chainIdOf(genesis), accounts, nodes, treasuryFile };
}

function accountsOf(genesis: Genesis, keyFiles: ReadonlyMap<AccountId, string>) {
  return genesis.accounts.map(({ id, name, echorandKey, balance }) => ({
    id,
    name,
    publicKey: echorandKey,
    balance,
    keyFile: keyFiles.get(id),
  }));
}

/** Writes files in a staging folder, then moves them into place. */
async function writeFolder(
  dataDir: string,
  names: readonly string[],
  fill: (staging: string) => Promise<void>,
): Promise<DataFolder> {
  const folder = openDataFolder(dataDir);
  const closers = new Closers();
  closers.add(await lockFolder(folder.path));
  try {
    requireUnused(folder, names);
    await write(folder.path, names, fill);
  } catch (cause) {
    if (cause instanceof DataFolderError) throw cause;
    const message = `the data folder ${folder.path} cannot be used: ${messageOf(cause)}`;
    throw new DataFolderError('unusable', message, { cause });
  } finally {
    await closers.close();
  }
  return folder;
}

function requireUnused(folder: DataFolder, names: readonly string[]): void {
  const { path, genesis, keys, store, wallet, ethereumKeys } = folder;
  const own = [genesis, keys, store, wallet, ethereumKeys];
  const places = new Set([...own, ...names.map((name) => join(path, name))]);
  for (const taken of places) {
    if (lstatSync(taken, { throwIfNoEntry: false }) === undefined) continue;
    throw new DataFolderError(
      'occupied',
      `the data folder ${path} is not empty: ${taken} is there already, and nothing is overwritten`,
    );
  }
}

/** Writes the folder of a node. The store has no block yet, only the setting of the history. */
async function fillNode(
  path: string,
  genesis: Genesis,
  keys: readonly AccountKey[],
  history: boolean,
): Promise<void> {
  const keysFolder = join(path, 'keys');
  mkdirSync(keysFolder, FOLDER_MODE);
  for (const key of keys) writeNewFile(keyPath(keysFolder, key), formatKeyFile(key), KEY_FILE_MODE);
  flush(keysFolder);
  await openStore({ path: join(path, 'ledger'), durable: true, history }).close();
  writeNewFile(join(path, 'genesis.json'), formatGenesis(genesis), GENESIS_FILE_MODE);
  flush(path);
}

/** Writes everything aside, then renames it in this order: the last name makes a folder a node's. */
async function write(
  path: string,
  names: readonly string[],
  fill: (staging: string) => Promise<void>,
): Promise<void> {
  const staging = join(path, STAGING);
  // An aborted initialisation may have left files.
  rmSync(staging, { recursive: true, force: true });
  const placed: string[] = [];
  try {
    mkdirSync(staging, FOLDER_MODE);
    await fill(staging);
    for (const name of names) {
      renameSync(join(staging, name), join(path, name));
      placed.push(join(path, name));
    }
    rmdirSync(staging);
    flush(path);
  } catch (error) {
    for (const written of [staging, ...placed]) rmSync(written, { recursive: true, force: true });
    throw error;
  }
}

function keyPath(folder: string, { name }: AccountKey): string {
  return join(folder, `${name}.json`);
}

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

/** The new keys of a chain, those of the producers in the order of the schedule. */
type MadeKeys = ReturnType<typeof makeKeys>;

/** Generates the keys of a chain with so many producers. A single one has no number in its name. */
export function makeKeys(producers: number) {
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
  const contracts = ethereum?.preinstalls ? preinstallsOf(network.chainId) : [];
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
    ...(ethereum && {
      ethereum: { blockGasLimit: ETHEREUM_BLOCK_GAS_LIMIT, accounts: ethereum.accounts, contracts },
    }),
  };
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
