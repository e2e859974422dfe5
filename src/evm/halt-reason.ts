import * as codes from './assembly/halt.ts';

const HALTS = {
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
  [codes.BALANCE_OVERFLOW]: 'balanceOverflow',
} as const;

/** The reason why an execution halted (not by success or a revert). */
export type HaltReason =
  | (typeof HALTS)[keyof typeof HALTS]
  /** The message is rejected before it begins: nothing is charged and nothing changes. */
  | 'insufficientBalance'
  | 'intrinsicGasTooLow'
  | 'initCodeTooLarge';

/** The reason why a call failed: a revert, a halt, or a failure that leaves all the gas to the caller. */
export type FailureReason = HaltReason | 'revert' | 'callTooDeep' | 'nonceOverflow' | 'depositOutOfGas';

/** Returns the reason of a halt's status code. */
export function haltReasonOf(code: number): HaltReason {
  return HALTS[code] ?? 'outOfGas';
}

const FURTHER_REASONS: Readonly<Record<number, FailureReason>> = {
  [codes.REVERT]: 'revert',
  [codes.CALL_TOO_DEEP]: 'callTooDeep',
  [codes.CALL_INSUFFICIENT_BALANCE]: 'insufficientBalance',
  [codes.NONCE_OVERFLOW]: 'nonceOverflow',
  [codes.DEPOSIT_OUT_OF_GAS]: 'depositOutOfGas',
};

/** Returns the reason of a failed call's status code. */
export function failureReasonOf(code: number): FailureReason {
  return FURTHER_REASONS[code] ?? haltReasonOf(code);
}
