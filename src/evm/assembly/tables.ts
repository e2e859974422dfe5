/** All tables together: settling, emptying, and how full they are. */

import { accountCount, emptyAccounts, settleAccount } from './accounts';
import { codeEnd, emptyCode, evictCode, settleCode } from './code';
import { emptyCreations } from './creations';
import { emptyJournal, journalEnd } from './journal';
import * as layout from './layout';
import { generation } from './generation';
import { emptySlots, settleSlot, slotCount } from './storage';

/** Makes the current values, which the host has stored, the settled ones. */
export function settle(): void {
  for (let record: usize = layout.JOURNAL; record < journalEnd; record += layout.RECORD_BYTES) {
    const kind = load<u32>(record, layout.RECORD_KIND);
    const entry = <usize>load<u32>(record, layout.RECORD_ENTRY);
    if (kind == layout.RECORD_SLOT) settleSlot(entry);
    else if (kind <= layout.RECORD_CREATION) settleAccount(entry);
  }
  emptyJournal();
  emptyCreations();
  settleCode();
}

/** Forgets everything, changes that are not settled included. */
export function emptyTables(): void {
  emptyCreations();
  emptyJournal();
  emptySlots();
  emptyAccounts();
  emptyCode();
}

/**
 * Makes room for code between transactions, and returns ROOM flags: unsettled changes, tables of accounts or slots that
 * should be emptied before they fill up in the middle of a block, and numbers of transactions that run out.
 */
export function makeRoom(): u32 {
  makeRoomForCode();
  const isShort = accountCount > layout.ACCOUNTS_CAPACITY / 2 || slotCount > layout.SLOTS_CAPACITY / 2;
  const isOld = <i32>generation < 0;
  const changes = journalEnd == layout.JOURNAL ? 0 : layout.ROOM_HAS_CHANGES;
  return changes | (isShort ? layout.ROOM_IS_SHORT : 0) | (isOld ? layout.ROOM_IS_OLD : 0);
}

/** Drops the code that the host has, should the table be half full. */
function makeRoomForCode(): void {
  if (codeEnd - layout.CODE <= layout.CODE_BYTES / 2) return;
  evictCode(true);
  for (let index: u32 = 0; index < accountCount; index++) {
    store<u32>(layout.ACCOUNTS + <usize>index * layout.ACCOUNT_BYTES, 0, layout.ACCOUNT_CODE);
  }
}
