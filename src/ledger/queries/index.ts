/** Queries: blocks, operations, logs and accounts of the chain, and of the state at its head. */

export { LedgerQueries } from './ledger-queries.ts';
export { LedgerReader } from './ledger-reader.ts';
export type { LedgerParts, OperationPlace } from './ledger-reads.ts';
export type { FoundLog, LogQuery } from './log-lookup.ts';
export {
  findCarrier,
  findOperation,
  findTransaction,
  firstHash,
  type IncludedOperation,
  type PendingOperation,
  pendingHashes,
  pendingOperations,
} from './operation-lookup.ts';
