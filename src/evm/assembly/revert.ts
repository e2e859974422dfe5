/** Going back to a checkpoint: what undoing each kind of journal record means. */

import { burned } from './burned';
import { dropCreation } from './creations';
import { dropRecord, journalEnd } from './journal';
import {
  ACCOUNT_BALANCE,
  ACCOUNT_CODE,
  ACCOUNT_CODE_HASH,
  ACCOUNT_NONCE,
  ACCOUNT_FLAGS,
  ACCOUNT_TRANSACTION_FLAGS,
  CREATION_IS_DESTROYED,
  RECORD_BALANCE,
  RECORD_BURNED,
  RECORD_CODE,
  RECORD_NONCE,
  RECORD_CREATION,
  RECORD_DESTRUCTION,
  RECORD_ENTRY,
  RECORD_FLAGS,
  RECORD_KIND,
  RECORD_OLD_NUMBER,
  RECORD_OLD_WORD,
  RECORD_SLOT,
  RECORD_SLOT_WARMTH,
  RECORD_TRANSACTION_FLAGS,
  RECORD_TRANSIENT,
  SLOT_IS_WARM,
  SLOT_VALUE,
  TRANSIENT_VALUE,
} from './layout';
import { copyWord } from './word';

/** Undoes every change since the journal ended at `end`, the latest first. */
export function revertJournal(end: usize): void {
  while (journalEnd > end) revertRecord(dropRecord());
}

/** The same for the host; false where the journal ended before that already, and nothing is undone. */
export function revertTo(end: usize): bool {
  if (end > journalEnd) return false;
  revertJournal(end);
  return true;
}

function revertRecord(record: usize): void {
  const entry = <usize>load<u32>(record, RECORD_ENTRY);
  const word = record + RECORD_OLD_WORD;
  const number = load<u32>(record, RECORD_OLD_NUMBER);
  switch (load<u32>(record, RECORD_KIND)) {
    case RECORD_BALANCE:
      copyWord(entry + ACCOUNT_BALANCE, word);
      break;
    case RECORD_NONCE:
      store<u64>(entry, load<u64>(word), ACCOUNT_NONCE);
      break;
    case RECORD_CODE:
      copyWord(entry + ACCOUNT_CODE_HASH, word);
      store<u32>(entry, 0, ACCOUNT_CODE); // found again by its hash
      break;
    case RECORD_FLAGS:
      store<u32>(entry, number, ACCOUNT_FLAGS);
      break;
    case RECORD_CREATION:
      dropCreation(entry, number);
      break;
    case RECORD_SLOT:
      copyWord(entry + SLOT_VALUE, word);
      break;
    case RECORD_DESTRUCTION:
      store<u32>(entry, 0, CREATION_IS_DESTROYED);
      break;
    case RECORD_TRANSACTION_FLAGS:
      store<u32>(entry, number, ACCOUNT_TRANSACTION_FLAGS);
      break;
    case RECORD_SLOT_WARMTH:
      store<u32>(entry, 0, SLOT_IS_WARM);
      break;
    case RECORD_TRANSIENT:
      copyWord(entry + TRANSIENT_VALUE, word);
      break;
    case RECORD_BURNED:
      copyWord(burned, word);
      break;
  }
}
