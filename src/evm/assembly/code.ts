/** Code blocks: deployed code by its hash, and its jump destinations. */

import { JUMPDEST, PUSH0, PUSH1, PUSH32 } from '../../../build/evm/opcodes';
import { fuseInstructions } from './fusion';
import { CODE_FULL } from './halt';
import { hashWord } from './hashing';
import { fail, loadCode } from './host';
import { recordWord } from './journal';
import * as layout from './layout';
import { setFlags } from './accounts';
import { keccak256 } from '../../protocol/assembly/keccak256';
import { clearWord, copyWord, equals } from './word';

/** Address after the last block. */
export let codeEnd: usize = layout.CODE;
let blockCount: u32 = 0;
/** Number of settlements: the host does not have code deployed since the last one. */
let settlement: u32 = 1;
const newHash: usize = memory.data(32, 16);

export function codeBlockBytes(length: usize): usize {
  const codeAndPadding = (2 * length + 3 * layout.CODE_PADDING_BYTES + 7) & ~7;
  return (layout.CODE_HEADER_BYTES + codeAndPadding + (length >> 3) + 1 + 31) & ~31;
}

/** Writes the header of a block, and zeros around its code, which the caller fills in. */
export function layOutCode(block: usize, length: usize): void {
  const bytes = codeBlockBytes(length);
  memory.fill(block, 0, layout.CODE_HEADER_BYTES);
  const start = block + layout.CODE_HEADER_BYTES;
  memory.fill(start + length, 0, block + bytes - start - length);
  store<u32>(block, length, layout.CODE_LENGTH);
  store<u32>(block, bytes, layout.CODE_BLOCK_BYTES);
  writePointers(block);
}

function writePointers(block: usize): void {
  const length = <usize>load<u32>(block, layout.CODE_LENGTH);
  const start = block + layout.CODE_HEADER_BYTES;
  const fused = start + length + layout.CODE_PADDING_BYTES;
  store<u32>(block, start, layout.CODE_START);
  store<u32>(block, fused, layout.CODE_FUSED);
  store<u32>(block, (fused + length + 2 * layout.CODE_PADDING_BYTES + 7) & ~7, layout.CODE_JUMP_MAP);
}

/** Prepares a block for execution, once its code is filled in. */
export function prepareCode(block: usize): void {
  const length = <usize>load<u32>(block, layout.CODE_LENGTH);
  if (length) {
    memory.copy(<usize>load<u32>(block, layout.CODE_FUSED), <usize>load<u32>(block, layout.CODE_START), length);
  }
  markJumpDestinations(block);
  fuseInstructions(block);
}

/** Marks the jump destinations: each JUMPDEST outside of the data of a PUSH. */
function markJumpDestinations(block: usize): void {
  const start = <usize>load<u32>(block, layout.CODE_START);
  const length = <usize>load<u32>(block, layout.CODE_LENGTH);
  const map = <usize>load<u32>(block, layout.CODE_JUMP_MAP);
  for (let offset: usize = 0; offset < length; offset++) {
    const opcode = <u32>load<u8>(start + offset);
    if (opcode == JUMPDEST) {
      const cell = map + (offset >> 3);
      store<u8>(cell, load<u8>(cell) | (1 << <u8>(offset & 7)));
    } else if (opcode >= PUSH1 && opcode <= PUSH32) {
      offset += opcode - PUSH0;
    }
  }
}

/** Allocates a block for `length` bytes of code. It is part of the table once `enterCode` adds it. */
export function allocateCode(length: usize): usize {
  const block = codeEnd;
  if (codeBlockBytes(length) > <usize>(layout.CODE + layout.CODE_BYTES) - block) fail(CODE_FULL);
  layOutCode(block, length);
  return block;
}

/** Adds the block that was allocated last to the table, under a hash. */
function enterCode(block: usize, hash: usize): void {
  if (blockCount >= layout.CODE_BLOCKS_CAPACITY) fail(CODE_FULL);
  copyWord(block + layout.CODE_HASH, hash);
  prepareCode(block);
  codeEnd = block + <usize>load<u32>(block, layout.CODE_BLOCK_BYTES);
  indexCode(block);
}

function indexCode(block: usize): void {
  const cell = findCell(block + layout.CODE_HASH);
  store<u32>(cell, block);
  store<u32>(block, cell, layout.CODE_CELL);
  blockCount++;
}

/** Returns the index cell of the code with a hash, or the empty cell for it. */
function findCell(hash: usize): usize {
  let index = hashWord(hash) & (layout.CODE_INDEX_CELLS - 1);
  while (true) {
    const cell = layout.CODE_INDEX + (<usize>index << 2);
    const block = <usize>load<u32>(cell);
    if (!block || equals(block + layout.CODE_HASH, hash)) return cell;
    index = (index + 1) & (layout.CODE_INDEX_CELLS - 1);
  }
}

export function codeOf(account: usize): usize {
  const block = <usize>load<u32>(account, layout.ACCOUNT_CODE);
  return block ? block : resolveCode(account);
}

function resolveCode(account: usize): usize {
  let block: usize = layout.EMPTY_CODE;
  if (load<u32>(account, layout.ACCOUNT_FLAGS) & layout.ACCOUNT_HAS_CODE) {
    const hash = account + layout.ACCOUNT_CODE_HASH;
    block = <usize>load<u32>(findCell(hash));
    if (!block) {
      block = loadCode(account);
      enterCode(block, hash);
    }
  }
  store<u32>(account, block, layout.ACCOUNT_CODE);
  return block;
}

/** Sets the code of an account to the bytes at `bytes`, at least one. */
export function deployCode(account: usize, bytes: usize, length: usize): void {
  keccak256(bytes, length, newHash);
  let block = <usize>load<u32>(findCell(newHash));
  if (!block) {
    block = allocateCode(length);
    memory.copy(<usize>load<u32>(block, layout.CODE_START), bytes, length);
    enterCode(block, newHash);
  }
  store<u32>(block, settlement, layout.CODE_SETTLEMENT);
  recordCode(account);
  copyWord(account + layout.ACCOUNT_CODE_HASH, newHash);
  store<u32>(account, block, layout.ACCOUNT_CODE);
  setFlags(account, load<u32>(account, layout.ACCOUNT_FLAGS) | layout.ACCOUNT_HAS_CODE);
}

export function removeCode(account: usize): void {
  recordCode(account);
  clearWord(account + layout.ACCOUNT_CODE_HASH);
  store<u32>(account, layout.EMPTY_CODE, layout.ACCOUNT_CODE);
  setFlags(account, load<u32>(account, layout.ACCOUNT_FLAGS) & ~layout.ACCOUNT_HAS_CODE);
}

function recordCode(account: usize): void {
  recordWord(layout.RECORD_CODE, account, account + layout.ACCOUNT_CODE_HASH);
}

/** Records that the host has stored the code deployed so far. */
export function settleCode(): void {
  settlement++;
}

export function emptyCode(): void {
  evictCode(false);
}

/**
 * Evicts code between transactions: all of it, or the code that the host has stored. Compacts the rest. The caller must
 * reset the block pointers of accounts.
 */
export function evictCode(keepsUnsettled: bool): void {
  const end = codeEnd;
  for (let block: usize = layout.CODE; block < end; block += <usize>load<u32>(block, layout.CODE_BLOCK_BYTES)) {
    store<u32>(<usize>load<u32>(block, layout.CODE_CELL), 0);
  }
  codeEnd = layout.CODE;
  blockCount = 0;
  let block: usize = layout.CODE;
  while (block < end) {
    const bytes = <usize>load<u32>(block, layout.CODE_BLOCK_BYTES);
    if (keepsUnsettled && load<u32>(block, layout.CODE_SETTLEMENT) == settlement) moveCode(block, bytes);
    block += bytes;
  }
}

function moveCode(block: usize, bytes: usize): void {
  const target = codeEnd;
  if (target != block) {
    memory.copy(target, block, bytes);
    writePointers(target);
  }
  codeEnd = target + bytes;
  indexCode(target);
}
