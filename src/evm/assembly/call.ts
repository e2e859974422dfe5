/** CALL, CALLCODE, DELEGATECALL and STATICCALL. */

import { CALL, CALLCODE, DELEGATECALL, STATICCALL } from '../../../build/evm/opcodes';
import { accessCost, findAccount, isEmptyAccount, precompileNumber, transfer } from './accounts';
import { codeOf } from './code';
import { delegateOf, isDelegation } from './delegations';
import {
  isBelowDepthLimit,
  childMemoryStart,
  frame,
  isStatic,
  ownAccount,
  pushFrame,
  returnDataLength,
  saveRegisters,
  setReturnDataLength,
} from './frames';
import { allButOne64th, CALL_STIPEND, CALL_VALUE, charge, NEW_ACCOUNT, outOfGas } from './gas';
import {
  BALANCE_OVERFLOW,
  CALL_TOO_DEEP,
  CALL_INSUFFICIENT_BALANCE,
  CONTINUE,
  STATIC_VIOLATION,
  SUCCESS,
} from './halt';
import { journalEnd } from './journal';
import { revertJournal } from './revert';
import * as layout from './layout';
import { expand, memoryStart, rangeStart } from './memory';
import { callPrecompile } from './precompile-calls';
import { traceEnter, traceLeave } from './tracing';
import { clearWord, copyBytes, copyWord, fitsLimb, isZero, lessThan, setWord, WORD_BYTES } from './word';

/**
 * Runs a call. Its operands are the topmost stack items: gas, address, value (CALL and CALLCODE only), offset and
 * length of the input, offset and length of the output. Begins a new frame, or completes the call and pushes its
 * result; either way the caller must reload the registers. Returns CONTINUE, or the code of the halt of the calling
 * frame.
 *
 * `kind` is the opcode.
 */
export function call(kind: u32): i32 {
  const top = <usize>load<u32>(frame, layout.FRAME_STACK_TOP);
  const hasValueOperand = kind == CALL || kind == CALLCODE;
  const value = top - 3 * WORD_BYTES;
  const ranges = hasValueOperand ? value - WORD_BYTES : value;
  const transfersValue = hasValueOperand && !isZero(value);
  if (kind == CALL && transfersValue && isStatic()) return STATIC_VIOLATION;

  const target = findAccount(maskAddress(top - 2 * WORD_BYTES));
  let gas = chargeCall(kind, target, ranges, transfersValue, load<i64>(frame, layout.FRAME_GAS));
  if (gas < 0) return <i32>-gas;
  let code = codeOf(target);
  if (isDelegation(code)) {
    const delegate = delegateOf(code);
    gas = charge(gas, accessCost(delegate));
    if (gas < 0) return <i32>-gas;
    code = codeOf(delegate);
  }
  const limit = gasToForward(top - WORD_BYTES, gas);
  gas -= limit;
  const forwarded = transfersValue ? limit + CALL_STIPEND : limit;
  store<u32>(frame, <u32>(forwarded - limit), layout.FRAME_STIPEND);

  const input = rangeStart(ranges, ranges - WORD_BYTES);
  const inputLength = <usize>load<u32>(ranges - WORD_BYTES);
  const result = ranges - 3 * WORD_BYTES;
  store<u32>(frame, load<u32>(ranges - 2 * WORD_BYTES), layout.FRAME_OUTPUT_OFFSET);
  store<u32>(frame, load<u32>(result), layout.FRAME_OUTPUT_LENGTH);
  clearWord(result);
  setReturnDataLength(0);
  const programCounter = <usize>load<u32>(frame, layout.FRAME_PROGRAM_COUNTER);
  saveRegisters(programCounter, result + WORD_BYTES, gas);
  const tracedValue = hasValueOperand ? value : kind == DELEGATECALL ? frame + layout.FRAME_VALUE : 0;
  traceEnter(kind, frame + layout.FRAME_ADDRESS, target + layout.ACCOUNT_ADDRESS, tracedValue, forwarded, gas, input,
    inputLength);
  const isDeep = !isBelowDepthLimit();
  if (isDeep || (transfersValue && lessThan(ownAccount() + layout.ACCOUNT_BALANCE, value))) {
    store<i64>(frame, gas + forwarded, layout.FRAME_GAS);
    traceLeave(isDeep ? CALL_TOO_DEEP : CALL_INSUFFICIENT_BALANCE, 0, 0, 0);
    return CONTINUE;
  }
  enter(kind, target, code, forwarded, input, inputLength, hasValueOperand ? value : 0, result);
  return CONTINUE;
}

/** Truncates a word to an address, in place. */
@inline
export function maskAddress(word: usize): usize {
  store<u64>(word, load<u64>(word, 16) & 0xffffffff, 16);
  store<u64>(word, 0, 24);
  return word;
}

/** Charges everything except the gas forwarded to the new frame. */
function chargeCall(kind: u32, target: usize, ranges: usize, transfersValue: bool, available: i64): i64 {
  let gas = expand(ranges, ranges - WORD_BYTES, available);
  if (gas < 0) return gas;
  gas = expand(ranges - 2 * WORD_BYTES, ranges - 3 * WORD_BYTES, gas);
  if (gas < 0) return gas;
  let cost = accessCost(target);
  if (transfersValue) {
    cost += CALL_VALUE;
    if (kind == CALL && isEmptyAccount(target)) cost += NEW_ACCOUNT;
  }
  return gas < cost ? outOfGas() : gas - cost;
}

/** Returns the requested gas, at most all but one 64th of the gas left (EIP-150). */
function gasToForward(request: usize, gas: i64): i64 {
  const maxGas = allButOne64th(gas);
  return fitsLimb(request) && load<u64>(request) < <u64>maxGas ? load<i64>(request) : maxGas;
}

/**
 * Transfers the value and begins the frame of the code, or completes a call without code or of a precompiled contract.
 */
function enter(
  kind: u32,
  target: usize,
  code: usize,
  gas: i64,
  input: usize,
  inputLength: usize,
  value: usize,
  result: usize,
): void {
  const checkpoint = journalEnd;
  if (kind == CALL && !transfer(ownAccount(), target, value)) {
    traceLeave(BALANCE_OVERFLOW, gas, 0, 0);
    return;
  }
  const precompile = precompileNumber(target + layout.ACCOUNT_ADDRESS);
  if (precompile) {
    const left = callPrecompile(precompile, input, inputLength, gas);
    finishPrecompile(left, checkpoint, result);
    traceLeave(left < 0 ? <i32>-left : SUCCESS, left < 0 ? gas : gas - left, layout.RETURN_DATA, returnDataLength);
    return;
  }
  if (!load<u32>(code, layout.CODE_LENGTH)) {
    store<i64>(frame, load<i64>(frame, layout.FRAME_GAS) + gas, layout.FRAME_GAS);
    setWord(result, 1);
    traceLeave(SUCCESS, 0, 0, 0);
    return;
  }
  const parent = frame;
  const account = kind == CALL || kind == STATICCALL ? target : ownAccount();
  const inherited = load<u32>(parent, layout.FRAME_FLAGS) & layout.FRAME_IS_STATIC;
  const flags = kind == STATICCALL ? <u32>layout.FRAME_IS_STATIC : inherited;
  pushFrame(gas, code, input, inputLength, flags, account, childMemoryStart(), checkpoint);
  writeParties(kind, parent, target, value);
}

/** Writes address, caller and value of the new frame. */
function writeParties(kind: u32, parent: usize, target: usize, value: usize): void {
  const own = kind == CALL || kind == STATICCALL ? target + layout.ACCOUNT_ADDRESS : parent + layout.FRAME_ADDRESS;
  copyWord(frame + layout.FRAME_ADDRESS, own);
  if (kind == DELEGATECALL) {
    copyWord(frame + layout.FRAME_CALLER, parent + layout.FRAME_CALLER);
    copyWord(frame + layout.FRAME_VALUE, parent + layout.FRAME_VALUE);
    return;
  }
  copyWord(frame + layout.FRAME_CALLER, parent + layout.FRAME_ADDRESS);
  if (value) copyWord(frame + layout.FRAME_VALUE, value);
  else clearWord(frame + layout.FRAME_VALUE);
}

/** Ends a call of a precompiled contract; a negative `gasLeft` is a failure, which consumes all gas. */
function finishPrecompile(gasLeft: i64, checkpoint: usize, result: usize): void {
  if (gasLeft < 0) {
    revertJournal(checkpoint);
    return;
  }
  store<i64>(frame, load<i64>(frame, layout.FRAME_GAS) + gasLeft, layout.FRAME_GAS);
  setWord(result, 1);
  copyOutput();
}

/** Copies the return data into the output range of the calling frame's memory. */
export function copyOutput(): void {
  const length = min<usize>(returnDataLength, <usize>load<u32>(frame, layout.FRAME_OUTPUT_LENGTH));
  if (!length) return;
  copyBytes(memoryStart + <usize>load<u32>(frame, layout.FRAME_OUTPUT_OFFSET), layout.RETURN_DATA, length);
}
