/**
 * Status codes of running code, in ranges. Plain numbers, since both compilers read this file.
 *
 *   0        the code continues
 *   1        success
 *   2        revert: the caller gets the output and the gas left
 *   3 to 31  halts: the frame loses its gas and has no output
 *   from 32  the engine itself failed: the execution has no outcome (`EngineError`)
 *
 * Functions that charge gas return the gas left, or a negated code of this list.
 */

export const CONTINUE: i32 = 0;
export const SUCCESS: i32 = 1;
export const REVERT: i32 = 2;

export const OUT_OF_GAS: i32 = 3;
export const STACK_UNDERFLOW: i32 = 4;
export const STACK_OVERFLOW: i32 = 5;
export const INVALID_JUMP: i32 = 6;
export const INVALID_OPCODE: i32 = 7;
export const STATIC_VIOLATION: i32 = 8;
export const RETURN_DATA_OUT_OF_BOUNDS: i32 = 9;
export const CODE_TOO_LARGE: i32 = 10;
export const INVALID_CODE_PREFIX: i32 = 11;
export const CREATE_COLLISION: i32 = 12;
export const PRECOMPILE_FAILURE: i32 = 13;
/** Failures of calls for tracers: the caller keeps the gas; after the last of them the frame has none left. */
export const CALL_TOO_DEEP: i32 = 14;
export const CALL_INSUFFICIENT_BALANCE: i32 = 15;
export const NONCE_OVERFLOW: i32 = 16;
export const DEPOSIT_OUT_OF_GAS: i32 = 17;
/** A transfer to an account that would have more than 256 bits of wei. */
export const BALANCE_OVERFLOW: i32 = 18;

/** No halt: the run loop stopped to record the path, and continues. */
export const PATH_RECORDED: i32 = 31;

export const ACCOUNTS_FULL: i32 = 32;
export const SLOTS_FULL: i32 = 33;
export const TRANSIENT_FULL: i32 = 34;
export const JOURNAL_FULL: i32 = 35;
export const CREATIONS_FULL: i32 = 36;
export const LOGS_FULL: i32 = 37;
export const CODE_FULL: i32 = 38;
