import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';
import type { CommitSize, FileMeasure } from './commit-size.ts';
import { PageFile } from './page-file.ts';

/** Bytes that are allocated beyond the need of a commit (8 MiB), so that few commits check the free space. */
const STORE_RESERVE_BYTES_MAX = 8 * 1024 * 1024;

/** Bytes by which the database file is extended at a time (1 MiB). */
const STORE_RESERVE_BYTES = 1024 * 1024;

const ZEROS = new Uint8Array(STORE_RESERVE_BYTES);
/** The unit of `blocks` of a file's status, on every system. */
const BLOCK_BYTES = 512;
/** Divisor of the file's size: that part of it is reserved in addition to the space for a commit. */
const RESERVED_PART = 4;

/**
 * Disk space at the end of a database file, preallocated for the next commits.
 *
 * LMDB detects a full disk only in the middle of a commit, and may crash there: its message about the failed write
 * overflows its buffer. Therefore the file is extended by zeros before a commit begins, which fails cleanly on a full
 * disk. All other pages that a commit writes are already allocated.
 */
export class SpaceReserve {
  readonly #descriptor: number;
  readonly #file: PageFile;
  /** The file at its last reading. */
  #measure: FileMeasure | undefined;
  /** End of the allocated part: offsets below it are no holes. */
  #end = 0;
  /** Reserved pages that remain even if each commit since the last reading has used its maximum. */
  #spare = 0;

  /** @param path of a file that LMDB has opened */
  constructor(path: string) {
    this.#descriptor = openSync(path, 'r+');
    this.#file = new PageFile(this.#descriptor, path);
  }

  /**
   * Reserves the space for a commit, while no process writes to the file. Commits of other processes are not counted:
   * the lock on a node's folder excludes them.
   *
   * @throws the system's ENOSPC, EDQUOT, EFBIG or EIO
   */
  require(size: CommitSize): void {
    const pages = this.#measure === undefined ? Number.POSITIVE_INFINITY : size.pages(this.#measure);
    this.#spare = pages <= this.#spare ? this.#spare - pages : this.#extend(size);
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  /** Reads the file's size, and extends it if needed. Returns the reserved pages that remain after the commit. */
  #extend(size: CommitSize): number {
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

  /**
   * Returns the end of the used part if the file has holes (fewer bytes on the disk than its length), else its size.
   */
  #endWithoutHoles(used: number): number {
    const { size, blocks } = fstatSync(this.#descriptor);
    return blocks * BLOCK_BYTES >= size ? size : used;
  }
}
