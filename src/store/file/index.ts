/** The database file: its pages, its lock, its free space, and LMDB on it. */

export { CommitSize } from './commit-size.ts';
export { Database } from './database.ts';
export {
  databaseFile,
  flushNames,
  inspectFolder,
  prepareFolder,
  prepareReaders,
  prepareReading,
  readersFile,
  withFile,
} from './database-file.ts';
export { type FileFormat, readFormat } from './file-format.ts';
export { freePages } from './free-pages.ts';
export { Gate } from './gate.ts';
export { type DatabaseRoot, OpenedFile, openRoot, openTables, type Table } from './opened-file.ts';
export { requireProcessLimits } from './process-limits.ts';
export { SpaceReserve } from './space-reserve.ts';
export { readTables, type Snapshot, type TableReading, type ValueRange } from './table-reading.ts';
export { createTemporaryFolder, removeTemporaryFolder } from './temporary-folder.ts';
export { requireWhole } from './whole-file.ts';
