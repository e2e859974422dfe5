/** Gas constants of the hard forks from London on, named as in the yellow paper or by their EIP. */

import { OUT_OF_GAS } from './halt';

/** Fixed costs of instructions. */
export const ZERO: u32 = 0;
export const BASE: u32 = 2;
export const VERY_LOW: u32 = 3;
export const LOW: u32 = 5;
export const MIDDLE: u32 = 8;
export const HIGH: u32 = 10;
export const JUMP_DESTINATION: u32 = 1;
export const KECCAK: u32 = 30;
export const BLOCK_HASH: u32 = 20;
export const LOG: u32 = 375;
export const TRANSIENT: u32 = 100;
export const CREATE: u32 = 32000;
export const SELF_DESTRUCT: u32 = 5000;

/** Costs by size. */
export const KECCAK_WORD: u64 = 6;
export const COPY_WORD: u64 = 3;
export const EXPONENT_BYTE: u64 = 50;
export const LOG_BYTE: u64 = 8;
export const MEMORY_WORD: u64 = 3;
export const MEMORY_QUADRATIC_DIVISOR: u64 = 512;
export const CODE_DEPOSIT_BYTE: u64 = 200;
/** EIP-3860. */
export const INIT_CODE_WORD: u64 = 2;
export const IDENTITY: u64 = 15;
export const IDENTITY_WORD: u64 = 3;

/** EIP-2929. */
export const COLD_ACCOUNT: i64 = 2600;
export const COLD_SLOT: i64 = 2100;
export const WARM: i64 = 100;

/** SSTORE (EIP-2200, with the numbers of EIP-2929 and EIP-3529). */
export const STORE_STIPEND: i64 = 2300;
export const STORE_NEW: i64 = 20000;
export const STORE_CHANGE: i64 = 2900;
export const REFUND_CLEAR: i64 = 4800;

/** Calls. */
export const CALL_VALUE: i64 = 9000;
export const CALL_STIPEND: i64 = 2300;
export const NEW_ACCOUNT: i64 = 25000;

/** Refund of an authorization whose account exists (EIP-7702). */
export const REFUND_AUTHORIZATION: i64 = 12500;

/** Returns the gas left after a cost, or the result of `outOfGas`. */
@inline
export function charge(gas: i64, cost: i64): i64 {
  return gas < cost ? outOfGas() : gas - cost;
}

/** Returns the negated code of a halt: the result of functions that charge when the gas is not enough. */
@inline
export function outOfGas(): i64 {
  return -(<i64>OUT_OF_GAS);
}

/** Returns the gas that a frame can forward: all but one 64th (EIP-150). */
@inline
export function allButOne64th(gas: i64): i64 {
  return gas - gas / 64;
}

/** Returns the minimum gas of a frame that can forward `forwarded` gas. */
@inline
export function minGasToForward(forwarded: i64): i64 {
  return forwarded > 0 ? forwarded + (forwarded - 1) / 63 : 0;
}

/** Returns the number of words of `bytes` bytes, rounded up. */
@inline
export function wordsOf(bytes: u64): u64 {
  return (bytes + 31) >> 5;
}
