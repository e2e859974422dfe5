/** The table of storage slots: loaded through the host at the first touch, changed under the journal. */

import { COLD_SLOT, REFUND_CLEAR, STORE_CHANGE, STORE_NEW, WARM } from './gas';
import { SLOTS_FULL } from './halt';
import { hashKey } from './hashing';
import { fail, loadSlot, mayHaveStorage } from './host';
import { appendRecord, recordWord } from './journal';
import * as layout from './layout';
import { clearIndex, growIndex, isIndexFull } from './table-index';
import { addRefund, generation } from './transaction-state';
import { clearWord, clearWords, copyWord, equals, isZero, reverseBytes } from './word';

export let slotCount: u32 = 0;
let indexCells: u32 = layout.INDEX_CELLS_MIN;

export function findSlot(account: usize, key: usize): usize {
  const hash = hashKey(key, account);
  let cell = hash & (indexCells - 1);
  let number = load<u32>(layout.SLOTS_INDEX + (<usize>cell << 2));
  while (number) {
    const slot = layout.SLOTS + <usize>(number - 1) * layout.SLOT_BYTES;
    if (load<u32>(slot, layout.SLOT_ACCOUNT) == account && equals(slot + layout.SLOT_KEY, key)) {
      if (load<u32>(slot, layout.SLOT_GENERATION) != generation) beginGeneration(slot, account);
      return slot;
    }
    cell = (cell + 1) & (indexCells - 1);
    number = load<u32>(layout.SLOTS_INDEX + (<usize>cell << 2));
  }
  return addSlot(account, key, hash, cell);
}

/** Makes the current value the original one of a new transaction; loads the slot if it is not loaded yet. */
function beginGeneration(slot: usize, account: usize): void {
  if (!load<u32>(slot, layout.SLOT_IS_LOADED)) loadUnlessDetached(slot, account);
  copyWord(slot + layout.SLOT_ORIGINAL, slot + layout.SLOT_VALUE);
  store<u32>(slot, generation, layout.SLOT_GENERATION);
  store<u32>(slot, 0, layout.SLOT_IS_WARM);
}

function addSlot(account: usize, key: usize, hash: u32, cell: u32): usize {
  if (slotCount >= layout.SLOTS_CAPACITY) fail(SLOTS_FULL);
  const slot = layout.SLOTS + <usize>slotCount * layout.SLOT_BYTES;
  clearWords(slot, layout.SLOT_BYTES);
  copyWord(slot + layout.SLOT_KEY, key);
  store<u32>(slot, account, layout.SLOT_ACCOUNT);
  store<u32>(slot, hash, layout.SLOT_HASH);
  beginGeneration(slot, account);
  store<u32>(slot, load<u32>(account, layout.ACCOUNT_SLOTS), layout.SLOT_NEXT);
  store<u32>(account, slot, layout.ACCOUNT_SLOTS);
  slotCount++;
  store<u32>(layout.SLOTS_INDEX + (<usize>cell << 2), slotCount);
  if (isIndexFull(indexCells, slotCount)) growSlots();
  return slot;
}

function growSlots(): void {
  const hashes = layout.SLOTS + layout.SLOT_HASH;
  indexCells = growIndex(layout.SLOTS_INDEX, indexCells, hashes, layout.SLOT_BYTES, slotCount);
}

function loadUnlessDetached(slot: usize, account: usize): void {
  if (load<u32>(account, layout.ACCOUNT_FLAGS) & layout.ACCOUNT_IS_DETACHED) return;
  store<u32>(slot, 1, layout.SLOT_IS_LOADED);
  if (load<u32>(account, layout.ACCOUNT_STORED_SLOTS) != layout.STORED_SLOTS_NONE) loadStored(slot, account);
  settleSlot(slot);
}

/** Loads a slot from the host. After the first one that it does not store, asks if it stores any of the account. */
function loadStored(slot: usize, account: usize): void {
  reverseBytes(layout.LOADED_SLOT, account + layout.ACCOUNT_ADDRESS);
  reverseBytes(layout.LOADED_SLOT_KEY, slot + layout.SLOT_KEY);
  clearWord(layout.LOADED_SLOT_VALUE);
  if (loadSlot()) {
    reverseBytes(slot + layout.SLOT_VALUE, layout.LOADED_SLOT_VALUE);
  } else if (load<u32>(account, layout.ACCOUNT_STORED_SLOTS) == layout.STORED_SLOTS_UNKNOWN) {
    const slots = mayHaveStorage(account) ? layout.STORED_SLOTS_POSSIBLE : layout.STORED_SLOTS_NONE;
    store<u32>(account, slots, layout.ACCOUNT_STORED_SLOTS);
  }
}

/** Empties the table, in time proportional to its entries. */
export function emptySlots(): void {
  indexCells = clearIndex(layout.SLOTS_INDEX, indexCells);
  slotCount = 0;
}

export function settleSlot(slot: usize): void {
  copyWord(slot + layout.SLOT_SETTLED, slot + layout.SLOT_VALUE);
}

/** Sets all known slots of an account to zero. */
export function clearSlots(account: usize): void {
  for (
    let slot = <usize>load<u32>(account, layout.ACCOUNT_SLOTS);
    slot;
    slot = <usize>load<u32>(slot, layout.SLOT_NEXT)
  ) {
    if (isZero(slot + layout.SLOT_VALUE)) continue;
    recordWord(layout.RECORD_SLOT, slot, slot + layout.SLOT_VALUE);
    clearWord(slot + layout.SLOT_VALUE);
  }
}

/** Makes a slot warm. Returns true if it was cold (EIP-2929). */
@inline
export function warmSlot(slot: usize): bool {
  if (load<u32>(slot, layout.SLOT_IS_WARM)) return false;
  appendRecord(layout.RECORD_SLOT_WARMTH, slot);
  store<u32>(slot, 1, layout.SLOT_IS_WARM);
  return true;
}

/** Writes a value, counts refunds and returns the gas (EIP-2200, EIP-2929, EIP-3529). */
export function writeSlot(account: usize, key: usize, value: usize): i64 {
  const slot = findSlot(account, key);
  const current = slot + layout.SLOT_VALUE;
  const original = slot + layout.SLOT_ORIGINAL;
  const coldCost = warmSlot(slot) ? COLD_SLOT : 0;
  if (equals(current, value)) return coldCost + WARM;
  const cost = equals(current, original)
    ? firstWriteCost(original, value)
    : furtherWriteCost(original, current, value);
  recordWord(layout.RECORD_SLOT, slot, current);
  copyWord(current, value);
  return coldCost + cost;
}

/** Returns the gas of the first change of a slot in a transaction. */
function firstWriteCost(original: usize, value: usize): i64 {
  if (isZero(original)) return STORE_NEW;
  if (isZero(value)) addRefund(REFUND_CLEAR);
  return STORE_CHANGE;
}

/** Returns the gas of a further change of a slot in a transaction, which may add or remove refunds. */
function furtherWriteCost(original: usize, current: usize, value: usize): i64 {
  if (!isZero(original)) {
    if (isZero(current)) addRefund(-REFUND_CLEAR);
    else if (isZero(value)) addRefund(REFUND_CLEAR);
  }
  if (equals(original, value)) addRefund((isZero(original) ? STORE_NEW : STORE_CHANGE) - WARM);
  return WARM;
}
