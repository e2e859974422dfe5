import { existsSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { flush, writeNewFile } from '../../durable-files.ts';
import { Ledger, OPERATION_INDEXING, replayChain, revertChain, systemClock } from '../../ledger/index.ts';
import { type Hash, LedgerdError } from '../../protocol/index.ts';
import {
  openStore,
  replaceStore,
  type Store,
  StoreError,
  type StoreOptions,
  type StoreReader,
} from '../../store/index.ts';
import { walletFileAt } from '../../wallet/index.ts';
import { type Closers, closeAfter } from '../closers.ts';
import type { DataFolder } from '../data-folder.ts';
import { KEY_FILE_MODE } from '../keys/key-file.ts';
import { setBackRecords } from '../keys/signed-records.ts';
import { claimFolder, openStoredChain, type StoredChain, undoBlocksOf } from '../stored-chain.ts';
import type { Work } from '../work.ts';
import { MaintenanceError } from './errors.ts';

/** How far a chain is taken back. */
export interface RollbackOptions {
  readonly dataDir: string;
  /** The block that is the newest one afterwards. */
  readonly to: number;
  /** Whether the former chain is given up, and not kept beside. */
  readonly discard: boolean;
}

/** What became of a folder whose newest blocks were taken back. */
export interface RollbackReport {
  /** Number of the newest block before and now. */
  readonly before: number;
  readonly head: number;
  /** Folder that keeps the former chain. */
  readonly keptIn: string | undefined;
  /** The newest block that a key of the folder had signed; undefined where it is none of those taken back. */
  readonly signedBefore: number | undefined;
  /** File that keeps the keys of test accounts which are not on the chain any more; undefined where there are none. */
  readonly keysKeptIn: string | undefined;
  /** Transactions that waited: those that wait still, and those that are not valid any more. */
  readonly pending: { readonly kept: number; readonly dropped: number };
}

/**
 * Takes the chain of a folder back to one of its blocks, in a new store, which takes the place of the former one in one
 * step. Until then nothing is changed. The new store is a copy whose newest blocks are taken back, where what they
 * overwrote is kept and gives the state that the block had; else the blocks up to there are applied to an empty one.
 *
 * @throws MaintenanceError for a block that is not before the head, DataFolderError also where the folder is in use,
 *   ChainDamagedError, StoreError, WalletFileError, KeyFileError, and the signal's reason once it is aborted
 */
export function rollBack(options: RollbackOptions, work: Work): Promise<RollbackReport> {
  return closeAfter(async (claim) => {
    const folder = await claimFolder(options.dataDir, claim);
    // Beside the store itself, on whatever disk that lies.
    const place = realpathSync(folder.store);
    const staging = `${place}.rollback`;
    // What a rollback left behind that was cut off.
    rmSync(staging, { recursive: true, force: true });
    claim.add(() => rmSync(staging, { recursive: true, force: true }));
    const suffix = `before-rollback-${timeStamp()}`;
    const rebuilt = await rebuild(options, folder, staging, suffix, work);
    // Before the chain: a record that is behind its chain says no more than that.
    const signedBefore = setBackRecords(folder.keys, rebuilt.chainId, options.to);
    const keptIn = options.discard ? undefined : `${place}.${suffix}`;
    await replaceStore(place, { by: staging, keptIn });
    const { before, pending, keysKeptIn } = rebuilt;
    return { before, pending, keysKeptIn, head: options.to, keptIn, signedBefore };
  });
}

/** Makes the new store, and the wallet fit for it. */
function rebuild(
  { dataDir, to }: RollbackOptions,
  folder: DataFolder,
  staging: string,
  suffix: string,
  work: Work,
): Promise<Pick<RollbackReport, 'before' | 'pending' | 'keysKeptIn'> & { readonly chainId: Hash }> {
  return closeAfter(async (closers) => {
    const { store: source, head: before, kind } = openBefore(dataDir, to, closers);
    const undoBlocks = undoBlocksOf(kind);
    const target =
      (await copyTakenBack(source, to, { path: staging, undoBlocks }, work)) ??
      (await replayed(source, to, { path: staging, undoBlocks }, work));
    closers.add(() => target.close());
    const ledger = await openLedger(target);
    const pending = { kept: ledger.pendingCount, dropped: ledger.droppedAtOpen.length };
    // Before the chain: keys that wait for their accounts to be gone harm nobody.
    const keysKeptIn = keepKeys(ledger, target.epoch(), folder, suffix);
    return { before, pending, keysKeptIn, chainId: ledger.chainId };
  });
}

/** Where the new store lies, and how much it keeps. Nothing depends on it before it is whole. */
type Staging = Pick<StoreOptions, 'path' | 'undoBlocks'>;

/** @returns undefined where that cannot be done: nothing is left of it then */
async function copyTakenBack(
  source: StoreReader,
  to: number,
  { path = '', undoBlocks }: Staging,
  work: Work,
): Promise<Store | undefined> {
  if (to + 1 < (source.undoStart() ?? Number.POSITIVE_INFINITY)) return undefined;
  await source.backup(path, ({ bytes, totalBytes }) => work.onProgress('bytes', bytes, totalBytes));
  work.stop.throwIfAborted();
  const store = openStore({ path, durable: false, undoBlocks, indexing: OPERATION_INDEXING });
  try {
    revertChain(store, to);
    return store;
  } catch (error) {
    await store.close();
    rmSync(path, { recursive: true });
    if (isOfDisk(error)) throw error;
    // Something of what is to be taken back is damaged; the blocks before it may be sound.
    return undefined;
  }
}

function isOfDisk(error: unknown): boolean {
  if (!(error instanceof LedgerdError)) return true;
  return error instanceof StoreError && !['STORE_NOT_KEPT', 'STORE_UNREADABLE'].includes(error.code);
}

/** Applies the blocks up to one to an empty store. */
async function replayed(source: StoreReader, to: number, staging: Staging, work: Work): Promise<Store> {
  // Closing it puts it on the disk.
  const target = openStore({ ...staging, durable: false, history: source.history });
  try {
    const onBlock = (number: number): void => work.onProgress('blocks', number, to);
    await replayChain({ source, target, lastBlock: to, stop: work.stop, onBlock });
    target.takeOver(source);
    for (const { bytes } of source.pendingTransactions()) target.addPending(bytes);
    return target;
  } catch (error) {
    await target.close();
    throw error;
  }
}

function openBefore(dataDir: string, to: number, closers: Closers): StoredChain {
  const chain = openStoredChain(dataDir, closers);
  if (to < chain.head) return chain;
  throw new MaintenanceError(
    `the head is block ${chain.head}, so that there is nothing to take back to block ${to}`,
  );
}

/** The ledger of the new store. All that waited is checked, however long it takes: what is said of it is true then. */
function openLedger(store: Store): Promise<Ledger> {
  const stillness = { production: 'none', mining: false, restoreMs: Number.POSITIVE_INFINITY } as const;
  return Ledger.open({ store, clock: systemClock, keys: [], ...stillness });
}

/**
 * Takes the keys out of the wallet of test mode whose accounts the chain does not have any more, and keeps them.
 * @returns the file that keeps them; undefined where there are none
 */
function keepKeys(ledger: Ledger, epoch: number, { wallet }: DataFolder, suffix: string): string | undefined {
  if (!existsSync(wallet)) return undefined;
  const storage = walletFileAt(wallet, () => epoch);
  const accounts = storage.load();
  const left = accounts.filter(({ id }) => ledger.account(id) !== undefined);
  if (left.length === accounts.length) return undefined;
  const kept = wallet.replace(/\.json$/, `.${suffix}.json`);
  writeNewFile(kept, readFileSync(wallet, 'utf8'), KEY_FILE_MODE);
  flush(dirname(kept));
  storage.save(left);
  return kept;
}

/** The time as it may stand in the name of a file: `20261121T143000123Z`. */
function timeStamp(): string {
  return new Date().toISOString().replace(/[-:.]/g, '');
}
