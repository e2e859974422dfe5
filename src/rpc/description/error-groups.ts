import { type DescribedError, ERRORS } from './described-errors.ts';

/** What a trace of something that a block includes may be answered with, once that is found. */
export const REPLAY_ERRORS: readonly DescribedError[] = [
  ERRORS.genesisNotTraceable,
  ERRORS.pastNotKept,
  ERRORS.traceTimedOut,
  ERRORS.traceTooLarge,
];

/** What a trace of a call may be answered with that no block includes. */
export const CALL_TRACE_ERRORS: readonly DescribedError[] = [
  ERRORS.blockNotFound,
  ERRORS.pastNotKept,
  ERRORS.insufficientFunds,
  ERRORS.traceTimedOut,
  ERRORS.traceTooLarge,
];

/** What the wallet may refuse while it makes an operation of a transaction object, which it runs for an estimate. */
export const COMPOSITION_ERRORS: readonly DescribedError[] = [
  ERRORS.executionReverted,
  ERRORS.executionHalted,
  ERRORS.gasRequired,
  ERRORS.insufficientFunds,
  ERRORS.unknownReceiver,
  ERRORS.transferWithData,
];

/** What the ledger may refuse a transaction with that the wallet made. */
export const SUBMISSION_ERRORS: readonly DescribedError[] = [
  ERRORS.transactionRefused,
  ERRORS.pendingPoolFull,
  ERRORS.takesNoTransactions,
  ERRORS.writesPaused,
];

/** What a change of a token's storage may be refused with. */
export const TOKEN_PATCH_ERRORS: readonly DescribedError[] = [
  ERRORS.noSlotFound,
  ERRORS.noToken,
  ERRORS.referenceGiven,
  ERRORS.callTimedOut,
  ERRORS.tooManyPatches,
  ERRORS.writesPaused,
];
