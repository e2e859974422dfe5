/** The table of storage slots: loaded through the host at the first touch, changed under the journal. */

import { COLD_SLOT, REFUND_CLEAR, STORE_CHANGE, STORE_NEW, WARM } from './gas';
import { generation } from './generation';
import { SLOTS_FULL } from './halt';
import { hashWord } from './hashing';
import { fail, loadSlot } from './host';
import { appendRecord, recordWord } from './journal';
import {
  ACCOUNT_FLAGS,
  ACCOUNT_IS_DETACHED,
  ACCOUNT_SLOTS,
  RECORD_SLOT,
  RECORD_SLOT_WARMTH,
  SLOT_ACCOUNT,
  SLOT_BYTES,
  SLOT_CELL,
  SLOT_GENERATION,
  SLOT_IS_LOADED,
  SLOT_IS_WARM,
  SLOT_KEY,
  SLOT_NEXT,
  SLOT_ORIGINAL,
  SLOT_SETTLED,
  SLOT_VALUE,
  SLOTS,
  SLOTS_CAPACITY,
  SLOTS_INDEX,
  SLOTS_INDEX_CELLS,
} from './layout';
import { addRefund } from './refund';
import { clearWord, clearWords, copyWord, equals, isZero } from './word';

export let slotCount: u32 = 0;

export function findSlot(account: usize, key: usize): usize {
  let cell = hashWord(key, account) & (SLOTS_INDEX_CELLS - 1);
  let number = load<u32>(SLOTS_INDEX + (<usize>cell << 2));
  while (number) {
    const slot = SLOTS + <usize>(number - 1) * SLOT_BYTES;
    if (load<u32>(slot, SLOT_ACCOUNT) == account && equals(slot + SLOT_KEY, key)) {
      if (load<u32>(slot, SLOT_GENERATION) != generation) beginGeneration(slot, account);
      return slot;
    }
    cell = (cell + 1) & (SLOTS_INDEX_CELLS - 1);
    number = load<u32>(SLOTS_INDEX + (<usize>cell << 2));
  }
  return addSlot(account, key, cell);
}

/** The value before the transaction is the current one; a slot that the host was not asked for is loaded now. */
function beginGeneration(slot: usize, account: usize): void {
  if (!load<u32>(slot, SLOT_IS_LOADED)) loadUnlessDetached(slot, account);
  copyWord(slot + SLOT_ORIGINAL, slot + SLOT_VALUE);
  store<u32>(slot, generation, SLOT_GENERATION);
  store<u32>(slot, 0, SLOT_IS_WARM);
}

function addSlot(account: usize, key: usize, cell: u32): usize {
  if (slotCount >= SLOTS_CAPACITY) fail(SLOTS_FULL);
  const slot = SLOTS + <usize>slotCount * SLOT_BYTES;
  clearWords(slot, SLOT_BYTES);
  copyWord(slot + SLOT_KEY, key);
  store<u32>(slot, account, SLOT_ACCOUNT);
  store<u32>(slot, cell, SLOT_CELL);
  beginGeneration(slot, account);
  store<u32>(slot, load<u32>(account, ACCOUNT_SLOTS), SLOT_NEXT);
  store<u32>(account, slot, ACCOUNT_SLOTS);
  slotCount++;
  store<u32>(SLOTS_INDEX + (<usize>cell << 2), slotCount);
  return slot;
}

function loadUnlessDetached(slot: usize, account: usize): void {
  if (load<u32>(account, ACCOUNT_FLAGS) & ACCOUNT_IS_DETACHED) return;
  store<u32>(slot, 1, SLOT_IS_LOADED);
  loadSlot(slot);
  settleSlot(slot);
}

/** Empties the table, in time proportional to what it holds. */
export function emptySlots(): void {
  for (let index: u32 = 0; index < slotCount; index++) {
    const cell = load<u32>(SLOTS + <usize>index * SLOT_BYTES, SLOT_CELL);
    store<u32>(SLOTS_INDEX + (<usize>cell << 2), 0);
  }
  slotCount = 0;
}

export function settleSlot(slot: usize): void {
  copyWord(slot + SLOT_SETTLED, slot + SLOT_VALUE);
}

/** Sets all known slots of an account to zero. */
export function clearSlots(account: usize): void {
  for (let slot = <usize>load<u32>(account, ACCOUNT_SLOTS); slot; slot = <usize>load<u32>(slot, SLOT_NEXT)) {
    if (isZero(slot + SLOT_VALUE)) continue;
    recordWord(RECORD_SLOT, slot, slot + SLOT_VALUE);
    clearWord(slot + SLOT_VALUE);
  }
}

/** Makes a slot warm; returns whether it was cold (EIP-2929). */
@inline
export function warmSlot(slot: usize): bool {
  if (load<u32>(slot, SLOT_IS_WARM)) return false;
  appendRecord(RECORD_SLOT_WARMTH, slot);
  store<u32>(slot, 1, SLOT_IS_WARM);
  return true;
}

/** Writes a value and returns the cost; refunds are counted (EIP-2200, EIP-2929, EIP-3529). */
export function writeSlot(account: usize, key: usize, value: usize): i64 {
  const slot = findSlot(account, key);
  const current = slot + SLOT_VALUE;
  const original = slot + SLOT_ORIGINAL;
  const coldCost = warmSlot(slot) ? COLD_SLOT : 0;
  if (equals(current, value)) return coldCost + WARM;
  const cost = equals(current, original)
    ? firstWriteCost(original, value)
    : furtherWriteCost(original, current, value);
  recordWord(RECORD_SLOT, slot, current);
  copyWord(current, value);
  return coldCost + cost;
}

/** Cost of the first change of a slot in a transaction. */
function firstWriteCost(original: usize, value: usize): i64 {
  if (isZero(original)) return STORE_NEW;
  if (isZero(value)) addRefund(REFUND_CLEAR);
  return STORE_CHANGE;
}

/** Cost of a change that is not the slot's first in the transaction; it may give refunds or take them back. */
function furtherWriteCost(original: usize, current: usize, value: usize): i64 {
  if (!isZero(original)) {
    if (isZero(current)) addRefund(-REFUND_CLEAR);
    else if (isZero(value)) addRefund(REFUND_CLEAR);
  }
  if (equals(original, value)) addRefund((isZero(original) ? STORE_NEW : STORE_CHANGE) - WARM);
  return WARM;
}
