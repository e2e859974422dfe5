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

/** Returns the errors with a code. The name of one is its key, with a capital letter. */
function ofCode<Key extends string>(
  code: number,
  messages: Readonly<Record<Key, string>>,
): Readonly<Record<Key, DescribedError>> {
  const rows = Object.entries<string>(messages).map(([key, message]) => {
    const name = `${key.charAt(0).toUpperCase()}${key.slice(1)}`;
    return [key, { name, code, message }] as const;
  });
  return Object.fromEntries(rows) as Record<Key, DescribedError>; // it has a row for each key
}

export const COMMON_ERRORS: readonly DescribedError[] = [
  { name: 'ParseError', code: -32700, message: 'parse error: …' },
  { name: 'InvalidRequest', code: -32600, message: 'invalid request: …' },
  { name: 'MethodNotFound', code: -32601, message: 'the method … does not exist/is not available' },
  { name: 'InvalidParameters', code: INVALID_PARAMETERS_CODE, message: 'invalid parameter …' },
  { name: 'InternalError', code: -32603, message: 'internal error' },
  { name: 'LimitExceeded', code: LIMIT_CODE, message: '… exceeds the limit of …' },
];

/** Errors of single methods. */
export const ERRORS = {
  ...ofCode(REFUSED_CODE, {
    executionHalted: 'out of gas, invalid opcode, …',
    gasRequired: 'gas required exceeds allowance (…)',
    insufficientFunds: 'insufficient funds for gas * price + value: …',
    unknownReceiver: 'there is no account or contract at …',
    transferWithData: '… is an account: a transfer carries no data',
    noSuchAccount: 'there is no such account or contract',
    creationNotKept: 'the contract was created by code before block …',
    historyDisabled: 'the history plugin is off: …',
    transactionRefused: 'expired, wrongly signed, fee too low, …',
    alreadyKnown: 'already known: …',
    outcomeUnknown: 'the outcome is unknown: …',
    takesNoTransactions: 'this node takes no transactions: …',
    writesPaused: 'nothing is written for now: …',
    unknownAccount: 'unknown account …: it is not in the wallet',
    accountLocked: 'account … is locked',
    wrongPassphrase: 'wrong passphrase for account …',
    authenticationNeeded: 'authentication needed: password or unlock',
    invalidSignature: 'invalid signature',
    wrongPassword: 'could not decrypt key with given password',
    accountExists: 'account already exists: …',
    evmAddressGiven: 'unknown account …: it is the EVM address of the account …: …',
    senderNotAccount: '… is the EVM address of the account …: send from that address',
    chainIdFixed: 'the chain id is part of the genesis',
    coinbaseFixed: 'the producer of the genesis signs each block',
    signaturesFixed: 'not supported: the precompile is part of the replay',
    noFork: 'the chain is no fork: name the jsonRpcUrl of a remote node',
    remoteNode: 'the remote node …',
    clockOutOfRange: 'the clock cannot be moved to …',
    referenceGiven: '… is the EVM address of the account …: give that address',
    supplyTooLarge: 'all balances together would be … native units, more than …',
    accountHasNoCode: 'an account has no code: … is the address of one',
    contractNotYet: '… is the address of the contract …, which is not there yet: …',
    noSlotFound: 'No slot found',
    noToken: 'there is no contract at …',
    blockNotKept: 'the chain cannot be reverted to block …: …',
    notTestChain: 'the given chain is not a test chain',
    otherProducer: 'this node lacks the key that signs the blocks of the given chain: …',
    stateOfFork: 'the chain is a fork: it has no state dump, and loads none; …',
    stateWithoutEthereum: 'a state dump of anvil needs a chain with Ethereum: start with --ethereum',
    dumping: 'a state is being dumped or loaded already: wait for it',
    noProducerKey: 'this node does not hold the consensus key of …',
    noRegistrarKey: 'this node does not hold the key of the registrar: …',
    unknownTask: 'unknown or expired registration task: …',
    wrongNonce: 'wrong nonce: the hash of the proof of work does not begin with …',
    invalidName: 'invalid account name …',
    nameTaken: 'the account name … is taken',
    invalidKey: 'invalid active key: …, invalid consensus key: …',
    invalidEvmAddress: 'invalid EVM address: …',
    evmAddressTaken: 'the EVM address … is registered for …',
    registrationDropped: 'the registration was dropped: …',
    noBlock: 'no block came within …: the registration stays pending',
    transactionDropped: 'the transaction was dropped: …',
    filterNotFound: 'filter not found',
    constantBaseFee: 'the base fee of this chain is constant, by the fee rule of its genesis',
    emptyBundles: 'empty bundles',
    headerNotFound: 'header not found',
    stateNotKept: 'missing trie node: the state of block … is not stored, …',
    noProofs: 'this chain has no state trie, which proofs need: create it with --ethereum --state-trie',
    stateChanged: 'the state has changed meanwhile: repeat the request',
    genesisNotTraceable: 'genesis is not traceable',
    transactionNotFound: 'transaction not found',
    blockNotFound: 'block … not found',
    blockNotDecoded: 'could not decode block: …',
    pastNotKept: 'the state of block … is not stored (--undo-blocks …)',
    traceTimedOut: 'execution timeout',
    feeTooLow: 'max fee per gas less than block base fee: …',
    nonceTooLow: 'nonce too low: …',
    replacementUnderpriced: 'replacement transaction underpriced',
    typeNotSupported: 'transaction type not supported',
    unknownBlock: 'unknown block',
    pendingLogs: 'pending logs are not supported',
    pendingTraces: 'pending traces are not supported',
    pendingUnsigned: 'the pending block has no bytes: its producer has not signed it',
    beyondHead: 'request beyond head block: …',
    blockReverted: 'block #… was reverted while it was read: ask again',
  }),
  ...ofCode(LIMIT_CODE, {
    callTimedOut: 'execution aborted (timeout = …s): …',
    tooManyFound: 'a block has more than … transactions of the address, …',
    transactionLimit: 'the transaction has … bytes, more than the limit of …',
    pendingPoolFull: 'the pending pool is full: at most …',
    tooManyForwarded: 'too many transactions are being forwarded: at most …',
    tooManyImpersonated: '… addresses are impersonated, which is the limit: …',
    walletFull: 'the wallet is full: at most … accounts',
    tooManyBlocks: '… blocks are more than the limit of one call, … blocks',
    tooManySnapshots: 'the chain has … snapshots, which is the limit: …',
    snapshotsTooLarge: 'the snapshots of the chain would have more than … bytes, …',
    tooManyPatches: 'the state was changed … times since the latest block, …',
    dumpTooLarge: 'the chain takes more than the … bytes that a dump may have: …',
    tooManyRegistrations: 'there were … registrations within …, the limit: …',
    traceTooLarge: 'the trace exceeds the limit of … bytes (--trace-bytes): …',
    tooManyFilters: 'this client has … filters, its share of the limit of …: …',
    tooManySubscriptions: 'this connection has … subscriptions, …',
    tooManyListedLogs: 'the receipts have more than … logs, the limit of one response (--max-logs): …',
    answerTooLong: 'the response has more than … characters, the limit of one response: …',
    tooManyLogs: 'more than … logs match, the limit of one response (--max-logs): …',
    tooManyRemovedLogs: 'the reverted blocks had too many logs: …',
  }),
  ...ofCode(EXECUTION_REVERTED_CODE, { executionReverted: 'execution reverted: …' }),
  ...ofCode(4100, { unauthorized: 'the address is not an account of the node' }),
  ...ofCode(5700, { unsupportedCapability: 'unsupported non-optional capability: …' }),
  ...ofCode(5710, { unsupportedChain: 'unsupported chain id: …' }),
  ...ofCode(5720, { duplicateBundle: 'duplicate id: a bundle with it was sent' }),
  ...ofCode(5730, { unknownBundle: 'unknown bundle id' }),
  ...ofCode(5740, { bundleTooLarge: 'bundle too large: at most …' }),
  ...ofCode(5760, { noAtomicity: 'atomicity not supported: …' }),
  ...ofCode(STILL_PENDING_CODE, { stillPending: 'no block came within … ms: the transaction stays pending' }),
  ...ofCode(-38010, {
    simulationRefused: 'nonce too low, … (-38010 to -38026, as the Execution APIs have them)',
  }),
  ...ofCode(METHOD_NOT_FOUND_CODE, {
    notSubscribable: 'notifications not supported: …, or no … subscription in eth namespace',
  }),
};

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
