/** What can be asked of a chain and its state. */

export { LedgerQueries } from './ledger-queries.ts';
export { LedgerReader } from './ledger-reader.ts';
export type { FoundLog, LogQuery } from './log-lookup.ts';
export {
  findOperation,
  type IncludedOperation,
  type PendingOperation,
  pendingHashes,
  pendingOperation,
} from './operation-lookup.ts';
