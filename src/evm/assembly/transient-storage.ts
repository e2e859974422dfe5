/** Transient storage (EIP-1153). A new generation (`transaction-state.ts`) invalidates it without clearing. */

import { generation } from './transaction-state';
import { TRANSIENT_FULL } from './halt';
import { hashKey } from './hashing';
import { fail } from './host';
import { recordWord } from './journal';
import * as layout from './layout';
import { clearWord, copyWord, equals } from './word';

/** Slots of the running transaction. */
let transientCount: u32 = 0;

/** Drops all slots: in a new generation all cells of the index count as empty. */
export function emptyTransient(): void {
  transientCount = 0;
}

/** Copies the value of a slot to `result`. */
export function readTransient(account: usize, key: usize, result: usize): void {
  const slot = transientOf(findCell(account, key));
  if (slot) copyWord(result, slot + layout.TRANSIENT_VALUE);
  else clearWord(result);
}

/** Changes the value of a slot. */
export function writeTransient(account: usize, key: usize, value: usize): void {
  const cell = findCell(account, key);
  let slot = transientOf(cell);
  if (!slot) slot = addTransient(account, key, cell);
  recordWord(layout.RECORD_TRANSIENT, slot, slot + layout.TRANSIENT_VALUE);
  copyWord(slot + layout.TRANSIENT_VALUE, value);
}

/** Returns the index cell of a slot, or the empty cell for it. */
function findCell(account: usize, key: usize): usize {
  let index = hashKey(key, account) & (layout.TRANSIENT_INDEX_CELLS - 1);
  while (true) {
    const cell = layout.TRANSIENT_INDEX + (<usize>index << 3);
    const slot = transientOf(cell);
    if (!slot) return cell;
    if (load<u32>(slot, layout.TRANSIENT_ACCOUNT) == account && equals(slot + layout.TRANSIENT_KEY, key)) return cell;
    index = (index + 1) & (layout.TRANSIENT_INDEX_CELLS - 1);
  }
}

/** Returns the slot of a cell, or 0. */
@inline
function transientOf(cell: usize): usize {
  if (load<u32>(cell) != generation) return 0;
  return layout.TRANSIENT + <usize>(load<u32>(cell, 4) - 1) * layout.TRANSIENT_BYTES;
}

function addTransient(account: usize, key: usize, cell: usize): usize {
  if (transientCount >= layout.TRANSIENT_CAPACITY) fail(TRANSIENT_FULL);
  const slot = layout.TRANSIENT + <usize>transientCount * layout.TRANSIENT_BYTES;
  transientCount++;
  copyWord(slot + layout.TRANSIENT_KEY, key);
  clearWord(slot + layout.TRANSIENT_VALUE);
  store<u32>(slot, account, layout.TRANSIENT_ACCOUNT);
  store<u32>(cell, generation);
  store<u32>(cell, transientCount, 4);
  return slot;
}
