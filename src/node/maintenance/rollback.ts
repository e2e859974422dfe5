import { existsSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { flush, writeNewFile } from '../../durable-files.ts';
import { Ledger, OPERATION_INDEXING, replayChain, revertChain, systemClock } from '../../ledger/index.ts';
import { LedgerdError } from '../../protocol/index.ts';
import {
  openStore,
  replaceStore,
  type Store,
  StoreError,
  type StoreOptions,
  type StoreReader,
} from '../../store/index.ts';
import { walletFileAt } from '../../wallet/index.ts';
import { closeAfter } from '../closers.ts';
import type { DataFolder } from '../data-folder.ts';
import { MaintenanceError } from '../errors.ts';
import { KEY_FILE_MODE } from '../keys/key-file.ts';
import { truncateRecords } from '../keys/signed-records.ts';
import { type JobControl, lockChainFolder, openStoredChain, undoBlocksOf } from '../stored-chain.ts';

export interface RollbackOptions {
  readonly dataDir: string;
  /** The newest block afterwards. */
  readonly to: number;
  /** True to drop the former chain instead of keeping it beside. */
  readonly discard: boolean;
}

/**
 * Reverts the chain of a folder to one of its blocks, in a new store that replaces the former one in one step. Until
 * then nothing is changed. The new store is a copy whose newest blocks are reverted, if their undo records exist and
 * give the state of the block; else the blocks up to there are applied to an empty one.
 *
 * @throws MaintenanceError for a block that is not before the head, DataFolderError also if the folder is in use,
 *   ChainDamagedError, StoreError, WalletFileError, KeyFileError, and the signal's reason once it is aborted
 */
export function rollBack(options: RollbackOptions, job: JobControl) {
  return closeAfter(async (claim) => {
    const folder = await lockChainFolder(options.dataDir, claim);
    // Beside the store itself, on its disk.
    const place = realpathSync(folder.store);
    const staging = `${place}.rollback`;
    // An interrupted rollback may have left one.
    rmSync(staging, { recursive: true, force: true });
    claim.add(() => rmSync(staging, { recursive: true, force: true }));
    // With the time, such as 20261121T143000123Z.
    const suffix = `before-rollback-${new Date().toISOString().replace(/[-:.]/g, '')}`;
    const rebuilt = await rebuild(options, folder, staging, suffix, job);
    // Before the chain: a record may be behind its chain.
    // The newest block that a key of the folder had signed; undefined if it stays.
    const signedBefore = truncateRecords(folder.keys, rebuilt.chainId, options.to);
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
  job: JobControl,
) {
  return closeAfter(async (closers) => {
    const { store: source, head: before, kind } = openStoredChain(dataDir, closers);
    if (to >= before) {
      const reason = `the head is block ${before}, so that there is nothing to take back to block ${to}`;
      throw new MaintenanceError(reason);
    }
    const undoBlocks = undoBlocksOf(kind);
    const target =
      (await copyTakenBack(source, to, { path: staging, undoBlocks }, job)) ??
      (await replayed(source, to, { path: staging, undoBlocks }, job));
    closers.add(() => target.close());
    // All pending transactions are checked, for a true report.
    const stillness = { production: 'none', mining: false, restoreMs: Number.POSITIVE_INFINITY } as const;
    const ledger = await Ledger.open({ store: target, clock: systemClock, keys: [], ...stillness });
    const pending = { kept: ledger.pool.pendingCount, dropped: ledger.pool.droppedOnOpen.length };
    // Before the chain: keys without accounts do no harm.
    const keysKeptIn = keepKeys(ledger, target.reorgCount(), folder, suffix);
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
  job: JobControl,
): Promise<Store | undefined> {
  if (to + 1 < (source.undoStart() ?? Number.POSITIVE_INFINITY)) return undefined;
  await source.backup(path, ({ bytes, totalBytes }) => job.onProgress('bytes', bytes, totalBytes));
  job.stop.throwIfAborted();
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
async function replayed(source: StoreReader, to: number, staging: Staging, job: JobControl): Promise<Store> {
  // Closing it puts it on the disk.
  const target = openStore({ ...staging, durable: false, history: source.history });
  try {
    const onBlock = (number: number): void => job.onProgress('blocks', number, to);
    await replayChain({ source, target, lastBlock: to, stop: job.stop, onBlock });
    target.copyFileRecords(source);
    for (const { bytes } of source.pendingTransactions()) target.addPending(bytes);
    return target;
  } catch (error) {
    await target.close();
    throw error;
  }
}

/** Moves the keys of accounts that left the chain from the wallet of test mode to a file. Returns its path, if any. */
function keepKeys(
  ledger: Ledger,
  reorgCount: number,
  { wallet }: DataFolder,
  suffix: string,
): string | undefined {
  if (!existsSync(wallet)) return undefined;
  const storage = walletFileAt(wallet, () => reorgCount);
  const accounts = storage.load();
  const left = accounts.filter(({ id }) => ledger.accounts.account(id) !== undefined);
  if (left.length === accounts.length) return undefined;
  const kept = wallet.replace(/\.json$/, `.${suffix}.json`);
  writeNewFile(kept, readFileSync(wallet, 'utf8'), KEY_FILE_MODE);
  flush(dirname(kept));
  storage.save(left);
  return kept;
}
