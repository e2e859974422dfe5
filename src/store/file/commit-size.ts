import { TABLE_NAMES } from '../tables/tables.ts';
import { PAGE_HEADER_BYTES } from './page-file.ts';

/** Assumed depth of the trees of the database file where the space for a commit is estimated. */
const STORE_TREE_DEPTH_LIKELY = 6;

/**
 * Bytes of an entry in addition to its value: offset and header in the page (10), the longest key of any table (64),
 * and the prefix that the store adds to some values.
 */
const ENTRY_BYTES = 100;
/** Trees that every commit changes: the main tree and that of free pages. */
const OWN_TREES = 2;
/** Pages are split in halves. */
const SPLIT_FACTOR = 2;
/** Factor for the branch pages above changed leaves: even half full, a branch has more than eight children. */
const BRANCH_FACTOR = 9 / 8;
/** Bytes of a page's number in a list of free pages, which may have to be written twice. */
const LISTED_BYTES = 16;

/** Longest value that shares a page. With the smallest pages, of 4 KiB, LMDB moves values over half of one. */
const LONG_BYTES = 1_024;

/** Sizes of a file that bound the pages changed by a commit. */
export interface FileMeasure {
  readonly pageBytes: number;
  /** An upper bound of the pages of the file. */
  readonly filePages: number;
  readonly freeTreePages: number;
}

/** An upper bound of the pages that a commit writes, by the number and the length of its entries. */
export class CommitSize {
  /** Entries at any position in their tables: each may change a different page. */
  #scattered = 0;
  /** Bytes of new entries that share pages. */
  #bytes = 0;
  /** Bytes and number of the values that may get separate pages. */
  #longBytes = 0;
  #longs = 0;
  readonly #trees: number;

  /** @param tables number of tables that the commit writes to */
  constructor(tables = TABLE_NAMES.length) {
    this.#trees = tables + OWN_TREES;
  }

  /**
   * Adds entries at any position of a table, each with a value of `valueBytes`, where up to 26 bytes may be omitted.
   */
  scattered(count: number, valueBytes = 0): void {
    this.#scattered += count;
    this.appended(count, valueBytes);
  }

  /** Adds entries at the end of a table. */
  appended(count: number, valueBytes = 0): void {
    if (valueBytes > LONG_BYTES) {
      this.#longBytes += count * valueBytes;
      this.#longs += count;
    }
    this.#bytes += count * (ENTRY_BYTES + Math.min(valueBytes, LONG_BYTES));
  }

  /** Returns the number of pages that the commit may add to a file. LMDB copies every changed page (copy-on-write). */
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
