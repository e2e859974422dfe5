/** The store: every block, receipt and index of the node and the ledger's state, in one LMDB file. */
export { StoreError, type StoreErrorCode } from './errors.ts';
export { LogSearchLimitError } from './log-search.ts';
export { openStore, openStoreForReading, openStoreView } from './open-store.ts';
export { type Replacement, replaceStore } from './replace-store.ts';
export { stateKey } from './state-keys.ts';
export type {
  BackupProgress,
  BlockCommit,
  IndexedLog,
  LogPosition,
  LogPositionQuery,
  OperationPosition,
  PendingRecord,
  Reversion,
  StateChange,
  StateEntry,
  Store,
  StoredTransaction,
  StoreOptions,
  StoreReader,
  StoreStatistics,
  StoreView,
  TableEntry,
} from './store.ts';
export { META_KEYS, TABLE_NAMES } from './tables.ts';
