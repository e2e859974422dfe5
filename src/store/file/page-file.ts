import { fstatSync, readSync } from 'node:fs';
import { StoreError } from '../store-error.ts';

/** Depth of a tree in the database file: the limit of LMDB. */
const STORE_TREE_DEPTH_MAX = 32;

/** First field of each of LMDB's two meta pages, and the version of the format after it. */
const LMDB_MAGIC = 0xbeefc0de;
const LMDB_FORMAT = 2;
/** Bytes of the header of a page, and the offsets of its kind and of the end of its list of nodes. */
export const PAGE_HEADER_BYTES = 24;
const FLAGS_OFFSET = 18;
const LOWER_OFFSET = 20;
/** Offsets within a meta page. */
const MAGIC_OFFSET = 24;
const FORMAT_OFFSET = 28;
const PAGE_SIZE_OFFSET = 48;
const FREE_PAGES_OFFSETS = [56, 64, 72];
const FREE_ROOT_OFFSET = 88;
const MAIN_ROOT_OFFSET = 136;
const LAST_PAGE_OFFSET = 144;
const TRANSACTION_OFFSET = 152;
const META_BYTES = 168;
/** Bounds of LMDB's page sizes, which are powers of two. */
const SMALLEST_PAGE_BYTES = 256;
const LARGEST_PAGE_BYTES = 65_536;
const TABLE_ROOT_OFFSET = 40;
/** Root of a tree without entries. */
const NO_PAGE = 2n ** 64n - 1n;

/** Page size of most machines. A new file consists of the two meta pages. */
const NEW_PAGE_BYTES = 4_096;
const META_PAGES = 2;
const META_FLAG = 0x08;
const MAP_BYTES_OFFSET = 40;
/** Flags of a database in one file whose list of free pages has integer keys. */
const NEW_FLAGS_OFFSET = 52;
const NEW_FLAGS = 0x4008;

/** Returns the content of a database without tables, as LMDB writes it. */
export function emptyDatabase(mapBytes: number): Buffer {
  const bytes = Buffer.alloc(META_PAGES * NEW_PAGE_BYTES);
  for (let number = 0; number < META_PAGES; number += 1) {
    const page = bytes.subarray(number * NEW_PAGE_BYTES, (number + 1) * NEW_PAGE_BYTES);
    page.writeBigUInt64LE(BigInt(number), 0);
    page.writeUInt16LE(META_FLAG, FLAGS_OFFSET);
    page.writeUInt32LE(LMDB_MAGIC, MAGIC_OFFSET);
    page.writeUInt32LE(LMDB_FORMAT, FORMAT_OFFSET);
    page.writeBigUInt64LE(BigInt(mapBytes), MAP_BYTES_OFFSET);
    page.writeUInt32LE(NEW_PAGE_BYTES, PAGE_SIZE_OFFSET);
    page.writeUInt16LE(NEW_FLAGS, NEW_FLAGS_OFFSET);
    page.writeBigUInt64LE(NO_PAGE, FREE_ROOT_OFFSET);
    page.writeBigUInt64LE(NO_PAGE, MAIN_ROOT_OFFSET);
    page.writeBigUInt64LE(BigInt(META_PAGES - 1), LAST_PAGE_OFFSET);
  }
  return bytes;
}

/** Kinds of pages of a B+tree: `P_BRANCH`, `P_LEAF`, `P_OVERFLOW` and `P_LEAF2` of LMDB. */
export const PAGE_FLAGS = { branch: 0x01, leaf: 0x02, overflow: 0x04, fixed: 0x20 } as const;
/** Kinds of values of a node: `F_BIGDATA`, `F_SUBDATA` and `F_DUPDATA` of LMDB. */
export const NODE_FLAGS = { onOtherPages: 0x01, tree: 0x02, list: 0x04 } as const;

/** Consecutive pages. */
export interface PageRange {
  readonly first: number;
  readonly count: number;
}

/** The state of the file after one commit. */
export interface FileState {
  readonly pageBytes: number;
  /** Number of the last page that was ever used. */
  readonly lastPage: number;
  /** Number of the commit. */
  readonly transaction: bigint;
  /** Number of pages of the tree of free pages itself. */
  readonly freeTreePages: number;
  /** Root page of the tree of free pages; undefined for an empty one. */
  readonly freeRoot: number | undefined;
  /** Root page of the tree of tables; undefined for an empty one. */
  readonly mainRoot: number | undefined;
}

/** A node of a page: a child page of a branch, or an entry of a leaf. */
export interface PageNode {
  readonly flags: number;
  readonly page: number;
  readonly valueBytes: number;
  /** The value, or the number of its first page. */
  readonly value: Buffer;
}

/**
 * A reader of LMDB's file format that works without LMDB, which aborts the process on a foreign or truncated file. LMDB
 * uses the byte order of the machine; all platforms of Node.js that this program supports are little-endian.
 *
 * Source: `mdb.c` of the package lmdb, whose format differs from that of LMDB 0.9.
 */
export class PageFile {
  readonly path: string;
  readonly bytes: number;
  readonly #descriptor: number;

  /** @param descriptor of the file, open for reading; the caller closes it */
  constructor(descriptor: number, path: string) {
    this.#descriptor = descriptor;
    this.path = path;
    this.bytes = fstatSync(descriptor).size;
  }

  /** Reads the newest commit. @throws StoreError STORE_UNREADABLE for another file, or damaged first pages */
  state(): FileState {
    const first = this.#readMeta(0);
    const second = this.#readMeta(first.pageBytes);
    return second.transaction > first.transaction ? second : first;
  }

  /** Reads bytes from the beginning of a page on. @throws StoreError STORE_UNREADABLE if some are missing */
  read(page: number, length: number, { pageBytes }: FileState): Buffer {
    const bytes = Buffer.alloc(length);
    if (readSync(this.#descriptor, bytes, 0, length, page * pageBytes) < length) {
      throw this.damaged(`its page ${page} is missing`);
    }
    return bytes;
  }

  /** Reads the kind and the nodes of a page of a tree. @throws StoreError STORE_UNREADABLE for another page */
  nodes(page: number, state: FileState): { readonly flags: number; readonly nodes: readonly PageNode[] } {
    const bytes = this.read(page, state.pageBytes, state);
    const flags = bytes.readUInt16LE(FLAGS_OFFSET);
    if (Number(bytes.readBigUInt64LE(0)) !== page || (flags & (PAGE_FLAGS.branch | PAGE_FLAGS.leaf)) === 0) {
      throw this.damaged(`its page ${page} is invalid`);
    }
    if ((flags & PAGE_FLAGS.fixed) !== 0) return { flags, nodes: [] };
    try {
      const count = bytes.readUInt16LE(LOWER_OFFSET) >>> 1;
      const nodes = Array.from({ length: count }, (_, index) => readNode(bytes, index));
      return { flags, nodes };
    } catch (error) {
      throw this.damaged(`its page ${page} is invalid`, error);
    }
  }

  /** Lists the free pages of a commit, in no particular order. @throws StoreError STORE_UNREADABLE */
  *freePages(state: FileState): Generator<PageRange> {
    if (state.freeRoot !== undefined) yield* this.#freeBelow(state, state.freeRoot, 0);
  }

  *#freeBelow(state: FileState, page: number, depth: number): Generator<PageRange> {
    if (depth > STORE_TREE_DEPTH_MAX) throw this.damaged('its list of free pages has no end');
    const { flags, nodes } = this.nodes(page, state);
    for (const node of nodes) {
      if ((flags & PAGE_FLAGS.branch) !== 0) yield* this.#freeBelow(state, node.page, depth + 1);
      else yield* this.#rangesOf(this.#valueOf(node, state));
    }
  }

  /** Reads the value of an entry; a large one is on overflow pages. */
  #valueOf({ flags, value, valueBytes }: PageNode, state: FileState): Buffer {
    if ((flags & NODE_FLAGS.onOtherPages) === 0) return value.subarray(0, valueBytes);
    const page = Number(value.readBigUInt64LE(0));
    return this.read(page, PAGE_HEADER_BYTES + valueBytes, state).subarray(PAGE_HEADER_BYTES);
  }

  /**
   * Reads a list of free pages: the number of its words, then the words. A positive word is a page number. A negative
   * word is the count of consecutive pages, and the next word the number of the first one. Zero is padding.
   */
  *#rangesOf(list: Buffer): Generator<PageRange> {
    const end = 8 * (1 + Number(list.readBigUInt64LE(0)));
    if (end > list.length) throw this.damaged('its list of free pages is cut off');
    for (let offset = 8; offset < end; offset += 8) {
      const word = Number(list.readBigInt64LE(offset));
      if (word > 0) {
        yield { first: word, count: 1 };
      } else if (word < 0) {
        offset += 8;
        if (offset >= end) throw this.damaged('its list of free pages is cut off');
        yield { first: Number(list.readBigInt64LE(offset)), count: -word };
      }
    }
  }

  /** Creates the error for a damaged file. */
  damaged(reason: string, cause?: unknown): StoreError {
    return new StoreError('STORE_UNREADABLE', `${this.path} is damaged: ${reason}`, { cause });
  }

  #readMeta(offset: number): FileState {
    const page = Buffer.allocUnsafe(META_BYTES);
    const length = readSync(this.#descriptor, page, 0, META_BYTES, offset);
    const pageBytes = page.readUInt32LE(PAGE_SIZE_OFFSET);
    const sound =
      length === META_BYTES &&
      page.readUInt32LE(MAGIC_OFFSET) === LMDB_MAGIC &&
      pageBytes >= SMALLEST_PAGE_BYTES &&
      pageBytes <= LARGEST_PAGE_BYTES &&
      Number.isInteger(Math.log2(pageBytes));
    if (!sound) {
      throw new StoreError('STORE_UNREADABLE', `${this.path} is not a database, or its beginning is damaged`);
    }
    const format = page.readUInt32LE(FORMAT_OFFSET);
    if (format !== LMDB_FORMAT) {
      throw new StoreError(
        'STORE_UNREADABLE',
        `${this.path} has version ${format} of LMDB's format, not ${LMDB_FORMAT}`,
      );
    }
    return {
      pageBytes,
      lastPage: Number(page.readBigUInt64LE(LAST_PAGE_OFFSET)),
      transaction: page.readBigUInt64LE(TRANSACTION_OFFSET),
      freeTreePages: FREE_PAGES_OFFSETS.reduce((sum, at) => sum + page.readUIntLE(at, 6), 0),
      freeRoot: rootOf(page.readBigUInt64LE(FREE_ROOT_OFFSET)),
      mainRoot: rootOf(page.readBigUInt64LE(MAIN_ROOT_OFFSET)),
    };
  }
}

/** Returns the root page of the table, or of the list of values, of an entry. */
export function tableRoot({ value }: PageNode): number | undefined {
  return rootOf(value.readBigUInt64LE(TABLE_ROOT_OFFSET));
}

function rootOf(field: bigint): number | undefined {
  return field === NO_PAGE ? undefined : Number(field);
}

/** Reads a node: 16 bits each of low part, high part, flags and key length, then the key and the value. */
function readNode(bytes: Buffer, index: number): PageNode {
  const offset = PAGE_HEADER_BYTES + bytes.readUInt16LE(PAGE_HEADER_BYTES + 2 * index);
  const low = bytes.readUInt16LE(offset);
  const high = bytes.readUInt16LE(offset + 2);
  const flags = bytes.readUInt16LE(offset + 4);
  const value = offset + 8 + bytes.readUInt16LE(offset + 6);
  const valueBytes = high * 2 ** 16 + low;
  return { flags, page: flags * 2 ** 32 + valueBytes, valueBytes, value: bytes.subarray(value) };
}
