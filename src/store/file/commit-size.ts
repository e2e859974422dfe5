import { PAGE_HEADER_BYTES } from './page-file.ts';

/** Assumed depth of the trees of the database file where the space for a commit is estimated. */
const STORE_TREE_DEPTH_LIKELY = 6;

/** Bytes of an entry beside its key and its value: its place in the page, and its head. */
const ENTRY_BYTES = 10;
/** Trees that every commit changes: the table of tables and that of free pages. */
const OWN_TREES = 2;
/** Pages are split in halves. */
const SPLIT_FACTOR = 2;
/** Branches above the leaves that change: they have place for more than eight keys even when they are half full. */
const BRANCH_FACTOR = 9 / 8;
/** Bytes of a page's number in a list of free pages, which may have to be written twice. */
const LISTED_BYTES = 16;

/** Longer values may get pages of their own: with the smallest pages, of 4 KiB, those beyond half of one do. */
const LONG_BYTES = 1_024;

/** The measures of a file that bound how many pages a commit changes in it. */
export interface FileMeasure {
  readonly pageBytes: number;
  /** No fewer pages than it has. */
  readonly filePages: number;
  /** Pages of the tree of free pages. */
  readonly freeTreePages: number;
}

/** How much a commit may write at most: it grows with each entry that is to be written. */
export class CommitSize {
  /** Entries that lie anywhere in their tables: each may change a page that is there. */
  #scattered = 0;
  /** Bytes of new entries that share pages. */
  #bytes = 0;
  /** Bytes of values that are so long that they may get pages of their own, and how many they are. */
  #longBytes = 0;
  #longs = 0;
  readonly #trees: number;

  /** @param tables how many tables it writes to */
  constructor(tables: number) {
    this.#trees = tables + OWN_TREES;
  }

  /** Entries anywhere in a table: `keyBytes` and `valueBytes` are those of one of them. */
  scattered(count: number, keyBytes: number, valueBytes: number): void {
    this.#scattered += count;
    this.appended(count, keyBytes, valueBytes);
  }

  /** Entries at the end of a table. */
  appended(count: number, keyBytes: number, valueBytes: number): void {
    if (valueBytes > LONG_BYTES) {
      this.#longBytes += count * valueBytes;
      this.#longs += count;
    }
    this.#bytes += count * (ENTRY_BYTES + keyBytes + Math.min(valueBytes, LONG_BYTES));
  }

  /** Pages that the commit may add to a file: every page that it changes is written to another place. */
  pages({ pageBytes, filePages, freeTreePages }: FileMeasure): number {
    const page = pageBytes - PAGE_HEADER_BYTES;
    const long = Math.ceil(this.#longBytes / pageBytes) + 2 * this.#longs;
    const filled = Math.ceil((SPLIT_FACTOR * this.#bytes) / page);
    const changed = Math.min(this.#scattered, filePages);
    const trees =
      Math.ceil(BRANCH_FACTOR * (filled + changed)) + long + this.#trees * STORE_TREE_DEPTH_LIKELY;
    return trees + 2 * freeTreePages + Math.ceil((LISTED_BYTES * trees) / page);
  }
}
