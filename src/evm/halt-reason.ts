import * as codes from './assembly/halt.ts';
import type { EngineFailure } from './errors.ts';

/** Why an execution ended other than by success or a revert. */
export type HaltReason =
  | 'outOfGas'
  | 'stackUnderflow'
  | 'stackOverflow'
  | 'invalidJump'
  | 'invalidOpcode'
  | 'staticViolation'
  | 'returnDataOutOfBounds'
  | 'codeTooLarge'
  | 'invalidCodePrefix'
  | 'createCollision'
  | 'precompileFailure'
  /** The three below refuse a message before it begins: nothing is charged and nothing changes. */
  | 'insufficientBalance'
  | 'intrinsicGasTooLow'
  | 'initCodeTooLarge';

/** How a call ends that is no success: with a revert, a halt, or in a way that leaves its caller all the gas. */
export type EndReason = HaltReason | 'revert' | 'callTooDeep' | 'nonceAtEnd' | 'depositOutOfGas';

const HALTS: Readonly<Record<number, HaltReason>> = {
  [codes.OUT_OF_GAS]: 'outOfGas',
  [codes.STACK_UNDERFLOW]: 'stackUnderflow',
  [codes.STACK_OVERFLOW]: 'stackOverflow',
  [codes.INVALID_JUMP]: 'invalidJump',
  [codes.INVALID_OPCODE]: 'invalidOpcode',
  [codes.STATIC_VIOLATION]: 'staticViolation',
  [codes.RETURN_DATA_OUT_OF_BOUNDS]: 'returnDataOutOfBounds',
  [codes.CODE_TOO_LARGE]: 'codeTooLarge',
  [codes.INVALID_CODE_PREFIX]: 'invalidCodePrefix',
  [codes.CREATE_COLLISION]: 'createCollision',
  [codes.PRECOMPILE_FAILURE]: 'precompileFailure',
};

const FAILURES: Readonly<Record<number, EngineFailure>> = {
  [codes.ACCOUNTS_FULL]: 'accountsFull',
  [codes.SLOTS_FULL]: 'slotsFull',
  [codes.TRANSIENT_FULL]: 'transientStorageFull',
  [codes.JOURNAL_FULL]: 'journalFull',
  [codes.CREATIONS_FULL]: 'creationsFull',
  [codes.LOGS_FULL]: 'logsFull',
  [codes.CODE_FULL]: 'codeFull',
  [codes.MEMORY_REFUSED]: 'memoryRefused',
};

/** The reason that a code of a halt stands for; undefined for success and revert. */
export function haltReasonOf(code: number): HaltReason | undefined {
  return HALTS[code];
}

/** The failure that a code of the engine's own stands for. */
export function engineFailureOf(code: number): EngineFailure {
  return FAILURES[code] ?? 'trapped';
}

const FURTHER_ENDS: Readonly<Record<number, EndReason>> = {
  [codes.REVERT]: 'revert',
  [codes.CALL_TOO_DEEP]: 'callTooDeep',
  [codes.CALL_TOO_POOR]: 'insufficientBalance',
  [codes.NONCE_AT_END]: 'nonceAtEnd',
  [codes.DEPOSIT_OUT_OF_GAS]: 'depositOutOfGas',
};

/** How a call ended, by a code other than that of success. */
export function endReasonOf(code: number): EndReason {
  return FURTHER_ENDS[code] ?? haltReasonOf(code) ?? 'outOfGas';
}
