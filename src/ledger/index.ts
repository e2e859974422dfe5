/** The native ledger: its rules, its blocks, its pending pool and its clock. */

export {
  type AccessedAccount,
  AccessedState,
  type BlockContext,
  CalledFunctions,
  type CallFailure,
  type CallFrame,
  CallFrames,
  combineListeners,
  type EvmBuild,
  type FrameLog,
  type Hardfork,
  initCodeBytesMax,
  isSince,
  messageGas,
  OpcodeGas,
  operationGasMax,
  type ReadableState,
  StructLogger,
  type StructLoggerOptions,
  TraceBudget,
  TraceLimitError,
  type TraceListener,
  UNIMPORTANT_OPCODES,
  ValidationFrames,
  VmTrace,
} from '../evm/index.ts';
export { LOG_ALTERNATIVES_MAX, PAST_PREFIX_ENTRIES_MAX } from '../store/index.ts';
export type {
  QueuedCheck,
  SignatureCheck,
  SignatureThreads,
} from './authorities/signature-checks.ts';
export type { IncludedBlobs } from './blob-sidecars.ts';
export type { NextBlockOptions } from './blocks/block-assembly.ts';
export { chooseGenesis, storedGenesis } from './blocks/genesis-block.ts';
export {
  automined,
  type BlockInterval,
  firstMining,
  hasInterval,
  isAutomined,
  type Mining,
  started,
  stopped,
  timed,
} from './blocks/mining.ts';
export type { NewBlock, SerializedBlock } from './blocks/new-block.ts';
export type { SignedBlocks } from './blocks/producer-keys.ts';
export { revertChain } from './blocks/revert-chain.ts';
export { blobCost, type CallFees, feeRefusal, mostCost, priceOf } from './calls/call-fees.ts';
export {
  type CallMessage,
  type CallOutcome,
  describeHalt,
  LOGGED_TRACE_BYTES_MAX,
  LOGGED_TRACE_MS_MAX,
} from './calls/execution.ts';
export type { AccountOverride, BlockOverride, StorageOverride } from './calls/overrides.ts';
export type { SimulatedCall, SimulatedExecution, SimulatedState } from './calls/simulation.ts';
export { type BlockPrices, excessBlobGasAfter, pricesAfterFees } from './chain/block-fees.ts';
export type { BlockSettings } from './chain/block-settings.ts';
export { type BlockTiming, clockOf, SYSTEM_TIMING, systemClock } from './chain/clock.ts';
export {
  type EthereumFeatures,
  type FeeRule,
  mainnetBlobSchedule,
  movingFees,
  NO_FEATURES,
} from './chain/ethereum-features.ts';
export type { Patch, SetBalance, SetSlot } from './chain/patch-record.ts';
export type { ReceiptOutline } from './chain/receipt-outline.ts';
export {
  type Account,
  accountRecordOf,
  accountStateOf,
  type BlockSummary,
  type OperationReceipt,
  serializedBlock,
  stateTrieRootOf,
  storedBlock,
} from './chain/records.ts';
export type {
  BlockWork,
  DroppedTransaction,
  ExecutionListener,
  PricePolicy,
  ReportedOperation,
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
  RegistrationError,
} from './errors/chain-errors.ts';
export { QUOTED_CHARACTERS_MAX, type Refusal, RefusedError } from './errors/refusal.ts';
export { attemptSeconds, producerOf } from './genesis/chain-parameters.ts';
export {
  type EthereumGenesis,
  type Genesis,
  type GenesisAccount,
  genesisNumberOf,
  NETWORK_NAMES,
  type Network,
  type NetworkName,
  networkOf,
  remoteOriginOf,
  supplyOf,
} from './genesis/genesis.ts';
export { chainIdOf, genesisCodec, hardforkCodec } from './genesis/genesis-codec.ts';
export { formatGenesis, parseGenesis } from './genesis/genesis-json.ts';
export {
  BLOCK_INTERVAL_SECONDS_DEFAULT,
  createTestGenesis,
  ETHEREUM_BLOCK_GAS_LIMIT,
  type TestGenesisOptions,
} from './genesis/test-genesis.ts';
export { type Inclusion, InclusionWatch } from './inclusion.ts';
export { BLOB_RETENTION_BLOCKS_DEFAULT, Ledger, type LedgerOptions } from './ledger.ts';
export { Listeners } from './listeners.ts';
export { accountCreateOf, isAccountName } from './operations/accounts.ts';
export { offeredTip } from './operations/ethereum-transaction.ts';
export { ACCOUNT_CREATE_FEE, BASIC_FEE } from './operations/operation-rules.ts';
export {
  DEFAULT_PRICE_POLICY,
  type PendingBlock,
  PendingBlockUnmadeError,
  requireProtected,
  submitEthereum,
  submitImpersonated,
} from './pool/index.ts';
export { PENDING_BYTES_MAX, PENDING_TRANSACTIONS_MAX } from './pool/pool-index.ts';
export type { IncludedPosition } from './queries/block-queries.ts';
export { CALL_GAS_MAX } from './queries/call-queries.ts';
export type { GivenBlock } from './queries/given-block.ts';
export type { History, LedgerQueries } from './queries/ledger-queries.ts';
export { LedgerReader } from './queries/ledger-reader.ts';
export type { FoundLog, LogQuery } from './queries/log-lookup.ts';
export type { IncludedOperation, PendingOperation } from './queries/operation-lookup.ts';
export {
  REGISTRATION_BLOCK_TIMEOUT_MS,
  REGISTRATION_DIFFICULTY_DEFAULT,
  RegistrationService,
} from './registration/registration.ts';
export { REGISTRATION_TASK_TIMEOUT_MS, type RegistrationTask } from './registration/registration-task.ts';
export { settingsRestoredSince } from './snapshot-settings.ts';
export { trimmedWord } from './state/engine-host.ts';
export {
  type ForkBase,
  type ForkBlock,
  type ForkEntry,
  forkEntryOf,
  MissingEntriesError,
  type RemoteMessage,
} from './state/fork-base.ts';
export { rootOfEntries } from './state/native-state.ts';
export { type SnapshotPart, TestChain } from './test-chain.ts';
export type { ReplayObserver } from './traces/replay.ts';
export type { ReplayedOperation, TracedRun } from './traces/traced-call.ts';
export {
  nativeTransactionOf,
  parseAhead,
  refuseUnsupportedBlobs,
} from './transactions/native-transaction.ts';
export { signTransaction, unsignedTransaction } from './transactions/signing.ts';
export { gasOffered, referencePrefix } from './transactions/transaction-checks.ts';
export { type ChainDifference, compareChains } from './verification/compare-chains.ts';
export { replayChain } from './verification/replay-chain.ts';
export { type StateReport, verifyState } from './verification/verify-state.ts';
