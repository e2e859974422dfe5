import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';
import { STORE_RESERVE_BYTES_MAX } from '../../limits.ts';
import type { CommitSize, FileMeasure } from './commit-size.ts';
import { PageFile } from './page-file.ts';

/** Bytes in which the database file is made longer before a commit that may need more than there are (1 MiB). */
const STORE_RESERVE_BYTES = 1024 * 1024;

/** Written to the end of the file, piece by piece. */
const ZEROS = new Uint8Array(STORE_RESERVE_BYTES);
/** The unit of `blocks` of a file's status, on every system. */
const BLOCK_BYTES = 512;
/** More room than the commit needs is taken with it: this part of the file. */
const RESERVED_PART = 4;

/**
 * Room at the end of a database file that the disk has given already, for the next commits to write to.
 *
 * LMDB finds out in the middle of a commit that the disk is full, and may crash there: its message about the failed
 * write is longer than the memory that it takes for it. So the file is made longer before the commit begins, by
 * zeros behind its last page, where nobody reads; without room that fails as an error of ours, with nothing begun.
 * All other pages that a commit writes have their place on the disk.
 */
export class SpaceReserve {
  readonly #descriptor: number;
  readonly #file: PageFile;
  /** The file as it was when it was last looked at. */
  #measure: FileMeasure | undefined;
  /** Up to here the file has no holes. */
  #end = 0;
  /** Pages of the room that are left, whatever the commits since then have taken. */
  #spare = 0;

  /** @param path of a file that LMDB has opened */
  constructor(path: string) {
    this.#descriptor = openSync(path, 'r+');
    this.#file = new PageFile(this.#descriptor, path);
  }

  /**
   * Makes sure of the room for a commit. To be called while nobody writes to the file. What other processes commit is
   * not counted: the claim on a node's folder keeps them away.
   *
   * @throws the system's ENOSPC, EDQUOT, EFBIG or EIO where there is none; what was written already stays for later
   */
  require(size: CommitSize): void {
    const pages = this.#measure === undefined ? Number.POSITIVE_INFINITY : size.pages(this.#measure);
    this.#spare = pages <= this.#spare ? this.#spare - pages : this.#look(size);
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  /** Looks at what the file is now, and makes it longer where that is needed; gives the pages left by the commit. */
  #look(size: CommitSize): number {
    const { pageBytes, lastPage, freeTreePages } = this.#file.state();
    const usedPages = lastPage + 1;
    const used = usedPages * pageBytes;
    if (this.#measure === undefined) this.#end = this.#endWithoutHoles(used);
    this.#spare = 0;
    this.#end = Math.max(this.#end, used);
    const pages = size.pages({ pageBytes, filePages: usedPages, freeTreePages });
    const end = used + pages * pageBytes;
    if (this.#end < end) {
      const target = end + Math.min(STORE_RESERVE_BYTES_MAX, used / RESERVED_PART);
      while (this.#end < target) this.#end += writeSync(this.#descriptor, ZEROS, 0, ZEROS.length, this.#end);
    }
    const endPages = Math.floor(this.#end / pageBytes);
    this.#measure = { pageBytes, filePages: endPages, freeTreePages };
    return endPages - usedPages - pages;
  }

  /** Where the system counts fewer bytes than the file is long, some of them have no place on the disk yet. */
  #endWithoutHoles(used: number): number {
    const { size, blocks } = fstatSync(this.#descriptor);
    return blocks * BLOCK_BYTES >= size ? size : used;
  }
}
