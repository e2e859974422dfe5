/** Settles, empties and trims all tables. */

import { accountCount, emptyAccounts, settleAccount } from './accounts';
import { codeEnd, emptyCode, evictCode, settleCode } from './code';
import { emptyCreations } from './created-contracts';
import { emptyJournal, journalEnd } from './journal';
import * as layout from './layout';
import { generation } from './transaction-state';
import { emptySlots, settleSlot, slotCount } from './storage';

/** Makes the current values settled: the host has stored them. */
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

/** Empties all tables and discards unsettled changes. */
export function emptyTables(): void {
  emptyCreations();
  emptyJournal();
  emptySlots();
  emptyAccounts();
  emptyCode();
}

/**
 * Evicts code between transactions if its table is half full. Returns flags: unsettled changes; tables of accounts or
 * slots that should be emptied before they fill up within a block; generations that run out.
 */
export function trimTables(): u32 {
  evictSettledCode();
  const isHalfFull = accountCount > layout.ACCOUNTS_CAPACITY / 2 || slotCount > layout.SLOTS_CAPACITY / 2;
  const runsOut = <i32>generation < 0;
  const changes = journalEnd == layout.JOURNAL ? 0 : layout.TABLES_HAVE_CHANGES;
  return changes | (isHalfFull ? layout.TABLES_ARE_HALF_FULL : 0) | (runsOut ? layout.GENERATIONS_RUN_OUT : 0);
}

/** Evicts the code that the host has stored if the table is half full. */
function evictSettledCode(): void {
  if (codeEnd - layout.CODE <= layout.CODE_BYTES / 2) return;
  evictCode(true);
  for (let index: u32 = 0; index < accountCount; index++) {
    store<u32>(layout.ACCOUNTS + <usize>index * layout.ACCOUNT_BYTES, 0, layout.ACCOUNT_CODE);
  }
}
