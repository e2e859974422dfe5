/**
 * Memory, storage and jumps. `top` is the address after the topmost stack item. Functions that charge return the gas
 * left.
 */

import { codeLength, codeStart, isStatic, jumpMap, recordGasNeeded, ownAccount } from '../frames';
import { charge, COLD_SLOT, COPY_WORD, outOfGas, STORE_STIPEND, WARM, wordsOf } from '../gas';
import { STATIC_VIOLATION } from '../halt';
import { SLOT_VALUE } from '../layout';
import { expand, expandFixed, memoryStart } from '../memory';
import { findSlot, warmSlot, writeSlot } from '../storage';
import { REPORTS_STEPS } from '../tracing';
import { writeTransient } from '../transient-storage';
import { copyWord, fitsLimb, isZero, lessThan, reverseBytes, reverseLimbs, WORD_BYTES } from '../word';

/** Bytes of a JUMPDEST that a jump skips: none in the build of steps, which reports it as a step. */
const AFTER_JUMPDEST: usize = REPORTS_STEPS ? 0 : 1;

/** MLOAD: writes the word of memory at an offset to a stack item. */
@inline
export function loadWord(result: usize, offset: usize, gas: i64): i64 {
  const left = expandFixed(offset, 32, gas);
  if (left >= 0) reverseBytes(result, memoryStart + <usize>load<u32>(offset));
  return left;
}

/** MSTORE: writes a stack item to memory at an offset. */
@inline
export function storeWord(offset: usize, item: usize, gas: i64): i64 {
  const left = expandFixed(offset, 32, gas);
  if (left >= 0) reverseLimbs(memoryStart + <usize>load<u32>(offset), item);
  return left;
}

@inline
export function mstore8(top: usize, gas: i64): i64 {
  const left = expandFixed(top - WORD_BYTES, 1, gas);
  if (left >= 0) store<u8>(memoryStart + <usize>load<u32>(top - WORD_BYTES), load<u8>(top - 2 * WORD_BYTES));
  return left;
}

/** MCOPY (EIP-5656): source and target may overlap. */
export function mcopy(top: usize, gas: i64): i64 {
  const target = top - WORD_BYTES;
  const source = top - 2 * WORD_BYTES;
  const length = top - 3 * WORD_BYTES;
  const expanded = expand(lessThan(target, source) ? source : target, length, gas);
  if (expanded < 0) return expanded;
  const left = charge(expanded, <i64>(COPY_WORD * wordsOf(load<u64>(length))));
  if (left < 0 || isZero(length)) return left;
  memory.copy(
    memoryStart + <usize>load<u32>(target),
    memoryStart + <usize>load<u32>(source),
    <usize>load<u32>(length),
  );
  return left;
}

export function sload(top: usize, gas: i64): i64 {
  const slot = findSlot(ownAccount(), top - WORD_BYTES);
  copyWord(top - WORD_BYTES, slot + SLOT_VALUE);
  return charge(gas, warmSlot(slot) ? COLD_SLOT : WARM);
}

/** SSTORE: halts if at most a call's stipend is left, so that a plain transfer changes no storage (EIP-2200). */
export function sstore(top: usize, gas: i64): i64 {
  if (isStatic()) return -(<i64>STATIC_VIOLATION);
  if (gas <= STORE_STIPEND) return outOfGas();
  recordGasNeeded(gas, STORE_STIPEND + 1);
  return charge(gas, writeSlot(ownAccount(), top - WORD_BYTES, top - 2 * WORD_BYTES));
}

/** TSTORE (EIP-1153) */
export function tstore(top: usize, gas: i64): i64 {
  if (isStatic()) return -(<i64>STATIC_VIOLATION);
  writeTransient(ownAccount(), top - WORD_BYTES, top - 2 * WORD_BYTES);
  return gas;
}

/** Returns the address at which a jump to a stack item continues; 0 without a JUMPDEST there. */
@inline
export function jumpTarget(item: usize): usize {
  const offset = load<u64>(item);
  if (!fitsLimb(item) || offset >= <u64>codeLength) return 0;
  const cell = load<u8>(jumpMap + (<usize>offset >> 3));
  return (<u32>cell >> (<u32>offset & 7)) & 1 ? codeStart + <usize>offset + AFTER_JUMPDEST : 0;
}
