/** What can be asked of what blocks have overwritten. */
export interface OverwrittenReader {
  /**
   * Keys of the entries of the state that the blocks of a range, and the patches after each of them, have overwritten:
   * in the order of the blocks, so that a key may come several times.
   *
   * @param last of the blocks, which is there
   * @throws StoreError STORE_NOT_KEPT
   */
  overwrittenKeys(first: number, last: number): Iterable<Uint8Array>;
}
