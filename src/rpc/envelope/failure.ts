import { type ArtifactRegistry, revertMessageOf } from '../../contracts/index.ts';
import {
  ExecutionRevertedError,
  HistoryDisabledError,
  NoProducerKeyError,
  type Refusal,
  RefusedError,
  RegistrationError,
} from '../../ledger/index.ts';
import { data } from '../../view/index.ts';
import { WalletError } from '../../wallet/index.ts';
import {
  EXECUTION_REVERTED_CODE,
  ForwardedError,
  INTERNAL_CODE,
  INVALID_PARAMETERS_CODE,
  InternalError,
  LIMIT_CODE,
  LimitError,
  METHOD_NOT_FOUND_CODE,
  REFUSED_CODE,
  RpcError,
  STILL_PENDING_CODE,
  StillPendingError,
} from '../errors.ts';
import type { ErrorObject, Outcome } from './envelope.ts';

/** Refusals for a bound of this node; those for a rule of the chain are plain refusals. */
const LIMIT_REFUSALS: ReadonlySet<Refusal['code']> = new Set<Refusal['code']>([
  'tooManyOperations',
  'tooManySignatures',
  'transactionTooLarge',
  'transactionGasTooHigh',
  'pendingPoolFull',
  'authorityTooLarge',
  'callTimedOut',
  'tooManySnapshots',
  'tooManyPatches',
]);

/** What the wallet refuses for other reasons than the state of its accounts. */
const WALLET_CODES: Readonly<Partial<Record<WalletError['code'], number>>> = {
  INVALID_AMOUNT: INVALID_PARAMETERS_CODE,
  INVALID_DURATION: INVALID_PARAMETERS_CODE,
  INVALID_TYPED_DATA: INVALID_PARAMETERS_CODE,
  INVALID_PASSPHRASE: LIMIT_CODE,
  WALLET_FULL: LIMIT_CODE,
  TOO_MANY_IMPERSONATED: LIMIT_CODE,
};

/** What the system says where a file can't grow: the disk, the quota or the limit of files is reached. */
const NO_ROOM: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const FULL_DISK = 'nothing is written for now: the disk is full';
/** Errors within each other that are looked at: one of the system lies just below. */
const CAUSES_LOOKED_AT = 8;

/** Errors of the ledger whose messages are for the caller. */
const REFUSALS = [HistoryDisabledError, NoProducerKeyError, RegistrationError];

/**
 * Turns anything thrown while a request was answered into the error object that answers it.
 *
 * This is the only place that does so. What is not meant for the caller becomes "internal error" without
 * details and goes to `report` instead, as a full disk does, of which the caller is told no more than that.
 *
 * @param artifacts contracts whose errors are decoded; absent: none
 */
export function failureOf(
  thrown: unknown,
  report: (error: unknown) => void,
  artifacts?: ArtifactRegistry,
): ErrorObject {
  if (thrown instanceof RpcError || thrown instanceof LimitError) return errorObjectOf(thrown);
  if (thrown instanceof ExecutionRevertedError) return revertFailure(thrown.output, artifacts);
  const code = refusalCode(thrown);
  if (code !== undefined && thrown instanceof Error) return { code, message: thrown.message };
  report(thrown);
  if (lacksRoom(thrown)) return { code: REFUSED_CODE, message: FULL_DISK };
  return errorObjectOf(new InternalError());
}

/** Whether something failed because there was no room to write. */
function lacksRoom(thrown: unknown): boolean {
  let error = thrown;
  for (let depth = 0; error instanceof Error && depth < CAUSES_LOOKED_AT; depth += 1) {
    if ('code' in error && NO_ROOM.has(error.code)) return true;
    error = error.cause;
  }
  return false;
}

/** The code of what was refused; undefined for what was not. */
function refusalCode(thrown: unknown): number | undefined {
  if (thrown instanceof RefusedError) {
    return LIMIT_REFUSALS.has(thrown.reason.code) ? LIMIT_CODE : REFUSED_CODE;
  }
  if (thrown instanceof WalletError) return WALLET_CODES[thrown.code] ?? REFUSED_CODE;
  if (thrown instanceof RegistrationError && thrown.code === 'TOO_MANY') return LIMIT_CODE;
  const isRefused = REFUSALS.some((kind) => thrown instanceof kind);
  return isRefused ? REFUSED_CODE : undefined;
}

/** What an error object says of the call in one word. */
export function outcomeOf({ code }: ErrorObject): Exclude<Outcome, 'result'> {
  switch (code) {
    case EXECUTION_REVERTED_CODE:
      return 'reverted';
    case REFUSED_CODE:
      return 'refused';
    case LIMIT_CODE:
    case STILL_PENDING_CODE:
      return 'limited';
    case METHOD_NOT_FOUND_CODE:
      return 'unknown';
    case INTERNAL_CODE:
      return 'failed';
    default:
      return 'invalid';
  }
}

/** Writes one of the interface's own errors as an error object. */
export function errorObjectOf(error: RpcError): ErrorObject {
  const { rpcCode: code, message } = error;
  const hasData = error instanceof StillPendingError || error instanceof ForwardedError;
  return hasData && error.data !== undefined ? { code, message, data: error.data } : { code, message };
}

/** The error of a reverted execution: its data is the revert data, its message the reason where there is one. */
function revertFailure(output: Uint8Array, artifacts: ArtifactRegistry | undefined): ErrorObject {
  const message = revertMessageOf(output, artifacts);
  return { code: EXECUTION_REVERTED_CODE, message, data: data(output) };
}
