import { readFileSync, realpathSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { flush, writeNewFile } from '../../files/durable-files.ts';
import { type ForkBase, Ledger, replayChain, revertChain, systemClock } from '../../ledger/index.ts';
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
import { type DataFolder, isThere } from '../data-folder.ts';
import { KEY_FILE_MODE } from '../keys/key-file.ts';
import { truncateRecords } from '../keys/signed-records.ts';
import { MaintenanceError } from '../node-errors.ts';
import { type JobControl, lockChainFolder, openStoredChain, undoBlocksOf } from '../stored-chain.ts';

export interface RollbackOptions {
  readonly dataDir: string;
  /** The newest block afterwards. */
  readonly to: number;
  /** True to delete the previous chain. */
  readonly discard: boolean;
}

/**
 * Reverts the chain of a folder to one of its blocks, in a new store that replaces the previous one atomically. Until
 * then nothing is changed. The new store is a copy with the newest blocks reverted, if their undo records exist and are
 * valid; otherwise the blocks up to there are replayed into an empty store.
 *
 * @throws MaintenanceError for a block that is not before the head, DataFolderError also for a folder in use,
 *   ChainDamagedError, StoreError, WalletFileError, KeyFileError, and the signal's reason once it is aborted
 */
export function rollBack(options: RollbackOptions, job: JobControl) {
  return closeAfter(async (claim) => {
    const folder = await lockChainFolder(options.dataDir, claim);
    // On the disk of the store itself, which may be a link.
    const path = realpathSync(folder.store);
    const staging = `${path}.rollback`;
    // An interrupted rollback may have left one.
    rmSync(staging, { recursive: true, force: true });
    claim.add(() => rmSync(staging, { recursive: true, force: true }));
    // With the time, such as 20261121T143000123Z.
    const suffix = `before-rollback-${new Date().toISOString().replace(/[-:.]/g, '')}`;
    const rebuilt = await rebuild(options, folder, staging, suffix, job);
    // Before the chain, since a record may be behind its chain.
    const signedBefore = truncateRecords(folder.keys, rebuilt.chainId, options.to);
    const keptIn = options.discard ? undefined : `${path}.${suffix}`;
    await replaceStore(path, { by: staging, keptIn });
    const { before, pending, keysKeptIn } = rebuilt;
    return { before, pending, keysKeptIn, head: options.to, keptIn, signedBefore };
  });
}

/** Creates the new store, and adapts the wallet to it. */
function rebuild(
  { dataDir, to }: RollbackOptions,
  folder: DataFolder,
  staging: string,
  suffix: string,
  job: JobControl,
) {
  return closeAfter(async (closers) => {
    const { store: source, head: before, kind, fork } = openStoredChain(dataDir, closers);
    if (to >= before) {
      const reason = `the head is block ${before}: there is nothing to revert to block ${to}`;
      throw new MaintenanceError(reason);
    }
    const undoBlocks = undoBlocksOf(kind);
    const target =
      (await copyReverted(source, to, { path: staging, undoBlocks }, job)) ??
      (await replayed(source, to, { path: staging, undoBlocks }, fork?.base, job));
    closers.add(() => target.close());
    // Without a time limit, so that the report counts all pending transactions.
    const stillness = { mining: 'none', restoreMs: Number.POSITIVE_INFINITY } as const;
    const opened = { store: target, base: fork?.base, clock: systemClock, keys: [] };
    const ledger = await Ledger.open({ ...opened, ...stillness });
    const pending = { kept: ledger.pool.pendingCount, dropped: ledger.pool.droppedOnOpen.length };
    // Before the chain, since keys without accounts are harmless.
    const keysKeptIn = moveKeys(ledger, target.reorgCount(), folder, suffix);
    return { before, pending, keysKeptIn, chainId: ledger.parameters.chainId };
  });
}

/** The path and the undo records of the new store. */
type Staging = Pick<StoreOptions, 'path' | 'undoBlocks'>;

/** Copies a store and reverts its newest blocks. Returns undefined, without the copy, if that is impossible. */
async function copyReverted(
  source: StoreReader,
  to: number,
  { path = '', undoBlocks }: Staging,
  job: JobControl,
): Promise<Store | undefined> {
  if (to + 1 < (source.undoStart() ?? Number.POSITIVE_INFINITY)) return undefined;
  await source.backup(path, ({ bytes, totalBytes }) => job.onProgress('bytes', bytes, totalBytes));
  job.stop.throwIfAborted();
  const store = openStore({ path, durable: false, undoBlocks });
  try {
    revertChain(store, to);
    return store;
  } catch (error) {
    await store.close();
    rmSync(path, { recursive: true });
    if (isOfDisk(error)) throw error;
    // The reverted blocks are damaged; the blocks before them may be valid.
    return undefined;
  }
}

function isOfDisk(error: unknown): boolean {
  if (!(error instanceof LedgerdError)) return true;
  return error instanceof StoreError && !['STORE_NOT_KEPT', 'STORE_UNREADABLE'].includes(error.code);
}

/** Replays the blocks up to a number into an empty store. */
async function replayed(
  source: StoreReader,
  to: number,
  staging: Staging,
  base: ForkBase | undefined,
  job: JobControl,
): Promise<Store> {
  // Closing it writes it to the disk.
  const target = openStore({ ...staging, durable: false, history: source.history });
  try {
    const onBlock = (number: number): void => job.onProgress('blocks', number, to);
    await replayChain({ source, target, base, lastBlock: to, stop: job.stop, onBlock });
    target.copyFileRecords(source);
    for (const { bytes } of source.pendingTransactions()) target.addPending(bytes);
    return target;
  } catch (error) {
    await target.close();
    throw error;
  }
}

/** Moves the wallet keys of accounts that left the chain to a file. Returns its path, if any. */
function moveKeys(
  ledger: Ledger,
  reorgCount: number,
  { wallet }: DataFolder,
  suffix: string,
): string | undefined {
  if (!isThere(wallet)) return undefined;
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
