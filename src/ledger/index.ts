/** The native ledger: its rules, its blocks, its pending pool and its clock. */

export type { BlockSummary } from './chain.ts';
export { type Clock, systemClock } from './clock.ts';
export {
  BlockRejectedError,
  ExecutionRevertedError,
  GenesisMismatchError,
  HistoryDisabledError,
  InvalidGenesisError,
  NoProducerKeyError,
  RegistrationError,
  type RegistrationErrorCode,
} from './errors.ts';
export type { CallMessage, CallOutcome, Receiver } from './execution.ts';
export { ACCOUNT_CREATE_FEE, BASIC_FEE } from './fees.ts';
export { chainIdOf, type Genesis, type GenesisAccount } from './genesis.ts';
export { describeHalt } from './halt.ts';
export {
  type DroppedTransaction,
  Ledger,
  type LedgerOptions,
  type Submission,
} from './ledger.ts';
export type { FoundLog, LogMatches, LogQuery } from './log-lookup.ts';
export { NETWORK_NAMES, type Network, type NetworkName, networkOf } from './network.ts';
export { accountCreateOf, type NewAccount } from './new-account.ts';
export type { IncludedOperation, OperationEnvelope, PendingOperation } from './operation-lookup.ts';
export { isAccountName } from './operations/account-create.ts';
export type { Account, OperationReceipt } from './records.ts';
export { type Refusal, RefusedError } from './refusal.ts';
export {
  RegistrationDesk,
  type RegistrationLedger,
  type RegistrationOptions,
  type RegistrationSolution,
} from './registration.ts';
export type { RegistrationTask } from './registration-task.ts';
export { signTransaction } from './signing.ts';
export { rootOfEntries } from './state-root.ts';
export { createTestGenesis, type TestGenesisOptions } from './test-genesis.ts';
export { referencePrefix } from './transaction-checks.ts';
