/** What can be asked of a chain and its state. */

export { type LedgerParts, LedgerQueries } from './ledger-queries.ts';
export { LedgerReader } from './ledger-reader.ts';
export type { FoundLog, LogQuery } from './log-lookup.ts';
export {
  findOperation,
  findTransaction,
  firstHash,
  type IncludedOperation,
  type PendingOperation,
  pendingHashes,
  pendingOperations,
} from './operation-lookup.ts';
