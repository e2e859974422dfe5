/**
 * The environment of a call and the block. `top` is the address after the topmost stack item. Functions that charge
 * return the gas left, `push…` the new top.
 */

import { accessCost, findAccount, isEmptyAccount } from '../accounts';
import { maskAddress } from '../call';
import { codeOf } from '../code';
import { codeLength, frame, returnDataLength } from '../frames';
import { charge, COPY_WORD, wordsOf } from '../gas';
import { RETURN_DATA_OUT_OF_BOUNDS } from '../halt';
import { loadBlockHash } from '../host';
import * as layout from '../layout';
import { copyPadded, expand, isAddressable, memoryStart } from '../memory';
import { clearWord, copyWord, fitsLimb, isZero, reverseBytes, setWord, WORD_BYTES } from '../word';

/** Keccak-256 of no bytes. */
const EMPTY_HASH: usize = memory.data<u8>([
  0xc5, 0xd2, 0x46, 0x01, 0x86, 0xf7, 0x23, 0x3c, 0x92, 0x7e, 0x7d, 0xb2, 0xdc, 0xc7, 0x03, 0xc0,
  0xe5, 0x00, 0xb6, 0x53, 0xca, 0x82, 0x27, 0x3b, 0x7b, 0xfa, 0xd8, 0x04, 0x5d, 0x85, 0xa4, 0x70,
]);
const inputWord: usize = memory.data(32, 16);

/** Number of previous blocks with a hash for BLOCKHASH. */
const BLOCKHASH_WINDOW: u64 = 256;

/** Pushes a word: ADDRESS, CALLER, ORIGIN, words of the block. */
@inline
export function pushWord(top: usize, word: usize): usize {
  copyWord(top, word);
  return top + WORD_BYTES;
}

/** Pushes the time of the block: TIMESTAMP. */
@inline
export function pushTime(top: usize): usize {
  store<u32>(layout.TIME_IS_READ, 1);
  return pushWord(top, layout.BLOCK_TIMESTAMP);
}

/** Pushes a number: CALLDATASIZE, CODESIZE, RETURNDATASIZE, PC, MSIZE, GAS. */
@inline
export function pushNumber(top: usize, number: u64): usize {
  setWord(top, number);
  return top + WORD_BYTES;
}

export function balance(top: usize, gas: i64): i64 {
  const account = findAccount(maskAddress(top - WORD_BYTES));
  copyWord(top - WORD_BYTES, account + layout.ACCOUNT_BALANCE);
  return charge(gas, accessCost(account));
}

export function calldataload(top: usize): void {
  const item = top - WORD_BYTES;
  const input = <usize>load<u32>(frame, layout.FRAME_INPUT);
  const length = <usize>load<u32>(frame, layout.FRAME_INPUT_LENGTH);
  if (isAddressable(item) && load<u64>(item) + WORD_BYTES <= length) {
    reverseBytes(item, input + <usize>load<u32>(item));
  } else {
    copyPadded(inputWord, item, WORD_BYTES, input, length);
    reverseBytes(item, inputWord);
  }
}

export function calldatacopy(top: usize, gas: i64): i64 {
  const length = <usize>load<u32>(frame, layout.FRAME_INPUT_LENGTH);
  return copyToMemory(top, gas, <usize>load<u32>(frame, layout.FRAME_INPUT), length);
}

export function codecopy(top: usize, gas: i64): i64 {
  const code = <usize>load<u32>(frame, layout.FRAME_CODE);
  return copyToMemory(top, gas, <usize>load<u32>(code, layout.CODE_START), codeLength);
}

export function extcodesize(top: usize, gas: i64): i64 {
  const account = findAccount(maskAddress(top - WORD_BYTES));
  const left = charge(gas, accessCost(account));
  if (left >= 0) setWord(top - WORD_BYTES, load<u32>(codeOf(account), layout.CODE_LENGTH));
  return left;
}

export function extcodecopy(top: usize, gas: i64): i64 {
  const account = findAccount(maskAddress(top - WORD_BYTES));
  const left = charge(gas, accessCost(account));
  if (left < 0) return left;
  const code = codeOf(account);
  const length = <usize>load<u32>(code, layout.CODE_LENGTH);
  return copyToMemory(top - WORD_BYTES, left, <usize>load<u32>(code, layout.CODE_START), length);
}

/** EXTCODEHASH: zero for an account that is empty (EIP-1052). */
export function extcodehash(top: usize, gas: i64): i64 {
  const item = top - WORD_BYTES;
  const account = findAccount(maskAddress(item));
  if (load<u32>(account, layout.ACCOUNT_FLAGS) & layout.ACCOUNT_HAS_CODE) {
    reverseBytes(item, account + layout.ACCOUNT_CODE_HASH);
  }
  else if (isEmptyAccount(account)) clearWord(item);
  else reverseBytes(item, EMPTY_HASH);
  return charge(gas, accessCost(account));
}

/** RETURNDATACOPY: halts if it reads beyond the end, unlike other copies (EIP-211). */
export function returndatacopy(top: usize, gas: i64): i64 {
  const offset = top - 2 * WORD_BYTES;
  const length = top - 3 * WORD_BYTES;
  const isReadable = isAddressable(offset) && isAddressable(length);
  const isInside = isReadable && load<u64>(offset) + load<u64>(length) <= <u64>returnDataLength;
  if (!isInside) return -(<i64>RETURN_DATA_OUT_OF_BOUNDS);
  return copyToMemory(top, gas, layout.RETURN_DATA, returnDataLength);
}

/** Copies to memory: the topmost items are the offset in memory, the offset in the source, and the length. */
function copyToMemory(top: usize, gas: i64, source: usize, sourceLength: usize): i64 {
  const target = top - WORD_BYTES;
  const offset = top - 2 * WORD_BYTES;
  const length = top - 3 * WORD_BYTES;
  const expanded = expand(target, length, gas);
  if (expanded < 0) return expanded;
  const left = charge(expanded, <i64>(COPY_WORD * wordsOf(load<u64>(length))));
  if (left < 0 || isZero(length)) return left;
  copyPadded(memoryStart + <usize>load<u32>(target), offset, <usize>load<u32>(length), source, sourceLength);
  return left;
}

/** BLOBHASH: zero beyond the blobs of the transaction. */
export function blobhash(top: usize): void {
  const item = top - WORD_BYTES;
  const index = load<u64>(item);
  if (fitsLimb(item) && index < <u64>load<u32>(layout.TRANSACTION_BLOBS)) {
    copyWord(item, layout.TRANSACTION_BLOB_HASHES + <usize>index * WORD_BYTES);
  } else clearWord(item);
}

/** BLOCKHASH: zero for the running block, later ones, and those more than 256 blocks before. */
export function blockhash(top: usize): void {
  const item = top - WORD_BYTES;
  const number = load<u64>(item);
  const current = load<u64>(layout.BLOCK_NUMBER);
  const isKnown = fitsLimb(item) && number < current && current - number <= BLOCKHASH_WINDOW;
  if (isKnown) loadBlockHash(<u32>(current - number), item);
  else clearWord(item);
}
