import { closeSync, openSync } from 'node:fs';
import {
  type FileState,
  NODE_FLAGS,
  PAGE_FLAGS,
  PAGE_HEADER_BYTES,
  PageFile,
  tableRoot,
} from './page-file.ts';

/** The uses of the pages of a database file. */
export interface PageAudit {
  readonly pages: number;
  /** Number of the last page that is in use. */
  readonly lastUsed: number;
  /** Pages that are used twice, or are used and listed as free. */
  readonly conflicts: readonly number[];
}

/** Walks through all pages of a database file as its newest commit left it. Throws StoreError STORE_UNREADABLE. */
export function auditPages(path: string): PageAudit {
  const descriptor = openSync(path, 'r');
  try {
    const file = new PageFile(descriptor, path);
    const state = file.state();
    const owners = new Uint8Array(state.lastPage + 1);
    const conflicts: number[] = [];
    const take = (first: number, count: number): void => {
      for (let page = first; page < first + count; page += 1) {
        if (page > state.lastPage || owners[page] !== 0) conflicts.push(page);
        owners[page] = 1;
      }
    };
    take(0, 2);
    for (const root of [state.freeRoot, state.mainRoot])
      if (root !== undefined) walk(file, state, root, take);
    const lastUsed = owners.lastIndexOf(1);
    for (const { first, count } of file.freePages(state)) take(first, count);
    return { pages: state.lastPage + 1, lastUsed, conflicts };
  } finally {
    closeSync(descriptor);
  }
}

function walk(
  file: PageFile,
  state: FileState,
  page: number,
  take: (first: number, count: number) => void,
): void {
  take(page, 1);
  const { flags, nodes } = file.nodes(page, state);
  for (const node of nodes) {
    if ((flags & PAGE_FLAGS.branch) !== 0) {
      walk(file, state, node.page, take);
    } else if ((node.flags & NODE_FLAGS.onOtherPages) !== 0) {
      const first = Number(node.value.readBigUInt64LE(0));
      take(first, Math.ceil((PAGE_HEADER_BYTES + node.valueBytes) / state.pageBytes));
    } else if ((node.flags & NODE_FLAGS.tree) !== 0) {
      const root = tableRoot(node);
      if (root !== undefined) walk(file, state, root, take);
    }
  }
}
