import { REVERT_BATCH_RECORDS } from '../../limits.ts';
import { CommitSize } from '../file/commit-size.ts';
import type { Database } from '../file/database.ts';
import { listsOf } from '../logs/log-postings.ts';
import type { ReversionPlan, RevertedBlocks } from '../store.ts';
import { readUint32 } from '../tables/keys.ts';
import { type OverwrittenEntry, UndoRecord } from '../undo/undo-record.ts';
import { blockOfUndoKey, notKept, readUndo } from '../undo/undo-table.ts';
import { PAGES_OF_POSITION } from './block-size.ts';
import { isWholeChain, operationOf, type RevertedTable, startOf } from './reverted-entries.ts';

/** A receipt, the position of its hash, and a transaction at most. */
const ENTRIES_OF_OPERATION = 3;
/** Sequence of the undo record of the block itself. */
const OF_BLOCK = 0;

/** The tables to read; the size of a transaction follows from its receipts. */
const READ: readonly RevertedTable[] = ['blocks', 'patches', 'receipts'];
/** The tables to read if no operation stays. */
const READ_OF_WHOLE_CHAIN: readonly RevertedTable[] = ['blocks', 'patches'];

/** The changes of a revert, and their size, by one walk over the records of the blocks from the oldest on. */
export class RevertPlan implements ReversionPlan {
  /** Each overwritten entry before the oldest of these blocks, by table and key. */
  readonly former = new Map<string, OverwrittenEntry>();
  /** The most that the revert writes, of the records read so far. */
  readonly size = new CommitSize();
  readonly #database: Database;
  readonly #blocks: RevertedBlocks;
  readonly #reorgCount: number;
  /** The next key in each table: records of later blocks lie behind. */
  readonly #starts: Map<RevertedTable, Uint8Array>;
  /** The block of the next undo record. */
  #next: number;

  /** @param reorgCount the store's, in which alone the plan is valid */
  constructor(database: Database, blocks: RevertedBlocks, reorgCount: number) {
    this.#database = database;
    this.#blocks = blocks;
    this.#reorgCount = reorgCount;
    const read = isWholeChain(blocks) ? READ_OF_WHOLE_CHAIN : READ;
    this.#starts = new Map(read.map((table) => [table, startOf(table, blocks)]));
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
    if (this.#next <= head) throw notKept(this.#next, OF_BLOCK);
  }

  /** Returns true if it is the plan of such a revert in a reorganisation count. */
  fits({ to, patches = 0 }: RevertedBlocks, reorgCount: number): boolean {
    return (
      reorgCount === this.#reorgCount && to === this.#blocks.to && patches === (this.#blocks.patches ?? 0)
    );
  }

  #note(table: RevertedTable, key: Uint8Array, value: Uint8Array): void {
    this.size.scattered(1);
    if (table === 'receipts') this.#noteOperation(key, value);
    // Without its record a patch cannot be taken back.
    else if (table === 'patches') readUndo(this.#database, readUint32(key, 0), readUint32(key, 4));
    else if (blockOfUndoKey(key) !== undefined) this.#noteOverwritten(key, value);
  }

  #noteOverwritten(key: Uint8Array, value: Uint8Array): void {
    const [block, sequence] = [readUint32(key, 0), readUint32(key, 4)];
    if (sequence === OF_BLOCK) {
      if (block !== this.#next) throw notKept(this.#next, OF_BLOCK);
      this.#next += 1;
    }
    for (const entry of new UndoRecord(value).entries()) {
      const name = entry.table + Buffer.from(entry.key).toString('latin1');
      // What is older has been noted before.
      if (this.former.has(name)) continue;
      // That table is emptied then.
      if (entry.table === 'addressOperations' && isWholeChain(this.#blocks)) continue;
      this.former.set(name, entry);
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
