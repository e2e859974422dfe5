import type { Database } from '../file/database.ts';
import { withFile } from '../file/database-file.ts';
import type { StoreStatistics } from '../store.ts';

/** Reads size and readers of an open file. Throws StoreError STORE_UNREADABLE for a damaged one. */
export function readStatistics(database: Database): StoreStatistics {
  const readers = heldSnapshots(database.readerList());
  // The snapshot keeps writers off the pages of the list of free pages.
  const snapshot = database.snapshot();
  try {
    return withFile(database.file, (file) => {
      const state = database.alone(() => file.state());
      let pages = state.lastPage + 1;
      for (const { count } of file.freePages(state)) pages -= count;
      const newest = Number(state.transaction);
      return {
        fileBytes: file.bytes,
        usedBytes: pages * state.pageBytes,
        readers: readers.length,
        oldestReaderTransactions: readers.reduce((age, held) => Math.max(age, newest - held), 0),
      };
    });
  } finally {
    snapshot.end();
  }
}

/** LMDB lists a line for each reader, with process, thread and the commit it sees, or `-` for none. */
function heldSnapshots(list: string): number[] {
  return list
    .split('\n')
    .map((line) => Number(line.trim().split(/\s+/)[2]))
    .filter(Number.isInteger);
}
