/** A transaction: its beginning, its own frame, and what happens to accounts at its end. */

import { CALL, CREATE } from '../../../build/evm/opcodes';
import { run } from '../../../build/evm/run';
import {
  addTransactionFlags,
  findAccount,
  isEmptyAccount,
  precompileNumber,
  setBalance,
  setNonce,
  setFlags,
  touch,
  transfer,
} from './accounts';
import { burn, burned, forgetBurned } from './burned';
import { codeOf, removeCode } from './code';
import { markCreationDestroyed } from './creations';
import { isOccupied, openAccount, placeInitCode } from './creates';
import { finalGas, finalGasNeeded, finalStatus, setOutcome, setOutput } from './ends';
import { frame, pushFrame, resetFrames, returnDataLength } from './frames';
import { CONTINUE, CREATE_COLLISION, OUT_OF_GAS, SUCCESS } from './halt';
import { coinbaseIsWarm } from './hardfork';
import { nextGeneration } from './generation';
import { compactJournal, journalEnd } from './journal';
import { revertJournal } from './revert';
import * as layout from './layout';
import { logsCount, setLogs } from './logs';
import { ensureReach } from './memory';
import { callPrecompile } from './precompiled';
import { refund, setRefund } from './refund';
import { clearSlots, findSlot, warmSlot } from './storage';
import { traceEnter, traceLeave } from './tracing';
import { emptyTransient } from './transient';
import { clearWord, copyWord } from './word';

const zero: usize = memory.data(32, 16);
/** Where the journal ended when the transaction began. */
let transactionStart: usize = 0;

/** Begins a transaction: fresh warmth, transient storage, refunds, logs. */
export function beginTransaction(): void {
  nextGeneration();
  emptyTransient();
  setRefund(0);
  setLogs(layout.LOGS, 0);
  forgetBurned();
  resetFrames();
  setOutput(0, 0);
  transactionStart = journalEnd;
}

/** Makes an account of the access list warm (EIP-2930). */
export function warmAccount(address: usize): void {
  addTransactionFlags(findAccount(address), layout.ACCOUNT_IS_WARM);
}

/** Makes a slot of the access list warm (EIP-2930). */
export function warmStorage(address: usize, key: usize): void {
  warmSlot(findSlot(findAccount(address), key));
}

/** Where the host writes the input of the transaction: at the beginning of the arena. */
export function inputPointer(length: u32): usize {
  ensureReach(<u64>layout.ARENA + length);
  return layout.ARENA;
}

/** Runs the transaction whose parties, value and gas are in the exchange and whose input is in the arena. */
export function runTransaction(creates: bool, inputLength: u32): void {
  runMessage(creates, inputLength);
  store<i64>(layout.OUTCOME_GAS, finalGas);
  store<i64>(layout.OUTCOME_REFUND, refund);
  store<i64>(layout.OUTCOME_GAS_NEEDED, finalGasNeeded);
  store<i32>(layout.OUTCOME_STATUS, finalStatus);
  store<u32>(layout.OUTCOME_DATA_LENGTH, returnDataLength);
  store<u32>(layout.OUTCOME_LOGS, logsCount);
}

function runMessage(creates: bool, inputLength: u32): void {
  const caller = findAccount(layout.EXCHANGE_CALLER);
  const target = findAccount(layout.EXCHANGE_TARGET);
  addTransactionFlags(caller, layout.ACCOUNT_IS_WARM);
  addTransactionFlags(target, layout.ACCOUNT_IS_WARM);
  if (coinbaseIsWarm) addTransactionFlags(findAccount(layout.BLOCK_COINBASE), layout.ACCOUNT_IS_WARM);
  touch(caller);
  const gas = load<i64>(layout.EXCHANGE_GAS);
  const kind = creates ? CREATE : CALL;
  traceEnter(
    kind,
    layout.EXCHANGE_CALLER,
    layout.EXCHANGE_TARGET,
    layout.EXCHANGE_VALUE,
    gas,
    0,
    layout.ARENA,
    inputLength,
  );
  const status = creates
    ? enterInitCode(target, inputLength, gas)
    : enterCall(caller, target, inputLength, gas);
  if (status != CONTINUE) {
    traceLeave(status, gas - finalGas, layout.RETURN_DATA, returnDataLength);
    return;
  }
  copyWord(frame + layout.FRAME_ADDRESS, layout.EXCHANGE_TARGET);
  copyWord(frame + layout.FRAME_CALLER, layout.EXCHANGE_CALLER);
  copyWord(frame + layout.FRAME_VALUE, layout.EXCHANGE_VALUE);
  if (creates) {
    openAccount(target);
    transfer(caller, target, layout.EXCHANGE_VALUE);
  }
  run();
}

/** Pushes the frame of a creation, or says why there is none. */
function enterInitCode(target: usize, length: u32, gas: i64): i32 {
  const block = afterInput(length);
  const memoryAt = placeInitCode(block, layout.ARENA, length);
  if (!memoryAt || isOccupied(target)) {
    setOutcome(memoryAt ? CREATE_COLLISION : OUT_OF_GAS, 0);
    return finalStatus;
  }
  pushFrame(gas, block, 0, 0, layout.FRAME_CREATES, target, memoryAt, journalEnd);
  return CONTINUE;
}

/** Moves the value and pushes the frame of a call; where no code is to run, the transaction is over. */
function enterCall(caller: usize, target: usize, length: u32, gas: i64): i32 {
  const mark = journalEnd;
  transfer(caller, target, layout.EXCHANGE_VALUE);
  const precompile = precompileNumber(target + layout.ACCOUNT_ADDRESS);
  if (precompile) {
    const left = callPrecompile(precompile, layout.ARENA, length, gas);
    if (left < 0) revertJournal(mark);
    setOutcome(left < 0 ? <i32>-left : SUCCESS, max<i64>(left, 0));
    return finalStatus;
  }
  const code = codeOf(target);
  if (!load<u32>(code, layout.CODE_LENGTH)) {
    setOutcome(SUCCESS, gas);
    return finalStatus;
  }
  pushFrame(gas, code, layout.ARENA, length, 0, target, afterInput(length), mark);
  return CONTINUE;
}

/** First place after the input, at a multiple of a word. */
function afterInput(length: u32): usize {
  return (layout.ARENA + <usize>length + 31) & ~31;
}

/**
 * Ends a transaction after the host settled its gas: what was destroyed goes, with its balance, and so does
 * what was touched and is empty (EIP-161).
 */
export function endTransaction(): void {
  const end = journalEnd;
  for (let record = transactionStart; record < end; record += layout.RECORD_BYTES) {
    if (load<u32>(record, layout.RECORD_KIND) != layout.RECORD_TRANSACTION_FLAGS) continue;
    const account = <usize>load<u32>(record, layout.RECORD_ENTRY);
    const transactionFlags = load<u32>(account, layout.ACCOUNT_TRANSACTION_FLAGS);
    if (transactionFlags & layout.ACCOUNT_IS_DOOMED) destroy(account);
    if (transactionFlags & layout.ACCOUNT_IS_TOUCHED && isEmptyAccount(account)) {
      setFlags(account, load<u32>(account, layout.ACCOUNT_FLAGS) & ~layout.ACCOUNT_EXISTS);
    }
  }
}

/** Forgets what only mattered within the transaction. */
export function closeTransaction(): void {
  copyWord(layout.OUTCOME_BURNED, burned);
  compactJournal(transactionStart);
}

function destroy(account: usize): void {
  const transactionFlags = load<u32>(account, layout.ACCOUNT_TRANSACTION_FLAGS);
  store<u32>(account, transactionFlags & ~layout.ACCOUNT_IS_DOOMED, layout.ACCOUNT_TRANSACTION_FLAGS);
  burn(account + layout.ACCOUNT_BALANCE);
  clearWord(zero);
  setBalance(account, zero);
  setNonce(account, 0);
  removeCode(account);
  clearSlots(account);
  setFlags(account, load<u32>(account, layout.ACCOUNT_FLAGS) | layout.ACCOUNT_IS_DETACHED);
  markCreationDestroyed(account);
}
