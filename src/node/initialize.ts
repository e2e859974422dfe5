import { lstatSync, mkdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { flush, writeNewFile } from '../durable-files.ts';
import { chainIdOf, formatGenesis, type Genesis } from '../ledger/index.ts';
import { type AccountId, type Hash, messageOf, type PublicKey } from '../protocol/index.ts';
import { openStore } from '../store/index.ts';
import { Closers } from './closers.ts';
import { type DataFolder, FOLDER_MODE, openDataFolder } from './data-folder.ts';
import { DataFolderError } from './errors.ts';
import { lockFolder } from './folder-lock.ts';
import { GENESIS_FILE_MODE } from './genesis-file.ts';
import { type AccountKey, formatKeyFile, KEY_FILE_MODE } from './keys/key-file.ts';
import { makeKeys, type NewChain, newGenesis } from './new-chain.ts';

/** The settings of a new chain and its folder. */
export interface InitializeOptions extends NewChain {
  /** Folder of the node, or of the folders of several. */
  readonly dataDir: string;
  /** True if its nodes count operations by payer, which a chain does from its beginning or never. */
  readonly history: boolean;
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

/** A new folder; nothing in it is secret. */
export interface InitializedFolder {
  /** Absolute path of the folder. */
  readonly path: string;
  readonly genesisFile: string;
  readonly nativeChainId: Hash;
  /** Producer, registrar and treasury, then the requested ones. */
  readonly accounts: readonly InitializedAccount[];
}

/** New folders of several nodes; nothing in this is secret. */
export interface InitializedCluster extends Omit<InitializedFolder, 'genesisFile'> {
  readonly nodes: readonly {
    /** Its number in the cluster, from 1. */
    readonly number: number;
    /** Absolute path, to be copied to the node's machine as a whole. */
    readonly path: string;
    readonly producer: AccountId;
  }[];
  /** File of the treasury's key, which no node needs. */
  readonly treasuryFile: string;
}

/** The folder of unfinished files, which were never used. */
const STAGING = '.initializing';

/** The file of the treasury's key beside the folders of several nodes. */
const TREASURY = 'treasury.json';

/**
 * Creates a chain in a folder: keys of a producer, a registrar and a treasury, which owns the rest of the supply, and
 * the genesis. Creates everything or nothing, and overwrites nothing. @throws DataFolderError, InvalidGenesisError
 */
export async function initializeFolder(options: InitializeOptions): Promise<InitializedFolder> {
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
export async function initializeCluster(
  options: InitializeOptions,
  producers: number,
): Promise<InitializedCluster> {
  const made = makeKeys(producers);
  const genesis = newGenesis(options, made);
  const names = made.producers.map((_, index) => `node-${index + 1}`);
  const { path } = await writeFolder(options.dataDir, [...names, TREASURY], async (staging) => {
    for (const [index, producer] of made.producers.entries()) {
      const node = join(staging, `node-${index + 1}`);
      mkdirSync(node, FOLDER_MODE);
      await fillNode(node, genesis, [producer, made.registrar], options.history);
    }
    writeNewFile(join(staging, TREASURY), formatKeyFile(made.treasury), KEY_FILE_MODE);
  });
  const nodes = made.producers.map(({ account }, index) => ({
    number: index + 1,
    path: join(path, `node-${index + 1}`),
    producer: account,
  }));
  const treasuryFile = join(path, TREASURY);
  const keyFiles = new Map([[made.treasury.account, treasuryFile]]);
  for (const [index, producer] of made.producers.entries()) {
    keyFiles.set(producer.account, keyPath(join(path, `node-${index + 1}`, 'keys'), producer));
  }
  const accounts = accountsOf(genesis, keyFiles);
  return { path, nativeChainId: chainIdOf(genesis), accounts, nodes, treasuryFile };
}

function accountsOf(genesis: Genesis, keyFiles: ReadonlyMap<AccountId, string>): InitializedAccount[] {
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
  const places = new Set([
    genesis,
    keys,
    store,
    wallet,
    ethereumKeys,
    ...names.map((name) => join(path, name)),
  ]);
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
