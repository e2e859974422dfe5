/** The store: every block, receipt and index of the node and the ledger's state, in one LMDB file. */
export { StoreError, type StoreErrorCode } from './errors.ts';
export { openStore } from './open-store.ts';
export { stateKey } from './state-keys.ts';
export type {
  BlockCommit,
  IndexedLog,
  LogPosition,
  LogPositionQuery,
  OperationPosition,
  StateChange,
  StateEntry,
  Store,
  StoredTransaction,
  StoreOptions,
  TableEntry,
} from './store.ts';
