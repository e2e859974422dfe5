/**
 * The journal: a record of the old value for every change, in order. A checkpoint is an end of the journal; `revert.ts`
 * reverts to one. Records that matter after their transaction stay until the next settlement, so that checkpoints
 * remain valid across transactions.
 */

import { JOURNAL_FULL } from './halt';
import { fail } from './host';
import * as layout from './layout';
import { copyBytes, copyWord } from './word';

/** Address after the last record. */
export let journalEnd: usize = layout.JOURNAL;
let compaction: u32 = 0;

/** Appends a record and returns it; the caller writes the old value. */
@inline
export function appendRecord(kind: u32, entry: usize): usize {
  const record = journalEnd;
  if (record >= layout.JOURNAL + layout.JOURNAL_CAPACITY * layout.RECORD_BYTES) fail(JOURNAL_FULL);
  store<u32>(record, kind, layout.RECORD_KIND);
  store<u32>(record, entry, layout.RECORD_ENTRY);
  journalEnd = record + layout.RECORD_BYTES;
  return record;
}

/** Appends a record with an old word. */
@inline
export function recordWord(kind: u32, entry: usize, word: usize): void {
  copyWord(appendRecord(kind, entry) + layout.RECORD_OLD_WORD, word);
}

/** Appends a record with an old number of 32 bits. */
@inline
export function recordNumber(kind: u32, entry: usize, number: u32): void {
  store<u32>(appendRecord(kind, entry), number, layout.RECORD_OLD_NUMBER);
}

/** Removes the last record and returns it; it stays readable until the next one is appended. */
@inline
export function dropRecord(): usize {
  journalEnd -= layout.RECORD_BYTES;
  return journalEnd;
}

/** Drops all records without reverting anything. */
export function emptyJournal(): void {
  journalEnd = layout.JOURNAL;
}

/**
 * Compacts the records since `start` to those that a checkpoint at `start` or before needs: the oldest record of each
 * value, and none that ended with the transaction. So the journal of a block grows with the number of changed values,
 * not with the number of changes.
 */
export function compactJournal(start: usize): void {
  compaction++;
  let end = start;
  for (let record = start; record < journalEnd; record += layout.RECORD_BYTES) {
    if (!isNeeded(record)) continue;
    if (end != record) copyBytes(end, record, layout.RECORD_BYTES);
    end += layout.RECORD_BYTES;
  }
  journalEnd = end;
}

function isNeeded(record: usize): bool {
  const kind = load<u32>(record, layout.RECORD_KIND);
  const entry = <usize>load<u32>(record, layout.RECORD_ENTRY);
  if (kind >= layout.RECORD_FIRST_OF_TRANSACTION) return false;
  if (kind == layout.RECORD_CREATION || kind == layout.RECORD_DESTRUCTION) return true;
  if (kind == layout.RECORD_SLOT) {
    if (load<u32>(entry, layout.SLOT_COMPACTION) == compaction) return false;
    store<u32>(entry, compaction, layout.SLOT_COMPACTION);
    return true;
  }
  const isKnown = load<u32>(entry, layout.ACCOUNT_COMPACTION) == compaction;
  const known = isKnown ? load<u32>(entry, layout.ACCOUNT_COMPACTED_KINDS) : 0;
  const bit = (<u32>1) << kind;
  store<u32>(entry, compaction, layout.ACCOUNT_COMPACTION);
  store<u32>(entry, known | bit, layout.ACCOUNT_COMPACTED_KINDS);
  return (known & bit) == 0;
}
