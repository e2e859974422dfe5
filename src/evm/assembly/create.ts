/** CREATE and CREATE2, and the start and end of every contract creation. */

import { CREATE, CREATE2 } from '../../../build/evm/opcodes';
import { addTransactionFlags, findAccount, overflows, setNonce, setFlags, transfer } from './accounts';
import { codeBlockBytes, deployCode, layOutCode, prepareCode } from './code';
import { appendCreation, creationCount } from './created-contracts';
import {
  isBelowDepthLimit,
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
import { arenaBytes, codeBytesMax, initCodeIsMetered } from './hardfork';
import { createAddress, hasStorage } from './host';
import { journalEnd } from './journal';
import { keccak256 } from '../../protocol/assembly/keccak256';
import * as layout from './layout';
import { expand, noteUse, rangeStart } from './memory';
import { traceEnter, traceLeave } from './tracing';
import { clearWord, copyWord, lessThan, reverseBytes, WORD_BYTES } from './word';
import { maskAddress } from './call';

/** First byte that the code of a contract must not have (EIP-3541). */
const RESERVED_FIRST_BYTE: u8 = 0xef;
/** The nonce of an account that can create no more contracts (EIP-2681). */
const NONCE_MAX: u64 = u64.MAX_VALUE;

const newAddress: usize = memory.data(32, 16);
const newValue: usize = memory.data(32, 16);
const salt: usize = memory.data(32, 16);
/** The preimage of an address (EIP-1014): 0xff, the creator's address, the salt and the hash of the init code. */
const addressPreimage: usize = memory.data(96, 16);
const ADDRESS_PREIMAGE_BYTES: usize = 85;

/**
 * Runs CREATE or CREATE2. Its operands are the topmost stack items: value, offset and length of the init code, and the
 * salt of CREATE2. Begins the frame of the init code, or pushes zero; either way the caller must reload the registers.
 * Returns CONTINUE, or the code of the halt of the creating frame.
 */
export function create(hasSalt: bool): i32 {
  if (isStatic()) return halt.STATIC_VIOLATION;
  const top = <usize>load<u32>(frame, layout.FRAME_STACK_TOP);
  const offset = top - 2 * WORD_BYTES;
  const length = top - 3 * WORD_BYTES;
  const gas = chargeCreate(offset, length, hasSalt, load<i64>(frame, layout.FRAME_GAS));
  if (gas < 0) return <i32>-gas;

  const initCode = rangeStart(offset, length);
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
  const lacksBalance = lessThan(creator + layout.ACCOUNT_BALANCE, newValue);
  const forwarded = allButOne64th(gas);
  const kind = hasSalt ? CREATE2 : CREATE;
  if (!isBelowDepthLimit() || lacksBalance || nonce == NONCE_MAX) {
    const balanceOrNonce = lacksBalance ? halt.CALL_INSUFFICIENT_BALANCE : halt.NONCE_OVERFLOW;
    const reason = isBelowDepthLimit() ? balanceOrNonce : halt.CALL_TOO_DEEP;
    clearWord(newAddress);
    traceEnter(kind, frame + layout.FRAME_ADDRESS, newAddress, newValue, forwarded, gas, initCode, initCodeLength);
    traceLeave(reason, 0, 0, 0);
    return halt.CONTINUE;
  }
  store<u32>(frame, 0, layout.FRAME_STIPEND);
  store<i64>(frame, gas - forwarded, layout.FRAME_GAS);
  setNonce(creator, nonce + 1);
  if (hasSalt) writeSaltedAddress(creator, initCode, initCodeLength);
  else writeNextAddress(creator, nonce);
  traceEnter(kind, frame + layout.FRAME_ADDRESS, newAddress, newValue, forwarded, gas, initCode, initCodeLength);
  beginCreation(creator, initCode, initCodeLength, forwarded);
  return halt.CONTINUE;
}

/** Charges everything except the gas forwarded to the new frame. */
function chargeCreate(offset: usize, length: usize, hasSalt: bool, available: i64): i64 {
  const gas = expand(offset, length, available);
  if (gas < 0) return gas;
  const bytes = load<u64>(length);
  if (initCodeIsMetered && bytes > 2 * codeBytesMax) return -(<i64>halt.OUT_OF_GAS);
  const wordCost = (initCodeIsMetered ? INIT_CODE_WORD : 0) + (hasSalt ? KECCAK_WORD : 0);
  return charge(gas, <i64>(wordCost * wordsOf(bytes)));
}

/** Writes the address of CREATE, which the host determines. */
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
 * Begins the frame of the init code. If the address is occupied, no frame begins and the gas is consumed. The address
 * is warm in any case (EIP-2929).
 */
function beginCreation(creator: usize, initCode: usize, length: usize, gas: i64): void {
  const account = findAccount(newAddress);
  addTransactionFlags(account, layout.ACCOUNT_IS_WARM);
  if (isOccupied(account) || overflows(account, newValue)) {
    traceLeave(halt.CREATE_COLLISION, gas, 0, 0);
    return;
  }
  const block = childMemoryStart();
  const memoryAddress = placeInitCode(block, initCode, length);
  if (!memoryAddress) {
    traceLeave(halt.OUT_OF_GAS, gas, 0, 0);
    return;
  }
  const parent = frame;
  pushFrame(gas, block, 0, 0, layout.FRAME_CREATES, account, memoryAddress, journalEnd);
  copyWord(frame + layout.FRAME_ADDRESS, newAddress);
  copyWord(frame + layout.FRAME_CALLER, parent + layout.FRAME_ADDRESS);
  copyWord(frame + layout.FRAME_VALUE, newValue);
  openAccount(account);
  transfer(creator, account, newValue);
}

/**
 * Writes init code as a code block to the arena, below the memory of the frame that runs it, so that it is freed with
 * the frame. Returns the start of that memory, or 0 if the arena is full.
 */
export function placeInitCode(block: usize, initCode: usize, length: usize): usize {
  const memoryAddress = block + codeBlockBytes(length);
  if (<u64>memoryAddress > <u64>layout.ARENA + arenaBytes) return 0;
  noteUse(memoryAddress);
  layOutCode(block, length);
  if (length) memory.copy(<usize>load<u32>(block, layout.CODE_START), initCode, length);
  prepareCode(block);
  return memoryAddress;
}

/**
 * True if an account has code or a nonce (EIP-684), or storage (EIP-7610), so that no contract may be created there.
 * The host knows all slots of an account without code and nonce, unless the account lost them since the last
 * settlement.
 */
export function isOccupied(account: usize): bool {
  const flags = load<u32>(account, layout.ACCOUNT_FLAGS);
  if (flags & layout.ACCOUNT_HAS_CODE || load<u64>(account, layout.ACCOUNT_NONCE) != 0) return true;
  return !(flags & layout.ACCOUNT_IS_DETACHED) && hasStorage(account);
}

/** Creates the account of a new contract with nonce 1 (EIP-161) and empty storage. */
export function openAccount(account: usize): void {
  addTransactionFlags(account, layout.ACCOUNT_IS_NEW | layout.ACCOUNT_IS_TOUCHED);
  setFlags(account, load<u32>(account, layout.ACCOUNT_FLAGS) | layout.ACCOUNT_EXISTS | layout.ACCOUNT_IS_DETACHED);
  setNonce(account, 1);
  appendCreation(account);
}

/** Deploys the code that the init code returned. Returns the gas left, or a negated code of a halt. */
export function finishCreation(account: usize, code: usize, length: usize, gas: i64): i64 {
  if (<u64>length > codeBytesMax) return -(<i64>halt.CODE_TOO_LARGE);
  if (length && load<u8>(code) == RESERVED_FIRST_BYTE) return -(<i64>halt.INVALID_CODE_PREFIX);
  const left = charge(gas, <i64>(CODE_DEPOSIT_BYTE * length));
  if (left >= 0 && length) deployCode(account, code, length);
  return left;
}
