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
} as const;

/** Why an execution ended other than by success or a revert. */
export type HaltReason =
  | (typeof HALTS)[keyof typeof HALTS]
  /** These refuse a message before it begins: nothing is charged and nothing changes. */
  | 'insufficientBalance'
  | 'intrinsicGasTooLow'
  | 'initCodeTooLarge';

/** Why a call failed: by a revert, a halt, or in a way that leaves its caller all the gas. */
export type EndReason = HaltReason | 'revert' | 'callTooDeep' | 'nonceOverflow' | 'depositOutOfGas';

/** Returns the reason that a code of a halt stands for. */
export function haltReasonOf(code: number): HaltReason {
  return HALTS[code] ?? 'outOfGas';
}

const FURTHER_ENDS: Readonly<Record<number, EndReason>> = {
  [codes.REVERT]: 'revert',
  [codes.CALL_TOO_DEEP]: 'callTooDeep',
  [codes.CALL_INSUFFICIENT_BALANCE]: 'insufficientBalance',
  [codes.NONCE_OVERFLOW]: 'nonceOverflow',
  [codes.DEPOSIT_OUT_OF_GAS]: 'depositOutOfGas',
};

/** Returns how a call ended, by a code other than that of success. */
export function endReasonOf(code: number): EndReason {
  return FURTHER_ENDS[code] ?? haltReasonOf(code);
}
