import { bytesToHex, readUint32 } from '../../protocol/index.ts';
import { CommitSize } from '../file/commit-size.ts';
import type { Database } from '../file/database.ts';
import { readReorgCount } from '../file/table-reading.ts';
import { listsOf } from '../logs/log-postings.ts';
import type { RevertedBlocks, RevertPlan } from '../store.ts';
import { type OverwrittenEntry, UndoRecord } from '../undo/undo-record.ts';
import { blockOfUndoKey, notKept, OF_BLOCK, readUndo } from '../undo/undo-table.ts';
import { PAGES_OF_POSITION } from './block-size.ts';
import {
  isWholeChain,
  operationOf,
  REVERT_BATCH_RECORDS,
  type RevertedTable,
  startOf,
} from './reverted-entries.ts';

/** A receipt, the position of its hash, and a transaction at most. */
const ENTRIES_OF_OPERATION = 3;

/** The changes of a revert and their size, collected by one scan of the records of the blocks, oldest first. */
export class LmdbRevertPlan implements RevertPlan {
  /** Each overwritten entry as it was before the oldest of these blocks, by table and key. */
  readonly overwritten = new Map<string, OverwrittenEntry>();
  /** An upper bound of the revert's writes, for the records read so far. */
  readonly size = new CommitSize();
  readonly #database: Database;
  readonly #blocks: RevertedBlocks;
  readonly #reorgCount: number;
  /** The next key to read in each table, in the order of the blocks. */
  readonly #starts: Map<RevertedTable, Uint8Array>;
  /** The block of the next undo record. */
  #next: number;

  constructor(database: Database, blocks: RevertedBlocks) {
    this.#database = database;
    this.#blocks = blocks;
    this.#reorgCount = readReorgCount(database);
    // The size of a transaction follows from its receipts; a revert of the whole chain clears their tables.
    const tables: RevertedTable[] = ['blocks', 'patches'];
    if (!isWholeChain(blocks)) tables.push('receipts');
    this.#starts = new Map(tables.map((table) => [table, startOf(table, blocks)]));
    this.#next = blocks.to + 1;
    this.size.scattered(2);
  }

  read(entries: number): boolean {
    let left = entries;
    for (const [table, start] of this.#starts) {
      for (const { key, value } of this.#database.entries(table, { start, limit: left })) {
        this.#note(table, key, value);
        this.#starts.set(table, justAfter(key));
        left -= 1;
      }
      if (left === 0) return true;
    }
    return false;
  }

  /** Reads the rest. @throws StoreError STORE_NOT_KEPT, STORE_UNREADABLE, and what `logsOf` throws */
  finish(head: number): void {
    while (this.read(REVERT_BATCH_RECORDS));
    if (this.#next <= head) throw notKept(this.#next);
  }

  /** Returns true if this is a plan of the same revert, and the chain was not reorganised since. */
  isPlanOf({ to, patches = 0 }: RevertedBlocks): boolean {
    const isSame = to === this.#blocks.to && patches === (this.#blocks.patches ?? 0);
    return isSame && readReorgCount(this.#database) === this.#reorgCount;
  }

  #note(table: RevertedTable, key: Uint8Array, value: Uint8Array): void {
    this.size.scattered(1);
    if (table === 'receipts') this.#noteOperation(key, value);
    // A patch without an undo record cannot be reverted.
    else if (table === 'patches') readUndo(this.#database, readUint32(key, 0), readUint32(key, 4));
    else if (blockOfUndoKey(key) !== undefined) this.#noteOverwritten(key, value);
  }

  #noteOverwritten(key: Uint8Array, value: Uint8Array): void {
    const block = readUint32(key, 0);
    const sequence = readUint32(key, 4);
    if (sequence === OF_BLOCK) {
      if (block !== this.#next) throw notKept(this.#next);
      this.#next += 1;
    }
    for (const entry of new UndoRecord(value).entries()) {
      const name = entry.table + bytesToHex(entry.key);
      // An older record had the entry before these blocks.
      if (this.overwritten.has(name)) continue;
      // A revert of the whole chain clears this table.
      if (entry.table === 'addressOperations' && isWholeChain(this.#blocks)) continue;
      this.overwritten.set(name, entry);
      this.size.scattered(1, entry.before?.length);
    }
  }

  #noteOperation(key: Uint8Array, value: Uint8Array): void {
    this.size.scattered(ENTRIES_OF_OPERATION);
    for (const log of operationOf(key, value, this.#blocks).logs) {
      this.size.scattered(PAGES_OF_POSITION * listsOf(log).length);
    }
  }
}

function justAfter(key: Uint8Array): Uint8Array {
  const next = new Uint8Array(key.length + 1);
  next.set(key);
  return next;
}
