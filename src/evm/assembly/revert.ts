/** Reverts the journal to a checkpoint. */

import { burned } from './transaction-state';
import { dropCreation } from './created-contracts';
import { dropRecord, journalEnd } from './journal';
import * as layout from './layout';
import { copyWord } from './word';

/** Reverts every change after the checkpoint `end`, the latest first. */
export function revertJournal(end: usize): void {
  while (journalEnd > end) revertRecord(dropRecord());
}

/** Reverts for the host. Returns false, and reverts nothing, if the journal ends before the checkpoint. */
export function revertTo(end: usize): bool {
  if (end > journalEnd) return false;
  revertJournal(end);
  return true;
}

function revertRecord(record: usize): void {
  const entry = <usize>load<u32>(record, layout.RECORD_ENTRY);
  const word = record + layout.RECORD_OLD_WORD;
  const number = load<u32>(record, layout.RECORD_OLD_NUMBER);
  switch (load<u32>(record, layout.RECORD_KIND)) {
    case layout.RECORD_BALANCE:
      copyWord(entry + layout.ACCOUNT_BALANCE, word);
      break;
    case layout.RECORD_NONCE:
      store<u64>(entry, load<u64>(word), layout.ACCOUNT_NONCE);
      break;
    case layout.RECORD_CODE:
      copyWord(entry + layout.ACCOUNT_CODE_HASH, word);
      store<u32>(entry, 0, layout.ACCOUNT_CODE); // resolved again by its hash
      break;
    case layout.RECORD_FLAGS:
      store<u32>(entry, number, layout.ACCOUNT_FLAGS);
      break;
    case layout.RECORD_CREATION:
      dropCreation(entry, number);
      break;
    case layout.RECORD_SLOT:
      copyWord(entry + layout.SLOT_VALUE, word);
      break;
    case layout.RECORD_DESTRUCTION:
      store<u32>(entry, 0, layout.CREATION_IS_DESTROYED);
      break;
    case layout.RECORD_TRANSACTION_FLAGS:
      store<u32>(entry, number, layout.ACCOUNT_TRANSACTION_FLAGS);
      break;
    case layout.RECORD_SLOT_WARMTH:
      store<u32>(entry, 0, layout.SLOT_IS_WARM);
      break;
    case layout.RECORD_TRANSIENT:
      copyWord(entry + layout.TRANSIENT_VALUE, word);
      break;
    case layout.RECORD_BURNED:
      copyWord(burned, word);
      break;
  }
}
