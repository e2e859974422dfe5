/** How frames end: what the parent gets back, and what is undone. */

import { copyOutput } from './calls';
import { finishCreation } from './creates';
import { frame, frameCount, needGas, ownAccount, popFrame, setReturnDataLength } from './frames';
import { reserveFor } from './gas';
import { DEPOSIT_OUT_OF_GAS, OUT_OF_GAS, REVERT, SUCCESS } from './halt';
import { revertJournal } from './revert';
import * as layout from './layout';
import { setLogs } from './logs';
import { setRefund } from './refund';
import { traceGasLeft, traceLeave } from './tracing';
import { copyBytes, copyWord, setWord, WORD_BYTES } from './word';

/** Output of the ending frame: where it lies in memory and how long it is. */
let outputStart: usize = 0;
let outputLength: usize = 0;

/** How the transaction's own frame ended, and the gas it left. */
export let finalStatus: i32 = 0;
export let finalGas: i64 = 0;
/** Gas that the transaction's own frame needed; 0 where none ran to its end. */
export let finalGasNeeded: i64 = 0;

/** RETURN and REVERT set the output; every other end has none. */
export function setOutput(start: usize, length: usize): void {
  outputStart = start;
  outputLength = length;
}

/** Notes the outcome of a transaction that ran no frame to its end. */
export function setOutcome(status: i32, gas: i64): void {
  finalStatus = status;
  finalGas = gas;
  finalGasNeeded = 0;
}

/** Ends the running frame. Returns whether another one runs on; its registers have to be loaded. */
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
  if (status != SUCCESS) undoFrame();
  if (status > REVERT) {
    left = 0;
    outputLength = 0;
  }
  if (outputLength) copyBytes(layout.RETURN_DATA, outputStart, outputLength);
  setReturnDataLength(outputLength);
  const used = load<i64>(frame, layout.FRAME_GAS_AT_START) - left;
  traceLeave(isDeposit ? DEPOSIT_OUT_OF_GAS : status, used, outputStart, outputLength);
  setOutput(0, 0);
  needGas(left, 0);
  const needed = load<i64>(frame, layout.FRAME_GAS_NEEDED);
  const given = load<i64>(frame, layout.FRAME_GAS_AT_START);
  popFrame();
  if (!frameCount) {
    setOutcome(status, left);
    finalGasNeeded = needed;
    return false;
  }
  const stipend = <i64>load<u32>(frame, layout.FRAME_STIPEND);
  needGas(load<i64>(frame, layout.FRAME_GAS) + given - stipend, reserveFor(needed - stipend));
  handBack(status, left, creates);
  return true;
}

function undoFrame(): void {
  revertJournal(<usize>load<u32>(frame, layout.FRAME_JOURNAL_END));
  setLogs(<usize>load<u32>(frame, layout.FRAME_LOGS_END), load<u32>(frame, layout.FRAME_LOGS_COUNT));
  setRefund(load<i64>(frame, layout.FRAME_REFUND));
}

/** Gives the parent, which is the running frame again, gas, result and output of its child. */
function handBack(status: i32, gas: i64, creates: bool): void {
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
