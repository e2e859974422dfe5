import { lstatSync, mkdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { FIRST_ACCOUNT_INSTANCE } from '../consensus.ts';
import type { Hardfork } from '../evm/index.ts';
import { flush, writeNewFile } from '../files/durable-files.ts';
import {
  chainIdOf,
  ETHEREUM_BLOCK_GAS_LIMIT,
  type EthereumFeatures,
  type EthereumGenesis,
  formatGenesis,
  type Genesis,
  type GenesisAccount,
  InvalidGenesisError,
  type Network,
  parseGenesis,
} from '../ledger/index.ts';
import { type AccountId, accountId, messageOf, type PublicKey } from '../protocol/index.ts';
import type { ProfileId } from '../rpc/index.ts';
import { openStore } from '../store/index.ts';
import { systemTime } from '../time/time.ts';
import { type DataFolder, FOLDER_MODE, openDataFolder, SETTINGS_FILE } from './data-folder.ts';
import { lockFolder } from './folder-lock.ts';
import { GENESIS_FILE_MODE } from './genesis-file.ts';
import { type AccountKey, formatKeyFile, generateKeys, KEY_FILE_MODE } from './keys/key-file.ts';
import { DataFolderError } from './node-errors.ts';
import { preinstallsOf } from './preinstalls.ts';

/** Native units of the registrar in a new genesis: the cost of ten thousand registrations. */
const INIT_REGISTRAR_BALANCE = 1_000_000n;
/** Producers, each with a node, of a chain that `ledgerd init` creates. */
export const INIT_PRODUCERS_MAX = 100;

export interface InitializeOptions extends NewChain {
  /** Folder of the node, or of the folders of several. */
  readonly dataDir: string;
  /** True to count operations by payer, which a chain does from its beginning or never. */
  readonly history: boolean;
  /** The profile at `/`, which the file of settings of each node gets; undefined: no such file. */
  readonly root?: ProfileId | undefined;
}

/** An account of a new chain. Its key file is undefined if the key is elsewhere. */
export type InitializedAccount = ReturnType<typeof accountsOf>[number];

/** A new folder without secrets. Its accounts are producer, registrar and treasury, then the requested ones. */
export type InitializedFolder = Awaited<ReturnType<typeof initializeFolder>>;

/** New folders of several nodes, each to be copied to its machine, without secrets. */
export type InitializedCluster = Awaited<ReturnType<typeof initializeCluster>>;

/** Native units of each producer in a new genesis: the fees of 50 updates of its account. */
const INIT_PRODUCER_BALANCE = 1_000n;

/** Folder of unfinished files. */
const STAGING = '.initializing';

/** File of the treasury's key, next to the folders of several nodes. */
const TREASURY = 'treasury.json';

/**
 * Creates a chain in a folder: the genesis, and the keys of a producer, a registrar and a treasury, which owns the rest
 * of the supply. Creates everything or nothing, and overwrites nothing. @throws DataFolderError, InvalidGenesisError
 */
export async function initializeFolder(options: InitializeOptions) {
  const made = makeKeys(1);
  // Checked before anything is written.
  const genesis = newGenesis(options, made);
  const { producers, registrar, treasury } = made;
  const keys = [...producers, registrar, treasury];
  const { path, ...folder } = await writeFolder(
    options.dataDir,
    ['keys', 'ledger', ...(options.root === undefined ? [] : [SETTINGS_FILE]), 'genesis.json'],
    (staging) => fillNode(staging, genesis, keys, options),
  );
  const keyFiles = new Map(keys.map((key) => [key.account, keyPath(folder.keys, key)]));
  const accounts = accountsOf(genesis, keyFiles);
  return { path, genesisFile: folder.genesis, nativeChainId: chainIdOf(genesis), accounts };
}

/**
 * Creates a chain for several nodes: a folder for each with the genesis and the keys of one producer and the registrar,
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
      await fillNode(join(staging, name), genesis, [producer, made.registrar], options);
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

/** Writes files into a staging folder, then renames them. */
async function writeFolder(
  dataDir: string,
  names: readonly string[],
  fill: (staging: string) => Promise<void>,
): Promise<DataFolder> {
  const folder = openDataFolder(dataDir);
  const unlock = await lockFolder(folder.path);
  try {
    requireUnused(folder, names);
    await write(folder.path, names, fill);
    return folder;
  } catch (cause) {
    if (cause instanceof DataFolderError) throw cause;
    const message = `the data folder ${folder.path} cannot be used: ${messageOf(cause)}`;
    throw new DataFolderError('unusable', message, { cause });
  } finally {
    await unlock();
  }
}

function requireUnused(folder: DataFolder, names: readonly string[]): void {
  const { path, genesis, keys, store, wallet, ethereumKeys } = folder;
  const paths = [genesis, keys, store, wallet, ethereumKeys, ...names.map((name) => join(path, name))];
  const used = paths.find((file) => lstatSync(file, { throwIfNoEntry: false }) !== undefined);
  if (used === undefined) return;
  const message = `the data folder ${path} is not empty: ${used} exists already, and nothing is overwritten`;
  throw new DataFolderError('occupied', message);
}

/** Writes the folder of a node. The store has no block yet, only the history setting. */
async function fillNode(
  path: string,
  genesis: Genesis,
  keys: readonly AccountKey[],
  { history, root }: Pick<InitializeOptions, 'history' | 'root'>,
): Promise<void> {
  const keysFolder = join(path, 'keys');
  mkdirSync(keysFolder, FOLDER_MODE);
  for (const key of keys) writeNewFile(keyPath(keysFolder, key), formatKeyFile(key), KEY_FILE_MODE);
  flush(keysFolder);
  await openStore({ path: join(path, 'ledger'), durable: true, history }).close();
  if (root !== undefined) {
    writeNewFile(join(path, SETTINGS_FILE), `${JSON.stringify({ root }, undefined, 2)}\n`, GENESIS_FILE_MODE);
  }
  writeNewFile(join(path, 'genesis.json'), formatGenesis(genesis), GENESIS_FILE_MODE);
  flush(path);
}

/** Fills a staging folder, then renames its files in order. The last one makes the folder that of a node. */
async function write(
  path: string,
  names: readonly string[],
  fill: (staging: string) => Promise<void>,
): Promise<void> {
  const staging = join(path, STAGING);
  // An aborted initialisation may have left files.
  rmSync(staging, { recursive: true, force: true });
  const renamed: string[] = [];
  try {
    mkdirSync(staging, FOLDER_MODE);
    await fill(staging);
    for (const name of names) {
      renameSync(join(staging, name), join(path, name));
      renamed.push(join(path, name));
    }
    rmdirSync(staging);
    flush(path);
  } catch (error) {
    for (const written of [staging, ...renamed]) rmSync(written, { recursive: true, force: true });
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
  /** Native units of all accounts. */
  readonly supply: bigint;
  readonly blockInterval: number;
  /** Accounts with keys that exist elsewhere. Their balances are part of the supply. */
  readonly accounts: readonly {
    readonly name: string;
    readonly publicKey: PublicKey;
    readonly balance: bigint;
  }[];
  /** The Ethereum settings; absent for a chain without Ethereum. */
  readonly ethereum?: InitializeEthereum | undefined;
}

/** The Ethereum settings of a new chain. */
export interface InitializeEthereum {
  /** Accounts with keys that exist elsewhere. Their balances, in native units, are part of the supply. */
  readonly accounts: EthereumGenesis['accounts'];
  /** True to include the contracts that tools expect on every chain. */
  readonly preinstalls: boolean;
  readonly features: EthereumFeatures;
}

/** The new keys of a chain. Producers are in the order of the schedule. */
type MadeKeys = ReturnType<typeof makeKeys>;

/** Generates the keys of a chain with a number of producers. A single producer has no number in its name. */
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

/** Returns the checked genesis of a chain with these keys. @throws InvalidGenesisError */
export function newGenesis(options: NewChain, made: MadeKeys): Genesis {
  return parseGenesis(formatGenesis(genesisOf(options, made)));
}

function genesisOf(options: NewChain, { producers, registrar, treasury }: MadeKeys): Genesis {
  const { network, hardfork, supply, blockInterval, accounts, ethereum } = options;
  const given = [...accounts, ...(ethereum?.accounts ?? [])];
  let rest = given.reduce((left, { balance }) => left - balance, supply);
  if (rest < 0n) {
    throw new InvalidGenesisError('accounts', `their balances exceed the supply of ${supply}`);
  }
  const contracts = ethereum?.preinstalls ? preinstallsOf(network.chainId) : [];
  const take = (most: bigint): bigint => {
    const taken = rest < most ? rest : most;
    rest -= taken;
    return taken;
  };
  const account = ({ account: id, name, keys }: AccountKey, balance: bigint): GenesisAccount =>
    genesisAccount(id, name, keys.publicKey, balance);
  return {
    network,
    hardfork,
    accounts: [
      ...producers.map((producer) => account(producer, take(INIT_PRODUCER_BALANCE))),
      account(registrar, take(INIT_REGISTRAR_BALANCE)),
      account(treasury, rest),
      ...accounts.map(({ name, publicKey, balance }, index) =>
        genesisAccount(accountId(FIRST_ACCOUNT_INSTANCE + 1 + index), name, publicKey, balance),
      ),
    ],
    producers: producers.map((producer) => producer.account),
    registrar: registrar.account,
    reserved: { accounts: FIRST_ACCOUNT_INSTANCE, contracts: 0 },
    blockInterval,
    // The checks reject a clock beyond the possible times of blocks.
    timestamp: Math.floor(systemTime.wallNow() / 1_000),
    ...(ethereum && {
      ethereum: {
        blockGasLimit: ETHEREUM_BLOCK_GAS_LIMIT,
        accounts: ethereum.accounts,
        contracts,
        features: ethereum.features,
      },
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
