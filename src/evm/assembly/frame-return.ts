/** The end of a frame: reverts its changes if it failed, and returns gas and output to the parent. */

import { copyOutput } from './call';
import { finishCreation } from './create';
import { frame, frameCount, recordGasNeeded, ownAccount, popFrame, setReturnDataLength } from './frames';
import { minGasToForward } from './gas';
import { DEPOSIT_OUT_OF_GAS, OUT_OF_GAS, REVERT, SUCCESS } from './halt';
import { revertJournal } from './revert';
import * as layout from './layout';
import { setLogs } from './logs';
import { setRefund } from './transaction-state';
import { traceGasLeft, traceLeave } from './tracing';
import { copyBytes, copyWord, setWord, WORD_BYTES } from './word';

/** Output of the ending frame: address in memory and length. */
let outputStart: usize = 0;
let outputLength: usize = 0;

/** Status and gas left of the transaction's outermost frame. */
export let outcomeStatus: i32 = 0;
export let outcomeGas: i64 = 0;
/** Gas that the outermost frame needed; 0 if none ran to its end. */
export let outcomeGasNeeded: i64 = 0;

/** Sets the output: only RETURN and REVERT have one. */
export function setOutput(start: usize, length: usize): void {
  outputStart = start;
  outputLength = length;
}

/** Sets the outcome of a transaction that ran no frame to its end. */
export function setOutcome(status: i32, gas: i64): void {
  outcomeStatus = status;
  outcomeGas = gas;
  outcomeGasNeeded = 0;
}

/** Ends the running frame. Returns true if its parent continues; the caller must load the parent's registers. */
export function endFrame(end: i32, gas: i64): bool {
  let status = end;
  let left = gas;
  let isDeposit = false;
  traceGasLeft(gas);
  const creates = (load<u32>(frame, layout.FRAME_FLAGS) & layout.FRAME_CREATES) != 0;
  if (outputLength > layout.RETURN_DATA_BYTES) status = OUT_OF_GAS;
  if (status == SUCCESS && creates) {
    left = finishCreation(ownAccount(), outputStart, outputLength, left);
    if (left < 0) status = <i32>-left;
    isDeposit = status == OUT_OF_GAS;
  }
  if (status != SUCCESS) revertFrame();
  if (status > REVERT) {
    left = 0;
    outputLength = 0;
  }
  if (outputLength) copyBytes(layout.RETURN_DATA, outputStart, outputLength);
  setReturnDataLength(outputLength);
  const used = load<i64>(frame, layout.FRAME_GAS_AT_START) - left;
  traceLeave(isDeposit ? DEPOSIT_OUT_OF_GAS : status, used, outputStart, outputLength);
  setOutput(0, 0);
  recordGasNeeded(left, 0);
  const needed = load<i64>(frame, layout.FRAME_GAS_NEEDED);
  const forwarded = load<i64>(frame, layout.FRAME_GAS_AT_START);
  popFrame();
  if (!frameCount) {
    setOutcome(status, left);
    outcomeGasNeeded = needed;
    return false;
  }
  const stipend = <i64>load<u32>(frame, layout.FRAME_STIPEND);
  recordGasNeeded(load<i64>(frame, layout.FRAME_GAS) + forwarded - stipend, minGasToForward(needed - stipend));
  returnToParent(status, left, creates);
  return true;
}

function revertFrame(): void {
  revertJournal(<usize>load<u32>(frame, layout.FRAME_JOURNAL_END));
  setLogs(<usize>load<u32>(frame, layout.FRAME_LOGS_END), load<u32>(frame, layout.FRAME_LOGS_COUNT));
  setRefund(load<i64>(frame, layout.FRAME_REFUND));
}

/** Returns gas, result and output of the child to the parent, which is the running frame again. */
function returnToParent(status: i32, gas: i64, creates: bool): void {
  store<i64>(frame, load<i64>(frame, layout.FRAME_GAS) + gas, layout.FRAME_GAS);
  const result = <usize>load<u32>(frame, layout.FRAME_STACK_TOP) - WORD_BYTES;
  if (!creates) {
    if (status == SUCCESS) setWord(result, 1);
    copyOutput();
  } else if (status == SUCCESS) {
    copyWord(result, frame + layout.FRAME_BYTES + layout.FRAME_ADDRESS);
    setReturnDataLength(0);
  }
}
