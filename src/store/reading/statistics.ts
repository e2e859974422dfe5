import type { Database } from '../file/database.ts';
import { withFile } from '../file/database-file.ts';
import { freePages } from '../file/free-pages.ts';
import type { StoreStatistics } from '../store.ts';

/** Size and readers of an opened file. Throws StoreError STORE_UNREADABLE when the file is damaged. */
export function readStatistics(database: Database): StoreStatistics {
  const readers = heldSnapshots(database.readerList());
  // As long as the snapshot is held, no writer uses the pages again that the list of free pages is in.
  const snapshot = database.snapshot();
  try {
    return withFile(database.file, (file) => {
      const state = database.alone(() => file.state());
      let pages = state.lastPage + 1;
      for (const { count } of freePages(file, state)) pages -= count;
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
