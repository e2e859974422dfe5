/** CREATE and CREATE2, and the beginning and the end of every contract's creation. */

import { CREATE, CREATE2 } from '../../../build/evm/opcodes';
import { addTransactionFlags, findAccount, setNonce, setFlags, transfer } from './accounts';
import { codeBlockBytes, deployCode, layOutCode, prepareCode } from './code';
import { appendCreation, creationCount } from './creations';
import {
  allowsDeeper,
  childMemoryStart,
  frame,
  isStatic,
  ownAccount,
  pushFrame,
  saveRegisters,
  setReturnDataLength,
} from './frames';
import { allButOne64th, charge, CODE_DEPOSIT_BYTE, INIT_CODE_WORD, KECCAK_WORD, wordsOf } from './gas';
import * as halt from './halt';
import { arenaBytes, initCodeIsMetered } from './hardfork';
import { createAddress, hasStorage } from './host';
import { journalEnd } from './journal';
import { keccak256 } from '../../protocol/assembly/keccak256';
import * as layout from './layout';
import { ensureReach, expand, windowStart } from './memory';
import { traceEnter, traceLeave } from './tracing';
import { clearWord, copyWord, lessThan, reverseBytes, WORD_BYTES } from './word';
import { maskAddress } from './calls';

/** Bytes of code that a contract can have (EIP-170). */
const LARGEST_CODE: usize = 24576;
/** Bytes of init code (EIP-3860). */
const LARGEST_INIT_CODE: u64 = 49152;
/** First byte that the code of a contract must not have (EIP-3541). */
const RESERVED_FIRST_BYTE: u8 = 0xef;
/** A nonce that cannot grow (EIP-2681). */
const LAST_NONCE: u64 = u64.MAX_VALUE;

const newAddress: usize = memory.data(32, 16);
const newValue: usize = memory.data(32, 16);
const salt: usize = memory.data(32, 16);
/** What EIP-1014 hashes: 0xff, the creator's address, the salt and the hash of the init code. */
const addressPreimage: usize = memory.data(96, 16);
const ADDRESS_PREIMAGE_BYTES: usize = 85;

/**
 * Runs CREATE or CREATE2, whose operands are the frame's topmost items: value, offset and length of the init
 * code, and the salt of CREATE2. Afterwards the frame of the init code runs, or zero is on the stack; either
 * way the registers have to be loaded anew. Returns CONTINUE, or the code of the halt of the creating frame.
 */
export function create(hasSalt: bool): i32 {
  if (isStatic()) return halt.STATIC_VIOLATION;
  const top = <usize>load<u32>(frame, layout.FRAME_STACK_TOP);
  const offset = top - 2 * WORD_BYTES;
  const length = top - 3 * WORD_BYTES;
  const gas = chargeCreate(offset, length, hasSalt, load<i64>(frame, layout.FRAME_GAS));
  if (gas < 0) return <i32>-gas;

  const initCode = windowStart(offset, length);
  const initCodeLength = <usize>load<u32>(length);
  const result = hasSalt ? top - 4 * WORD_BYTES : length;
  copyWord(newValue, top - WORD_BYTES);
  if (hasSalt) copyWord(salt, result);
  clearWord(result);
  setReturnDataLength(0);
  store<u32>(frame, 0, layout.FRAME_OUTPUT_LENGTH);
  const programCounter = <usize>load<u32>(frame, layout.FRAME_PROGRAM_COUNTER);
  saveRegisters(programCounter, result + WORD_BYTES, gas);

  const creator = ownAccount();
  const nonce = load<u64>(creator, layout.ACCOUNT_NONCE);
  const isPoor = lessThan(creator + layout.ACCOUNT_BALANCE, newValue);
  const given = allButOne64th(gas);
  const kind = hasSalt ? CREATE2 : CREATE;
  if (!allowsDeeper() || isPoor || nonce == LAST_NONCE) {
    const reason = !allowsDeeper() ? halt.CALL_TOO_DEEP : isPoor ? halt.CALL_TOO_POOR : halt.NONCE_AT_END;
    clearWord(newAddress);
    traceEnter(kind, frame + layout.FRAME_ADDRESS, newAddress, newValue, given, gas, initCode, initCodeLength);
    traceLeave(reason, 0, 0, 0);
    return halt.CONTINUE;
  }
  store<u32>(frame, 0, layout.FRAME_STIPEND);
  store<i64>(frame, gas - given, layout.FRAME_GAS);
  setNonce(creator, nonce + 1);
  if (hasSalt) writeSaltedAddress(creator, initCode, initCodeLength);
  else writeNextAddress(creator, nonce);
  traceEnter(kind, frame + layout.FRAME_ADDRESS, newAddress, newValue, given, gas, initCode, initCodeLength);
  beginCreation(creator, initCode, initCodeLength, given);
  return halt.CONTINUE;
}

/** Charges everything but the gas given to the new frame. */
function chargeCreate(offset: usize, length: usize, hasSalt: bool, available: i64): i64 {
  const gas = expand(offset, length, available);
  if (gas < 0) return gas;
  const bytes = load<u64>(length);
  if (initCodeIsMetered && bytes > LARGEST_INIT_CODE) return -(<i64>halt.OUT_OF_GAS);
  const wordCost = (initCodeIsMetered ? INIT_CODE_WORD : 0) + (hasSalt ? KECCAK_WORD : 0);
  return charge(gas, <i64>(wordCost * wordsOf(bytes)));
}

/** Writes the address of CREATE, which the host chooses. */
function writeNextAddress(creator: usize, nonce: u64): void {
  store<u64>(layout.EXCHANGE_NONCE, nonce);
  createAddress(creator, creationCount, newAddress);
}

/** Writes the address of CREATE2 (EIP-1014). */
function writeSaltedAddress(creator: usize, initCode: usize, length: usize): void {
  reverseBytes(addressPreimage, creator + layout.ACCOUNT_ADDRESS);
  memory.copy(addressPreimage + 1, addressPreimage + 12, 20);
  store<u8>(addressPreimage, 0xff);
  reverseBytes(addressPreimage + 21, salt);
  keccak256(initCode, length, addressPreimage + 53);
  keccak256(addressPreimage, ADDRESS_PREIMAGE_BYTES, newAddress);
  reverseBytes(newAddress, newAddress);
  maskAddress(newAddress);
}

/**
 * Begins the frame of the init code. Where a contract already lives at the address, there is no frame and the
 * gas is gone. The new address is warm in any case (EIP-2929).
 */
function beginCreation(creator: usize, initCode: usize, length: usize, gas: i64): void {
  const account = findAccount(newAddress);
  addTransactionFlags(account, layout.ACCOUNT_IS_WARM);
  if (isOccupied(account)) {
    traceLeave(halt.CREATE_COLLISION, gas, 0, 0);
    return;
  }
  const block = childMemoryStart();
  const memoryAt = placeInitCode(block, initCode, length);
  if (!memoryAt) {
    traceLeave(halt.OUT_OF_GAS, gas, 0, 0);
    return;
  }
  const parent = frame;
  pushFrame(gas, block, 0, 0, layout.FRAME_CREATES, account, memoryAt, journalEnd);
  copyWord(frame + layout.FRAME_ADDRESS, newAddress);
  copyWord(frame + layout.FRAME_CALLER, parent + layout.FRAME_ADDRESS);
  copyWord(frame + layout.FRAME_VALUE, newValue);
  openAccount(account);
  transfer(creator, account, newValue);
}

/**
 * Makes a code block of init code in the arena, below the memory of the frame that runs it, so that it goes
 * with the frame. Returns where that memory begins, or 0 when the arena has no room.
 */
export function placeInitCode(block: usize, initCode: usize, length: usize): usize {
  const memoryAt = block + codeBlockBytes(length);
  if (<u64>memoryAt > <u64>layout.ARENA + arenaBytes) return 0;
  ensureReach(memoryAt);
  layOutCode(block, length);
  if (length) memory.copy(<usize>load<u32>(block, layout.CODE_START), initCode, length);
  prepareCode(block);
  return memoryAt;
}

/**
 * Whether a contract lives at an address, or lived there: code or a nonce (EIP-684), or storage (EIP-7610). Of an
 * account with neither code nor nonce the host knows all slots, save for one that lost them since the settlement.
 */
export function isOccupied(account: usize): bool {
  const flags = load<u32>(account, layout.ACCOUNT_FLAGS);
  if (flags & layout.ACCOUNT_HAS_CODE || load<u64>(account, layout.ACCOUNT_NONCE) != 0) return true;
  return !(flags & layout.ACCOUNT_IS_DETACHED) && hasStorage(account);
}

/** Brings the account of a new contract into being: its nonce is 1 and its storage empty (EIP-161). */
export function openAccount(account: usize): void {
  addTransactionFlags(account, layout.ACCOUNT_IS_NEW | layout.ACCOUNT_IS_TOUCHED);
  setFlags(account, load<u32>(account, layout.ACCOUNT_FLAGS) | layout.ACCOUNT_EXISTS | layout.ACCOUNT_IS_DETACHED);
  setNonce(account, 1);
  appendCreation(account);
}

/** Deploys what the init code returned. Returns the gas that is left, or a negated code of a halt. */
export function finishCreation(account: usize, code: usize, length: usize, gas: i64): i64 {
  if (length > LARGEST_CODE) return -(<i64>halt.CODE_TOO_LARGE);
  if (length && load<u8>(code) == RESERVED_FIRST_BYTE) return -(<i64>halt.INVALID_CODE_PREFIX);
  const left = charge(gas, <i64>(CODE_DEPOSIT_BYTE * length));
  if (left >= 0 && length) deployCode(account, code, length);
  return left;
}
