/**
 * The journal: what every change overwrote, in order. A checkpoint is a length of the journal, and going back
 * to it puts the old values back, the latest first. Records that mean something after their transaction stay
 * until the next settlement, so that checkpoints hold across transactions.
 */

import { fail } from './host';
import { JOURNAL_FULL } from './halt';
import { burned } from './burned';
import { dropCreation } from './creations';
import {
  ACCOUNT_BALANCE,
  ACCOUNT_CODE,
  ACCOUNT_CODE_HASH,
  ACCOUNT_COMPACTED_KINDS,
  ACCOUNT_COMPACTION,
  ACCOUNT_COUNTER,
  ACCOUNT_FLAGS,
  ACCOUNT_TRANSACTION_FLAGS,
  CREATION_IS_DESTROYED,
  JOURNAL,
  JOURNAL_CAPACITY,
  RECORD_BALANCE,
  RECORD_BURNED,
  RECORD_BYTES,
  RECORD_CODE,
  RECORD_COUNTER,
  RECORD_CREATION,
  RECORD_DESTRUCTION,
  RECORD_ENTRY,
  RECORD_FIRST_OF_TRANSACTION,
  RECORD_FLAGS,
  RECORD_KIND,
  RECORD_OLD_NUMBER,
  RECORD_OLD_WORD,
  RECORD_SLOT,
  RECORD_SLOT_WARMTH,
  RECORD_TRANSACTION_FLAGS,
  RECORD_TRANSIENT,
  SLOT_COMPACTION,
  SLOT_IS_WARM,
  SLOT_VALUE,
  TRANSIENT_VALUE,
} from './layout';
import { copyWord } from './word';

/** Address after the last record. */
export let journalEnd: usize = JOURNAL;
let compaction: u32 = 0;

/** Appends a record and returns it; the caller writes the old value. */
// @ts-ignore: decorator
@inline
export function appendRecord(kind: u32, entry: usize): usize {
  const record = journalEnd;
  if (record >= JOURNAL + JOURNAL_CAPACITY * RECORD_BYTES) fail(JOURNAL_FULL);
  store<u32>(record, kind, RECORD_KIND);
  store<u32>(record, entry, RECORD_ENTRY);
  journalEnd = record + RECORD_BYTES;
  return record;
}

/** Appends a record with an old word. */
// @ts-ignore: decorator
@inline
export function recordWord(kind: u32, entry: usize, word: usize): void {
  copyWord(appendRecord(kind, entry) + RECORD_OLD_WORD, word);
}

/** Appends a record with an old number of 32 bits. */
// @ts-ignore: decorator
@inline
export function recordNumber(kind: u32, entry: usize, number: u32): void {
  store<u32>(appendRecord(kind, entry), number, RECORD_OLD_NUMBER);
}

/** Undoes every change since the journal ended at `end`. */
export function revertJournal(end: usize): void {
  while (journalEnd > end) {
    journalEnd -= RECORD_BYTES;
    revertRecord(journalEnd);
  }
}

/** Forgets all records without undoing anything. */
export function emptyJournal(): void {
  journalEnd = JOURNAL;
}

function revertRecord(record: usize): void {
  const entry = <usize>load<u32>(record, RECORD_ENTRY);
  const word = record + RECORD_OLD_WORD;
  const number = load<u32>(record, RECORD_OLD_NUMBER);
  switch (load<u32>(record, RECORD_KIND)) {
    case RECORD_BALANCE:
      copyWord(entry + ACCOUNT_BALANCE, word);
      break;
    case RECORD_COUNTER:
      store<u64>(entry, load<u64>(word), ACCOUNT_COUNTER);
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

/**
 * Keeps, of the records since `start`, what a checkpoint at `start` or before needs: of every value the
 * oldest record alone, and nothing that ended with the transaction. So the journal of a block grows by what
 * its transactions changed, not by how often.
 */
export function compactJournal(start: usize): void {
  compaction++;
  let kept = start;
  for (let record = start; record < journalEnd; record += RECORD_BYTES) {
    if (!isWorthKeeping(record)) continue;
    if (kept != record) memory.copy(kept, record, RECORD_BYTES);
    kept += RECORD_BYTES;
  }
  journalEnd = kept;
}

function isWorthKeeping(record: usize): bool {
  const kind = load<u32>(record, RECORD_KIND);
  const entry = <usize>load<u32>(record, RECORD_ENTRY);
  if (kind >= RECORD_FIRST_OF_TRANSACTION) return false;
  if (kind == RECORD_CREATION || kind == RECORD_DESTRUCTION) return true;
  if (kind == RECORD_SLOT) {
    if (load<u32>(entry, SLOT_COMPACTION) == compaction) return false;
    store<u32>(entry, compaction, SLOT_COMPACTION);
    return true;
  }
  const isKnown = load<u32>(entry, ACCOUNT_COMPACTION) == compaction;
  const known = isKnown ? load<u32>(entry, ACCOUNT_COMPACTED_KINDS) : 0;
  const bit = (<u32>1) << kind;
  store<u32>(entry, compaction, ACCOUNT_COMPACTION);
  store<u32>(entry, known | bit, ACCOUNT_COMPACTED_KINDS);
  return (known & bit) == 0;
}
