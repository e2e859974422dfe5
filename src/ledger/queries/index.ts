/** Queries: blocks, operations, logs and accounts of the chain, and of the state at its head. */

export type { AccountQueries } from './account-queries.ts';
export type { BlockQueries, OperationPlace } from './block-queries.ts';
export type { CallQueries } from './call-queries.ts';
export { type HeldHistory, type History, type LedgerQueries, queriesOf } from './ledger-queries.ts';
export { LedgerReader } from './ledger-reader.ts';
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
