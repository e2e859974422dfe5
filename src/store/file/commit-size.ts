import { TABLE_NAMES } from '../tables/tables.ts';
import { PAGE_HEADER_BYTES } from './page-file.ts';

/** Assumed depth of the trees of the database file where the space for a commit is estimated. */
const STORE_TREE_DEPTH_LIKELY = 6;

/**
 * Bytes of an entry beside its value: its place in the page and its head (10), the longest key of any table (64), and
 * what the store itself puts in front of a value.
 */
const ENTRY_BYTES = 100;
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
  readonly freeTreePages: number;
}

/** An upper bound of the pages that a commit writes, by the number and the length of its entries. */
export class CommitSize {
  /** Entries anywhere in their tables: each may change a page of its own. */
  #scattered = 0;
  /** Bytes of new entries that share pages. */
  #bytes = 0;
  /** Bytes and number of the values that may get pages of their own. */
  #longBytes = 0;
  #longs = 0;
  readonly #trees: number;

  /** @param tables number of tables that it writes to */
  constructor(tables = TABLE_NAMES.length) {
    this.#trees = tables + OWN_TREES;
  }

  /** Adds entries anywhere in a table, each with a value of so many bytes, of which 26 need not be counted. */
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

  /** Returns the pages that the commit may add to a file: every changed page is written to another place. */
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
