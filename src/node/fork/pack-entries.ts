import {
  commitEntries,
  type EntryStores,
  FORK_PACK_CHUNK_BYTES,
  ForkPack,
  type ForkPoint,
} from '../../fork/index.ts';
import { toPrefixedHex } from '../../protocol/index.ts';
import type { StateChange, Store } from '../../store/index.ts';
import type { Closers } from '../closers.ts';
import type { ForkConfiguration } from '../fork-configuration.ts';
import { DataFolderError } from '../node-errors.ts';
import { openForkStores } from './fork-stores.ts';

/**
 * Opens the stores of a fork with the entries of a pack.
 * @param folder of the entries of a data folder; undefined: a chain in a temporary folder
 * @throws ForkPackError for a pack that cannot be read, DataFolderError for one that the settings exclude, and as
 * `openForkStores`
 */
export async function openPackStores(
  file: string,
  configuration: ForkConfiguration,
  folder: string | undefined,
  closers: Closers,
): Promise<{ readonly point: ForkPoint; readonly stores: EntryStores }> {
  const pack = new ForkPack(file);
  try {
    const { point } = pack;
    requireFit(file, point, configuration);
    const stores = await openForkStores(point, folder, 'unproven', undefined, closers);
    copyEntries(pack, stores.own);
    return { point, stores };
  } finally {
    pack.close();
  }
}

/** @throws DataFolderError for settings that a pack does not have */
function requireFit(file: string, point: ForkPoint, { chainId, transaction }: ForkConfiguration): void {
  const name = `${file} is a pack of block ${point.number} (${toPrefixedHex(point.hash)}) of chain ${point.chainId}`;
  if (chainId !== undefined && BigInt(chainId) !== point.chainId) {
    throw new DataFolderError('unusable', `${name}, not of chain ${chainId}`);
  }
  if (transaction !== undefined) {
    throw new DataFolderError('unusable', `${name}, which --fork-transaction-hash cannot change`);
  }
}

/** Adds the entries that a store lacks, in commits of bounded length: a start that was killed here is repeated. */
function copyEntries(pack: ForkPack, store: Store): void {
  let changes: StateChange[] = [];
  let bytes = 0;
  for (const { key, value } of pack.entries()) {
    changes.push({ key, before: undefined, after: value });
    bytes += key.length + value.length;
    if (bytes < FORK_PACK_CHUNK_BYTES) continue;
    commitEntries(store, changes);
    changes = [];
    bytes = 0;
  }
  commitEntries(store, changes);
}
