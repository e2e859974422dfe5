import { type ArtifactRegistry, revertMessageOf } from '../../contracts/index.ts';
import {
  ExecutionRevertedError,
  HistoryDisabledError,
  NoProducerKeyError,
  PendingBlockUnmadeError,
  type Refusal,
  RefusedError,
  RegistrationError,
} from '../../ledger/index.ts';
import { toPrefixedHex } from '../../protocol/index.ts';
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
} from '../rpc-errors.ts';
import type { ErrorObject } from './json-rpc.ts';

/** Refusals because of a bound of this node, not because of a rule of the chain. */
const LIMIT_REFUSALS: ReadonlySet<Refusal['code']> = new Set<Refusal['code']>([
  'tooManyOperations',
  'tooManySignatures',
  'transactionTooLarge',
  'transactionGasTooHigh',
  'pendingPoolFull',
  'authorityTooLarge',
  'callTimedOut',
  'tooManySnapshots',
  'snapshotsTooLarge',
  'tooManyPatches',
]);

/** Codes of wallet errors that do not concern the state of its accounts. */
const WALLET_CODES: Readonly<Partial<Record<WalletError['code'], number>>> = {
  INVALID_AMOUNT: INVALID_PARAMETERS_CODE,
  INVALID_DURATION: INVALID_PARAMETERS_CODE,
  INVALID_TYPED_DATA: INVALID_PARAMETERS_CODE,
  INVALID_PASSPHRASE: LIMIT_CODE,
  WALLET_FULL: LIMIT_CODE,
  TOO_MANY_IMPERSONATED: LIMIT_CODE,
};

/** System error codes for a file that cannot grow: the disk, the quota or the file size limit is exceeded. */
const DISK_FULL_CODES: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const DISK_FULL = 'nothing is written for now: the disk is full';
/** Maximum depth of causes in which a system error is searched. */
const CAUSE_DEPTH = 8;

/** Ledger errors with messages for the caller. */
const REFUSALS = [HistoryDisabledError, NoProducerKeyError, PendingBlockUnmadeError, RegistrationError];

/**
 * Maps anything thrown while a request was handled to an error object. An error that is not for the caller becomes
 * "internal error" without details, and is reported. A full disk is reported too.
 *
 * @param artifacts contracts for decoding custom errors; absent: none
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
  if (isDiskFull(thrown)) return { code: REFUSED_CODE, message: DISK_FULL };
  return errorObjectOf(new InternalError());
}

/** Returns true for a failure to write to a full disk. */
function isDiskFull(thrown: unknown): boolean {
  let error = thrown;
  for (let depth = 0; error instanceof Error && depth < CAUSE_DEPTH; depth += 1) {
    if ('code' in error && DISK_FULL_CODES.has(error.code)) return true;
    error = error.cause;
  }
  return false;
}

/** Returns the error code of a refusal; undefined for other errors. */
function refusalCode(thrown: unknown): number | undefined {
  if (thrown instanceof RefusedError) {
    return LIMIT_REFUSALS.has(thrown.reason.code) ? LIMIT_CODE : REFUSED_CODE;
  }
  if (thrown instanceof WalletError) return WALLET_CODES[thrown.code] ?? REFUSED_CODE;
  if (thrown instanceof RegistrationError && thrown.code === 'TOO_MANY') return LIMIT_CODE;
  const isRefused = REFUSALS.some((kind) => thrown instanceof kind);
  return isRefused ? REFUSED_CODE : undefined;
}

/** Outcomes of calls: `limited` by a bound of the node, `failed` for a failure of the node itself. */
export const OUTCOMES = ['result', 'reverted', 'refused', 'invalid', 'unknown', 'limited', 'failed'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Method name in metrics of calls of unknown methods. */
export const OTHER_METHOD = 'other';

const OUTCOMES_BY_CODE: ReadonlyMap<number, Exclude<Outcome, 'result'>> = new Map([
  [EXECUTION_REVERTED_CODE, 'reverted'],
  [REFUSED_CODE, 'refused'],
  [LIMIT_CODE, 'limited'],
  [STILL_PENDING_CODE, 'limited'],
  [METHOD_NOT_FOUND_CODE, 'unknown'],
  [INTERNAL_CODE, 'failed'],
]);

export function outcomeOf({ code }: ErrorObject): Exclude<Outcome, 'result'> {
  return OUTCOMES_BY_CODE.get(code) ?? 'invalid';
}

export function errorObjectOf(error: RpcError): ErrorObject {
  const { rpcCode: code, message } = error;
  const hasData = error instanceof StillPendingError || error instanceof ForwardedError;
  return hasData && error.data !== undefined ? { code, message, data: error.data } : { code, message };
}

function revertFailure(output: Uint8Array, artifacts: ArtifactRegistry | undefined): ErrorObject {
  const message = revertMessageOf(output, artifacts);
  return { code: EXECUTION_REVERTED_CODE, message, data: toPrefixedHex(output) };
}
