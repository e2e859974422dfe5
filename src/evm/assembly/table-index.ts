/** The growth of the indexes of accounts and slots. A cell has the number of an entry plus one, or 0. */

import { INDEX_CELLS_MIN } from './layout';

/** An index has this many times the cells of its entries at least. */
const CELLS_PER_ENTRY: u32 = 2;
const GROWTH: u32 = 4;

/** True if an index has too few cells for another entry. */
@inline
export function isIndexFull(cells: u32, entries: u32): bool {
  return (entries + 1) * CELLS_PER_ENTRY > cells;
}

/**
 * Enlarges an index of `cells` cells for its `count` entries, which follow each other every `bytes` bytes. `hashes` is
 * the address of the hash of the first entry. Returns the new number of cells.
 */
export function growIndex(index: usize, cells: u32, hashes: usize, bytes: usize, count: u32): u32 {
  clearIndex(index, cells);
  const more = cells * GROWTH;
  for (let number: u32 = 0; number < count; number++) {
    let cell = load<u32>(hashes + <usize>number * bytes) & (more - 1);
    while (load<u32>(index + (<usize>cell << 2))) cell = (cell + 1) & (more - 1);
    store<u32>(index + (<usize>cell << 2), number + 1);
  }
  return more;
}

/** Empties an index and returns the number of cells that it begins with. */
export function clearIndex(index: usize, cells: u32): u32 {
  memory.fill(index, 0, <usize>cells << 2);
  return INDEX_CELLS_MIN;
}
