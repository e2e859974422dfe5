/** The native ledger: its rules, its blocks, its pending pool and its clock. */

export type { AccessOutcome } from './access-list.ts';
export type { BlockWork } from './adding-block.ts';
export type { BlockSteps } from './block-steps.ts';
export type { BlockSummary } from './chain.ts';
export { type Clock, clockOf, systemClock } from './clock.ts';
export { type ChainDifference, compareChains } from './compare-chains.ts';
export {
  BlockRejectedError,
  ChainDamagedError,
  ExecutionRevertedError,
  GenesisMismatchError,
  HistoryDisabledError,
  InvalidGenesisError,
  NoGenesisError,
  NoProducerKeyError,
  RegistrationError,
  type RegistrationErrorCode,
  SignedBeforeError,
} from './errors.ts';
export type { CallMessage, CallOutcome, Receiver } from './execution.ts';
export { ACCOUNT_CREATE_FEE, BASIC_FEE, operationGasMax } from './fees.ts';
export { type Genesis, type GenesisAccount, producerOf } from './genesis.ts';
export { storedGenesis } from './genesis-block.ts';
export { chainIdOf, genesisCodec } from './genesis-codec.ts';
export { formatGenesis, parseGenesis } from './genesis-json.ts';
export { describeHalt } from './halt.ts';
export { type Inclusion, InclusionWatch } from './inclusion.ts';
export { Ledger, type Submission } from './ledger.ts';
export type { LedgerOptions } from './ledger-parts.ts';
export { LedgerQueries } from './ledger-queries.ts';
export { LedgerReader } from './ledger-reader.ts';
export type { FoundLog, LogMatches, LogQuery } from './log-lookup.ts';
export { NETWORK_NAMES, type Network, type NetworkName, networkOf } from './network.ts';
export { accountCreateOf, type NewAccount } from './new-account.ts';
export type { IncludedOperation, OperationEnvelope, PendingOperation } from './operation-lookup.ts';
export { isAccountName } from './operations/account-create.ts';
export type { AccountOverride, BlockOverride, Overrides, StorageOverride } from './overrides.ts';
export type { DroppedTransaction } from './pending-pool.ts';
export type { Account, OperationReceipt } from './records.ts';
export { type Refusal, RefusedError } from './refusal.ts';
export {
  RegistrationDesk,
  type RegistrationLedger,
  type RegistrationOptions,
  type RegistrationSolution,
} from './registration.ts';
export type { RegistrationTask } from './registration-task.ts';
export { replayChain } from './replay-chain.ts';
export type { SignedBefore, SignedBlocks } from './signed-blocks.ts';
export { signTransaction } from './signing.ts';
export { rootOfEntries } from './state-root.ts';
export { serializedBlock, storedBlock } from './stored-block.ts';
export { createTestGenesis, type TestGenesisOptions } from './test-genesis.ts';
export { referencePrefix } from './transaction-checks.ts';
export { type StateReport, verifyState } from './verify-state.ts';
export { WorkSlices } from './work-slices.ts';
