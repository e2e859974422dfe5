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

/** The options of a rollback. */
export interface RollbackOptions {
  readonly dataDir: string;
  /** The newest block afterwards. */
  readonly to: number;
  /** True to drop the former chain instead of keeping it beside. */
  readonly discard: boolean;
}

/** The outcome of a rollback. */
export interface RollbackReport {
  /** Number of the newest block before and now. */
  readonly before: number;
  readonly head: number;
  /** Folder that keeps the former chain. */
  readonly keptIn: string | undefined;
  /** The newest block that a key of the folder had signed; undefined if it stays. */
  readonly signedBefore: number | undefined;
  /** File with the keys of test accounts that left the chain; undefined for none. */
  readonly keysKeptIn: string | undefined;
  /** Pending transactions that stay, and those that are not valid any more. */
  readonly pending: { readonly kept: number; readonly dropped: number };
}

/**
 * Reverts the chain of a folder to one of its blocks, in a new store that replaces the former one in one step. Until
 * then nothing is changed. The new store is a copy whose newest blocks are reverted, if their undo records exist and
 * give the state of the block; else the blocks up to there are applied to an empty one.
 *
 * @throws MaintenanceError for a block that is not before the head, DataFolderError also if the folder is in use,
 *   ChainDamagedError, StoreError, WalletFileError, KeyFileError, and the signal's reason once it is aborted
 */
export function rollBack(options: RollbackOptions, work: Work): Promise<RollbackReport> {
  return closeAfter(async (claim) => {
    const folder = await claimFolder(options.dataDir, claim);
    // Beside the store itself, on its disk.
    const place = realpathSync(folder.store);
    const staging = `${place}.rollback`;
    // An interrupted rollback may have left one.
    rmSync(staging, { recursive: true, force: true });
    claim.add(() => rmSync(staging, { recursive: true, force: true }));
    const suffix = `before-rollback-${timeStamp()}`;
    const rebuilt = await rebuild(options, folder, staging, suffix, work);
    // Before the chain: a record may be behind its chain.
    const signedBefore = setBackRecords(folder.keys, rebuilt.chainId, options.to);
    const keptIn = options.discard ? undefined : `${place}.${suffix}`;
    await replaceStore(place, { by: staging, keptIn });
    const { before, pending, keysKeptIn } = rebuilt;
    return { before, pending, keysKeptIn, head: options.to, keptIn, signedBefore };
  });
}

/** Makes the new store, and adapts the wallet to it. */
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
    const pending = { kept: ledger.pool.pendingCount, dropped: ledger.pool.droppedAtOpen.length };
    // Before the chain: keys without accounts do no harm.
    const keysKeptIn = keepKeys(ledger, target.epoch(), folder, suffix);
    return { before, pending, keysKeptIn, chainId: ledger.parameters.chainId };
  });
}

/** The new store, on which nothing depends before it is whole. */
type Staging = Pick<StoreOptions, 'path' | 'undoBlocks'>;

/** Copies a store and reverts its newest blocks; undefined if that is impossible, with nothing left of the copy. */
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
    // Something of the reverted blocks is damaged; the blocks before them may be sound.
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
  const reason = `the head is block ${chain.head}, so that there is nothing to take back to block ${to}`;
  throw new MaintenanceError(reason);
}

/** Opens the ledger of the new store, with a check of all pending transactions, for a true report. */
function openLedger(store: Store): Promise<Ledger> {
  const stillness = { production: 'none', mining: false, restoreMs: Number.POSITIVE_INFINITY } as const;
  return Ledger.open({ store, clock: systemClock, keys: [], ...stillness });
}

/** Moves the keys of accounts that left the chain from the wallet of test mode to a file. Returns its path, if any. */
function keepKeys(ledger: Ledger, epoch: number, { wallet }: DataFolder, suffix: string): string | undefined {
  if (!existsSync(wallet)) return undefined;
  const storage = walletFileAt(wallet, () => epoch);
  const accounts = storage.load();
  const left = accounts.filter(({ id }) => ledger.accounts.account(id) !== undefined);
  if (left.length === accounts.length) return undefined;
  const kept = wallet.replace(/\.json$/, `.${suffix}.json`);
  writeNewFile(kept, readFileSync(wallet, 'utf8'), KEY_FILE_MODE);
  flush(dirname(kept));
  storage.save(left);
  return kept;
}

/** Returns the time for the name of a file: `20261121T143000123Z`. */
function timeStamp(): string {
  return new Date().toISOString().replace(/[-:.]/g, '');
}
