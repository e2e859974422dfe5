import { statSync } from 'node:fs';
import {
  countEntries,
  type EntryCounts,
  ForkPack,
  type ForkPoint,
  PACK_FORMAT,
  writePack,
} from '../../fork/index.ts';
import type { StoreReader } from '../../store/index.ts';
import { closeAfter } from '../closers.ts';
import { DataFolderError } from '../node-errors.ts';
import { type JobControl, openStoredChain } from '../stored-chain.ts';

/** The entries that were fetched of a remote chain: in a data folder, or in a pack. */
export interface ForkDescription {
  readonly point: ForkPoint;
  readonly counts: EntryCounts;
  readonly bytes: number;
  /** Format of a pack; undefined: a data folder. */
  readonly packFormat: number | undefined;
}

/**
 * Writes all that the chain of a data folder has fetched into one file, also while its node runs.
 * @throws DataFolderError for a folder without a fork, ForkPackError, StoreError, and the reason of the stop
 */
export function packFork(dataDir: string, file: string, job: JobControl) {
  return inForkStore(dataDir, (store) => {
    const control = {
      stop: job.stop,
      onEntries: (count: number) => job.onProgress('entries', count, undefined),
    };
    return writePack(store, file, control);
  });
}

/**
 * Describes the fork of a data folder, even in use, or a pack, all of which is checked.
 * @throws DataFolderError for a folder without a fork, ForkPackError, StoreError
 */
export async function describeFork(path: string): Promise<ForkDescription> {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
    const pack = new ForkPack(path);
    const { point, counts, bytes } = pack;
    pack.close();
    return { point, counts, bytes, packFormat: PACK_FORMAT };
  }
  return inForkStore(path, (store, point) => {
    const { fileBytes: bytes } = store.statistics();
    return { point, counts: countEntries(store.stateEntries()), bytes, packFormat: undefined };
  });
}

/** Runs an action with the entries of a data folder. @throws DataFolderError without any */
function inForkStore<T>(
  dataDir: string,
  action: (store: StoreReader, point: ForkPoint) => T | Promise<T>,
): Promise<T> {
  return closeAfter(async (closers) => {
    const { fork, folder } = openStoredChain(dataDir, closers);
    if (fork === undefined) throw new DataFolderError('notInitialized', `there is no fork in ${folder.path}`);
    return action(fork.store, fork.point);
  });
}
