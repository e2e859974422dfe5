import {
  EXECUTION_REVERTED_CODE,
  INVALID_PARAMETERS_CODE,
  LIMIT_CODE,
  METHOD_NOT_FOUND_CODE,
  REFUSED_CODE,
  STILL_PENDING_CODE,
} from '../rpc-errors.ts';

export interface DescribedError {
  /** Name among the components of the description. */
  readonly name: string;
  readonly code: number;
  /** The message, or its beginning; `…` stands for what differs from case to case. */
  readonly message: string;
}

function refused(name: string, message: string): DescribedError {
  return { name, code: REFUSED_CODE, message };
}

function exceeded(name: string, message: string): DescribedError {
  return { name, code: LIMIT_CODE, message };
}

export const COMMON_ERRORS: readonly DescribedError[] = [
  { name: 'ParseError', code: -32700, message: 'parse error: …' },
  { name: 'InvalidRequest', code: -32600, message: 'invalid request: …' },
  { name: 'MethodNotFound', code: -32601, message: 'the method … does not exist/is not available' },
  { name: 'InvalidParameters', code: INVALID_PARAMETERS_CODE, message: 'invalid parameter …' },
  { name: 'InternalError', code: -32603, message: 'internal error' },
  exceeded('LimitExceeded', '… exceeds the limit of …'),
];

/** Errors of single methods. */
export const ERRORS = {
  executionReverted: {
    name: 'ExecutionReverted',
    code: EXECUTION_REVERTED_CODE,
    message: 'execution reverted: …',
  },
  executionHalted: refused('ExecutionHalted', 'out of gas, invalid opcode, …'),
  callTimedOut: exceeded('CallTimedOut', 'execution aborted (timeout = …s): …'),
  gasRequired: refused('GasRequired', 'gas required exceeds allowance (…)'),
  insufficientFunds: refused('InsufficientFunds', 'insufficient funds for gas * price + value: …'),
  unauthorized: { name: 'Unauthorized', code: 4100, message: 'the address is not an account of the node' },
  unsupportedCapability: {
    name: 'UnsupportedCapability',
    code: 5700,
    message: 'unsupported non-optional capability: …',
  },
  unsupportedChain: { name: 'UnsupportedChain', code: 5710, message: 'unsupported chain id: …' },
  duplicateBundle: {
    name: 'DuplicateBundle',
    code: 5720,
    message: 'duplicate id: a bundle with it was sent',
  },
  unknownBundle: { name: 'UnknownBundle', code: 5730, message: 'unknown bundle id' },
  bundleTooLarge: { name: 'BundleTooLarge', code: 5740, message: 'bundle too large: at most …' },
  noAtomicity: { name: 'NoAtomicity', code: 5760, message: 'atomicity not supported: …' },
  unknownReceiver: refused('UnknownReceiver', 'there is no account or contract at …'),
  transferWithData: refused('TransferWithData', '… is an account: a transfer carries no data'),
  noSuchAccount: refused('NoSuchAccount', 'there is no such account or contract'),
  creationNotKept: refused('CreationNotKept', 'the contract was created by code before block …'),
  tooManyFound: exceeded('TooManyFound', 'a block has more than … transactions of the address, …'),
  historyDisabled: refused('HistoryDisabled', 'the history plugin is off: …'),
  transactionRefused: refused('TransactionRefused', 'expired, wrongly signed, fee too low, …'),
  alreadyKnown: refused('AlreadyKnown', 'already known: …'),
  transactionLimit: exceeded('TransactionLimit', 'the transaction has … bytes, more than the limit of …'),
  pendingPoolFull: exceeded('PendingPoolFull', 'the pending pool is full: at most …'),
  outcomeUnknown: refused('OutcomeUnknown', 'the outcome is unknown: …'),
  tooManyForwarded: exceeded('TooManyForwarded', 'too many transactions are being forwarded: at most …'),
  takesNoTransactions: refused('TakesNoTransactions', 'this node takes no transactions: …'),
  writesPaused: refused('WritesPaused', 'nothing is written for now: …'),
  unknownAccount: refused('UnknownAccount', 'unknown account …: it is not in the wallet'),
  accountLocked: refused('AccountLocked', 'account … is locked'),
  wrongPassphrase: refused('WrongPassphrase', 'wrong passphrase for account …'),
  authenticationNeeded: refused('AuthenticationNeeded', 'authentication needed: password or unlock'),
  invalidSignature: refused('InvalidSignature', 'invalid signature'),
  wrongPassword: refused('WrongPassword', 'could not decrypt key with given password'),
  accountExists: refused('AccountExists', 'account already exists: …'),
  evmAddressGiven: refused('EvmAddressGiven', 'unknown account …: it is the EVM address of the account …: …'),
  tooManyImpersonated: exceeded('TooManyImpersonated', '… addresses are impersonated, which is the limit: …'),
  walletFull: exceeded('WalletFull', 'the wallet is full: at most … accounts'),
  senderNotAccount: refused(
    'SenderNotAccount',
    '… is the EVM address of the account …: send from that address',
  ),
  chainIdFixed: refused('ChainIdFixed', 'the chain id is part of the genesis'),
  coinbaseFixed: refused('CoinbaseFixed', 'the producer of the genesis signs each block'),
  signaturesFixed: refused('SignaturesFixed', 'not supported: the precompile is part of the replay'),
  noFork: refused('NoFork', 'the chain is no fork: name the jsonRpcUrl of a remote node'),
  remoteNode: refused('RemoteNode', 'the remote node …'),
  tooManyBlocks: exceeded('TooManyBlocks', '… blocks are more than the limit of one call, … blocks'),
  clockOutOfRange: refused('ClockOutOfRange', 'the clock cannot be moved to …'),
  tooManySnapshots: exceeded('TooManySnapshots', 'the chain has … snapshots, which is the limit: …'),
  snapshotsTooLarge: exceeded(
    'SnapshotsTooLarge',
    'the snapshots of the chain would have more than … bytes, …',
  ),
  tooManyPatches: exceeded('TooManyPatches', 'the state was changed … times since the latest block, …'),
  referenceGiven: refused('ReferenceGiven', '… is the EVM address of the account …: give that address'),
  supplyTooLarge: refused('SupplyTooLarge', 'all balances together would be … native units, more than …'),
  accountHasNoCode: refused('AccountHasNoCode', 'an account has no code: … is the address of one'),
  contractNotYet: refused('ContractNotYet', '… is the address of the contract …, which is not there yet: …'),
  noSlotFound: refused('NoSlotFound', 'No slot found'),
  noToken: refused('NoToken', 'there is no contract at …'),
  blockNotKept: refused('BlockNotKept', 'the chain cannot be reverted to block …: …'),
  notTestChain: refused('NotTestChain', 'the given chain is not a test chain'),
  otherProducer: refused(
    'OtherProducer',
    'this node lacks the key that signs the blocks of the given chain: …',
  ),
  dumpTooLarge: exceeded('DumpTooLarge', 'the chain takes more than the … bytes that a dump may have: …'),
  stateOfFork: refused('StateOfFork', 'the chain is a fork: it has no state dump, and loads none; …'),
  stateWithoutEthereum: refused(
    'StateWithoutEthereum',
    'a state dump of anvil needs a chain with Ethereum: start with --ethereum',
  ),
  dumping: refused('Dumping', 'a state is being dumped or loaded already: wait for it'),
  noProducerKey: refused('NoProducerKey', 'this node does not hold the consensus key of …'),
  noRegistrarKey: refused('NoRegistrarKey', 'this node does not hold the key of the registrar: …'),
  unknownTask: refused('UnknownTask', 'unknown or expired registration task: …'),
  tooManyRegistrations: exceeded('TooManyRegistrations', 'there were … registrations within …, the limit: …'),
  wrongNonce: refused('WrongNonce', 'wrong nonce: the hash of the proof of work does not begin with …'),
  invalidName: refused('InvalidName', 'invalid account name …'),
  nameTaken: refused('NameTaken', 'the account name … is taken'),
  invalidKey: refused('InvalidKey', 'invalid active key: …, invalid consensus key: …'),
  invalidEvmAddress: refused('InvalidEvmAddress', 'invalid EVM address: …'),
  evmAddressTaken: refused('EvmAddressTaken', 'the EVM address … is registered for …'),
  registrationDropped: refused('RegistrationDropped', 'the registration was dropped: …'),
  noBlock: refused('NoBlock', 'no block came within …: the registration stays pending'),
  stillPending: {
    name: 'StillPending',
    code: STILL_PENDING_CODE,
    message: 'no block came within … ms: the transaction stays pending',
  },
  transactionDropped: refused('TransactionDropped', 'the transaction was dropped: …'),
  filterNotFound: refused('FilterNotFound', 'filter not found'),
  constantBaseFee: refused(
    'ConstantBaseFee',
    'the base fee of this chain is constant, by the fee rule of its genesis',
  ),
  simulationRefused: {
    name: 'SimulationRefused',
    code: -38010,
    message: 'nonce too low, … (-38010 to -38026, as the Execution APIs have them)',
  },
  emptyBundles: refused('EmptyBundles', 'empty bundles'),
  headerNotFound: refused('HeaderNotFound', 'header not found'),
  stateNotKept: refused('StateNotKept', 'missing trie node: the state of block … is not stored, …'),
  noProofs: refused(
    'NoProofs',
    'this chain has no state trie, which proofs need: create it with --ethereum --state-trie',
  ),
  stateChanged: refused('StateChanged', 'the state has changed meanwhile: repeat the request'),
  genesisNotTraceable: refused('GenesisNotTraceable', 'genesis is not traceable'),
  transactionNotFound: refused('TransactionNotFound', 'transaction not found'),
  blockNotFound: refused('BlockNotFound', 'block … not found'),
  blockNotDecoded: refused('BlockNotDecoded', 'could not decode block: …'),
  pastNotKept: refused('PastNotKept', 'the state of block … is not stored (--undo-blocks …)'),
  traceTimedOut: refused('TraceTimedOut', 'execution timeout'),
  traceTooLarge: exceeded('TraceTooLarge', 'the trace exceeds the limit of … bytes (--trace-bytes): …'),
  feeTooLow: refused('FeeTooLow', 'max fee per gas less than block base fee: …'),
  nonceTooLow: refused('NonceTooLow', 'nonce too low: …'),
  replacementUnderpriced: refused('ReplacementUnderpriced', 'replacement transaction underpriced'),
  typeNotSupported: refused('TypeNotSupported', 'transaction type not supported'),
  unknownBlock: refused('UnknownBlock', 'unknown block'),
  pendingLogs: refused('PendingLogs', 'pending logs are not supported'),
  pendingTraces: refused('PendingTraces', 'pending traces are not supported'),
  pendingUnsigned: refused(
    'PendingUnsigned',
    'the pending block has no bytes: its producer has not signed it',
  ),
  beyondHead: refused('BeyondHead', 'request beyond head block: …'),
  tooManyFilters: exceeded('TooManyFilters', 'this client has … filters, its share of the limit of …: …'),
  tooManySubscriptions: exceeded('TooManySubscriptions', 'this connection has … subscriptions, …'),
  notSubscribable: {
    name: 'NotSubscribable',
    code: METHOD_NOT_FOUND_CODE,
    message: 'notifications not supported: …, or no … subscription in eth namespace',
  },
  tooManyListedLogs: exceeded(
    'TooManyListedLogs',
    'the receipts have more than … logs, the limit of one response (--max-logs): …',
  ),
  answerTooLong: exceeded(
    'AnswerTooLong',
    'the response has more than … characters, the limit of one response: …',
  ),
  blockReverted: refused('BlockReverted', 'block #… was reverted while it was read: ask again'),
  tooManyLogs: exceeded('TooManyLogs', 'more than … logs match, the limit of one response (--max-logs): …'),
  tooManyRemovedLogs: exceeded('TooManyRemovedLogs', 'the reverted blocks had too many logs: …'),
} as const satisfies Readonly<Record<string, DescribedError>>;

/** Errors of a trace of something in a block, once that is found. */
export const REPLAY_ERRORS: readonly DescribedError[] = [
  ERRORS.genesisNotTraceable,
  ERRORS.pastNotKept,
  ERRORS.traceTimedOut,
  ERRORS.traceTooLarge,
];

export const CALL_TRACE_ERRORS: readonly DescribedError[] = [
  ERRORS.blockNotFound,
  ERRORS.pastNotKept,
  ERRORS.insufficientFunds,
  ERRORS.traceTimedOut,
  ERRORS.traceTooLarge,
];

/** Errors of completing a transaction object, which runs for an estimate. */
export const COMPOSITION_ERRORS: readonly DescribedError[] = [
  ERRORS.executionReverted,
  ERRORS.executionHalted,
  ERRORS.gasRequired,
  ERRORS.insufficientFunds,
];

/** Errors of the ledger for a transaction that the wallet made. */
export const SUBMISSION_ERRORS: readonly DescribedError[] = [
  ERRORS.transactionRefused,
  ERRORS.pendingPoolFull,
  ERRORS.takesNoTransactions,
  ERRORS.writesPaused,
];

/** Errors of a change of a token's storage. */
export const TOKEN_PATCH_ERRORS: readonly DescribedError[] = [
  ERRORS.noSlotFound,
  ERRORS.noToken,
  ERRORS.referenceGiven,
  ERRORS.callTimedOut,
  ERRORS.tooManyPatches,
  ERRORS.writesPaused,
];
