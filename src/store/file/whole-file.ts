import { withFile } from './database-file.ts';
import { type FileState, NODE_FLAGS, PAGE_FLAGS, type PageFile, tableRoot } from './page-file.ts';

/**
 * Rejects a database file that is too short, or whose trees do not begin where they should: LMDB ends the process at
 * one. To be called while nobody writes to the file.
 *
 * @throws StoreError STORE_UNREADABLE
 */
export function requireWhole(path: string): void {
  withFile(path, (file) => {
    const state = file.state();
    requireLength(file, state);
    if (state.freeRoot !== undefined) file.nodes(state.freeRoot, state);
    if (state.mainRoot !== undefined) requireTables(file, state, state.mainRoot);
  });
}

/** Pages at the end may be missing from a sound file: those that were free again before they were ever written. */
function requireLength(file: PageFile, state: FileState): void {
  const pages = state.lastPage + 1;
  const present = Math.floor(file.bytes / state.pageBytes);
  if (present >= pages) return;
  let missing = pages - present;
  for (const { first, count } of file.freePages(state)) {
    missing -= Math.max(0, Math.min(first + count, pages) - Math.max(first, present));
  }
  if (missing > 0) throw file.damaged(`${missing} of its ${pages} pages are missing`);
}

/** The tables of a store fit on one page; a database with more of them is not ours, which is found out later. */
function requireTables(file: PageFile, state: FileState, page: number): void {
  const { flags, nodes } = file.nodes(page, state);
  if ((flags & PAGE_FLAGS.leaf) === 0) return;
  for (const node of nodes) {
    const root = (node.flags & NODE_FLAGS.tree) === 0 ? undefined : tableRoot(node);
    if (root !== undefined) file.nodes(root, state);
  }
}
