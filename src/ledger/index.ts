/** The native ledger: its rules, its blocks, its pending pool and its clock. */

export { type Hardfork, isSince } from '../evm/index.ts';
export {
  BlockSteps,
  type NextBlockOptions,
  revertChain,
  type SerializedBlock,
  type SignedBlocks,
  storedGenesis,
} from './blocks/index.ts';
export {
  type AccountOverride,
  type BlockOverride,
  type CallMessage,
  type CallOutcome,
  describeHalt,
  type SimulatedCall,
  type StorageOverride,
} from './calls/index.ts';
export {
  type Account,
  type BlockSummary,
  type BlockTiming,
  clockOf,
  OPERATION_INDEXING,
  type OperationReceipt,
  type Patch,
  type ReceiptOutline,
  receiptCodec,
  type SetBalance,
  SYSTEM_TIMING,
  serializedBlock,
  storedBlock,
  systemClock,
} from './chain/index.ts';
export type {
  BlockWork,
  ExecutionListener,
  ToldOperation,
} from './core.ts';
export {
  BlockRejectedError,
  ChainDamagedError,
  ExecutionRevertedError,
  GenesisMismatchError,
  HistoryDisabledError,
  InvalidGenesisError,
  NoGenesisError,
  NoProducerKeyError,
  type Refusal,
  RefusedError,
  RegistrationError,
} from './errors/index.ts';
export {
  attemptSeconds,
  chainIdOf,
  createTestGenesis,
  type EthereumGenesis,
  formatGenesis,
  type Genesis,
  type GenesisAccount,
  genesisCodec,
  NETWORK_NAMES,
  type Network,
  type NetworkName,
  networkOf,
  parseGenesis,
  producerOf,
  supplyOf,
} from './genesis/index.ts';
export { type Inclusion, InclusionWatch } from './inclusion.ts';
export { Ledger } from './ledger.ts';
export { Listeners } from './listeners.ts';
export {
  ACCOUNT_CREATE_FEE,
  accountCreateOf,
  BASIC_FEE,
  isAccountName,
  operationGasMax,
} from './operations/index.ts';
export type { PendingState } from './pending-state.ts';
export {
  type FoundLog,
  type History,
  type IncludedOperation,
  type LedgerQueries,
  LedgerReader,
  type LogQuery,
  type OperationPlace,
  type PendingOperation,
} from './queries/index.ts';
export { RegistrationDesk, type RegistrationSolution, type RegistrationTask } from './registration/index.ts';
export { settingsRestoredSince } from './restored-record.ts';
export { rootOfEntries } from './state/index.ts';
export { requireProtected, submitEthereum, submitImpersonated } from './submit-ethereum.ts';
export { type ReadingPlans, type SnapshotPart, TestChain } from './test-chain.ts';
export {
  CalledFunctions,
  type CallFailure,
  type CallFrame,
  CallFrames,
  type FrameLog,
  type ReadableState,
  type ReplayedOperation,
  type ReplayObserver,
  StructLogger,
  type StructLoggerOptions,
  type TouchedAccount,
  TouchedState,
  TraceBudget,
  type TracedBuild,
  type TracedRun,
  TraceLimitError,
  type TraceListener,
  tellingAll,
  VmTrace,
} from './traces/index.ts';
export {
  type DroppedTransaction,
  ethereumEnvelope,
  gasOffered,
  referencePrefix,
  signTransaction,
  unsignedTransaction,
} from './transactions/index.ts';
export {
  type ChainDifference,
  compareChains,
  replayChain,
  type StateReport,
  verifyState,
} from './verification/index.ts';
export { WorkSlices } from './work-slices.ts';
