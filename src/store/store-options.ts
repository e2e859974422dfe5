/** Greatest size of the database file (1 TiB); only address space is reserved for it. */
export const STORE_FILE_BYTES_MAX = 2 ** 40;

export interface StoreOptions {
  /** Folder of the store; without it a fresh temporary folder, which `close` removes. */
  readonly path?: string;
  /**
   * True if a commit is flushed to the disk when `commitBlock` returns. Otherwise it survives a crash of the process,
   * but a power cut may make the file unreadable.
   */
  readonly durable: boolean;
  /** Greatest bytes of the file, for which addresses are reserved. Default: `STORE_FILE_BYTES_MAX`. */
  readonly bytesMax?: number | undefined;
  /** True if operations are counted by payer. Fixed at the creation of the file; absent: the value of the file. */
  readonly history?: boolean | undefined;
  /** The value for a new file if `history` is absent. Default: `true`. */
  readonly historyOfNewFile?: boolean;
  /** Number of newest blocks with undo records, which can be reverted. Default: all. */
  readonly undoBlocks?: number | undefined;
  /**
   * Write-behind: blocks stay in memory until the file is read, `publish` is called, or their number reaches a bound.
   * Other processes do not see them. `always`: a crash loses them. `together`: only inside of `Store.together`, at
   * whose end one commit writes them. Requires undo records. Absent: each block has its own commit.
   */
  readonly writesLater?: 'always' | 'together' | undefined;
}
