/** The store: every block, receipt and index of the node and the ledger's state, in one LMDB file. */

export { LOG_ALTERNATIVES_MAX, LogSearchLimitError } from './logs/log-search.ts';
export { openStore, openStoreForReading, openStoreView } from './open-store.ts';
export type { AddressOperationQuery, InvolvedAddress } from './operations.ts';
export { PAST_PREFIX_ENTRIES_MAX } from './reading/historical-reader.ts';
export { replaceStore } from './replace-store.ts';
export type {
  BlockCommit,
  ChainReader,
  ChainSnapshot,
  IndexedLog,
  LogPosition,
  LogPositionQuery,
  PendingRecord,
  Revert,
  RevertPlan,
  SidecarRecord,
  StateChange,
  StateEntry,
  Store,
  StoreReader,
  StoreView,
  TableEntry,
} from './store.ts';
export { StoreError, type StoreErrorCode } from './store-error.ts';
export type { StoreOptions } from './store-options.ts';
export { stateKey } from './tables/keys.ts';
export { META_KEYS, TABLE_NAMES } from './tables/tables.ts';
export { blockOfUndoKey } from './undo/undo-table.ts';
export { NextReader } from './writing/next-reader.ts';
export { REVERT_BATCH_RECORDS } from './writing/reverted-entries.ts';
