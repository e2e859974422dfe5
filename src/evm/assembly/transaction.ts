/** A transaction: its start, its outermost frame, and the destruction of accounts at its end. */

import { CALL, CREATE } from '../../../build/evm/opcodes';
import { run } from '../../../build/evm/run';
import {
  addTransactionFlags,
  burnBalance,
  findAccount,
  isEmptyAccount,
  overflows,
  precompileNumber,
  setNonce,
  setFlags,
  touch,
  transfer,
} from './accounts';
import { codeOf, removeCode } from './code';
import { delegateOf, isDelegation } from './delegations';
import { markCreationDestroyed } from './created-contracts';
import { isOccupied, openAccount, placeInitCode } from './create';
import { outcomeGas, outcomeGasNeeded, outcomeStatus, setOutcome, setOutput } from './frame-return';
import { frame, pushFrame, resetFrames, returnDataLength } from './frames';
import { BALANCE_OVERFLOW, CONTINUE, CREATE_COLLISION, OUT_OF_GAS, SUCCESS } from './halt';
import { compactJournal, journalEnd } from './journal';
import { revertJournal } from './revert';
import * as layout from './layout';
import { logsCount, setLogs } from './logs';
import { noteUse } from './memory';
import { callPrecompile } from './precompile-calls';
import { clearSlots, findSlot, warmSlot } from './storage';
import { traceEnter, traceLeave } from './tracing';
import { burned, refund, resetTransactionState } from './transaction-state';
import { emptyTransient } from './transient-storage';
import { copyWord } from './word';

/** Checkpoint of the journal at the start of the transaction. */
let transactionStart: usize = 0;

/** Begins a transaction: resets warm access, transient storage, refunds and logs. */
export function beginTransaction(): void {
  resetTransactionState();
  emptyTransient();
  setLogs(layout.LOGS, 0);
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

/** Returns the address at which the host writes the input: the start of the arena. */
export function inputPointer(length: u32): usize {
  noteUse(<u64>layout.ARENA + length);
  return layout.ARENA;
}

/** Runs a transaction. Its addresses, value and gas are in the exchange area, its input is in the arena. */
export function runTransaction(creates: bool, inputLength: u32): void {
  runMessage(creates, inputLength);
  store<i64>(layout.OUTCOME_GAS, outcomeGas);
  store<i64>(layout.OUTCOME_REFUND, refund);
  store<i64>(layout.OUTCOME_GAS_NEEDED, outcomeGasNeeded);
  store<i32>(layout.OUTCOME_STATUS, outcomeStatus);
  store<u32>(layout.OUTCOME_DATA_LENGTH, returnDataLength);
  store<u32>(layout.OUTCOME_LOGS, logsCount);
}

function runMessage(creates: bool, inputLength: u32): void {
  const caller = findAccount(layout.EXCHANGE_CALLER);
  const target = findAccount(layout.EXCHANGE_TARGET);
  addTransactionFlags(caller, layout.ACCOUNT_IS_WARM);
  addTransactionFlags(target, layout.ACCOUNT_IS_WARM);
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
    traceLeave(status, gas - outcomeGas, layout.RETURN_DATA, returnDataLength);
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

/** Pushes the frame of a creation. Returns CONTINUE, or the status that ends the transaction. */
function enterInitCode(target: usize, length: u32, gas: i64): i32 {
  const block = afterInput(length);
  const memoryAddress = placeInitCode(block, layout.ARENA, length);
  if (!memoryAddress || isOccupied(target) || overflows(target, layout.EXCHANGE_VALUE)) {
    setOutcome(memoryAddress ? CREATE_COLLISION : OUT_OF_GAS, 0);
    return outcomeStatus;
  }
  pushFrame(gas, block, 0, 0, layout.FRAME_CREATES, target, memoryAddress, journalEnd);
  return CONTINUE;
}

/** Transfers the value and pushes the frame of a call. Returns CONTINUE, or the status if no code is to run. */
function enterCall(caller: usize, target: usize, length: u32, gas: i64): i32 {
  const checkpoint = journalEnd;
  if (!transfer(caller, target, layout.EXCHANGE_VALUE)) {
    setOutcome(BALANCE_OVERFLOW, 0);
    return outcomeStatus;
  }
  const precompile = precompileNumber(target + layout.ACCOUNT_ADDRESS);
  if (precompile) {
    const left = callPrecompile(precompile, layout.ARENA, length, gas);
    if (left < 0) revertJournal(checkpoint);
    setOutcome(left < 0 ? <i32>-left : SUCCESS, max<i64>(left, 0));
    return outcomeStatus;
  }
  let code = codeOf(target);
  if (isDelegation(code)) {
    const delegate = delegateOf(code);
    addTransactionFlags(delegate, layout.ACCOUNT_IS_WARM);
    code = codeOf(delegate);
  }
  if (!load<u32>(code, layout.CODE_LENGTH)) {
    setOutcome(SUCCESS, gas);
    return outcomeStatus;
  }
  pushFrame(gas, code, layout.ARENA, length, 0, target, afterInput(length), checkpoint);
  return CONTINUE;
}

/** Returns the first word-aligned address after the input. */
function afterInput(length: u32): usize {
  return (layout.ARENA + <usize>length + 31) & ~31;
}

/**
 * Ends a transaction after the host settled its gas: destroys self-destructed accounts with their balances, and removes
 * touched accounts that are empty (EIP-161).
 */
export function endTransaction(): void {
  const end = journalEnd;
  for (let record = transactionStart; record < end; record += layout.RECORD_BYTES) {
    if (load<u32>(record, layout.RECORD_KIND) != layout.RECORD_TRANSACTION_FLAGS) continue;
    const account = <usize>load<u32>(record, layout.RECORD_ENTRY);
    const transactionFlags = load<u32>(account, layout.ACCOUNT_TRANSACTION_FLAGS);
    if (transactionFlags & layout.ACCOUNT_IS_SELFDESTRUCTED) destroy(account);
    if (transactionFlags & layout.ACCOUNT_IS_TOUCHED && isEmptyAccount(account)) {
      setFlags(account, load<u32>(account, layout.ACCOUNT_FLAGS) & ~layout.ACCOUNT_EXISTS);
    }
  }
}

/** Drops the journal records that only matter within the transaction. */
export function closeTransaction(): void {
  copyWord(layout.OUTCOME_BURNED, burned);
  compactJournal(transactionStart);
}

function destroy(account: usize): void {
  const transactionFlags = load<u32>(account, layout.ACCOUNT_TRANSACTION_FLAGS);
  store<u32>(account, transactionFlags & ~layout.ACCOUNT_IS_SELFDESTRUCTED, layout.ACCOUNT_TRANSACTION_FLAGS);
  burnBalance(account);
  setNonce(account, 0);
  removeCode(account);
  clearSlots(account);
  setFlags(account, load<u32>(account, layout.ACCOUNT_FLAGS) | layout.ACCOUNT_IS_DETACHED);
  markCreationDestroyed(account);
}
