import { STORE_TREE_DEPTH_MAX } from '../../limits.ts';
import {
  type FileState,
  NODE_FLAGS,
  PAGE_FLAGS,
  PAGE_HEADER_BYTES,
  type PageFile,
  type PageNode,
} from './page-file.ts';

/** Pages in a row. */
export interface PageRange {
  readonly first: number;
  readonly count: number;
}

/** The pages that a commit left free, in no particular order. Throws StoreError STORE_UNREADABLE. */
export function* freePages(file: PageFile, state: FileState): Generator<PageRange> {
  if (state.freeRoot !== undefined) yield* below(file, state, state.freeRoot, 0);
}

function* below(file: PageFile, state: FileState, page: number, depth: number): Generator<PageRange> {
  if (depth > STORE_TREE_DEPTH_MAX) throw file.damaged('its list of free pages has no end');
  const { flags, nodes } = file.nodes(page, state);
  for (const node of nodes) {
    if ((flags & PAGE_FLAGS.branch) !== 0) yield* below(file, state, node.page, depth + 1);
    else yield* rangesOf(readList(file, state, node), file);
  }
}

/** The value of an entry, which large ones have on pages of their own. */
function readList(file: PageFile, state: FileState, { flags, value, valueBytes }: PageNode): Buffer {
  if ((flags & NODE_FLAGS.onOtherPages) === 0) return value.subarray(0, valueBytes);
  const page = Number(value.readBigUInt64LE(0));
  return file.read(page, PAGE_HEADER_BYTES + valueBytes, state).subarray(PAGE_HEADER_BYTES);
}

/**
 * A list is the number of its words, then the words: a page number; or a negative count, followed by the first of
 * so many pages in a row; or zero, for nothing.
 */
function* rangesOf(list: Buffer, file: PageFile): Generator<PageRange> {
  const end = 8 * (1 + Number(list.readBigUInt64LE(0)));
  if (end > list.length) throw file.damaged('its list of free pages is cut off');
  for (let offset = 8; offset < end; offset += 8) {
    const word = Number(list.readBigInt64LE(offset));
    if (word > 0) {
      yield { first: word, count: 1 };
    } else if (word < 0) {
      offset += 8;
      if (offset >= end) throw file.damaged('its list of free pages is cut off');
      yield { first: Number(list.readBigInt64LE(offset)), count: -word };
    }
  }
}
