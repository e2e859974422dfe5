import type { OperationIndexing } from './operations.ts';

/** The options of opening a store. */
export interface StoreOptions {
  /** Folder of the store; without it a fresh temporary folder, which `close` removes. */
  readonly path?: string;
  /**
   * True if a commit is on the disk when `commitBlock` returns. Otherwise it survives the end of the process, but a
   * power cut may leave the file unreadable.
   */
  readonly durable: boolean;
  /** True if operations are counted by payer, fixed at the creation of a file, which keeps its choice if absent. */
  readonly history?: boolean | undefined;
  /** The value for a new file if `history` is absent. Default: `true`. */
  readonly historyOfNewFile?: boolean;
  /** Number of newest blocks with undo records, which can be reverted. Default: all. */
  readonly undoBlocks?: number | undefined;
  /**
   * True if blocks are written later, many of them together: before reads of the file, and when there are too many.
   * Until then they end with the process, and no other one sees them before `settle`. It requires undo records.
   */
  readonly writesLater?: boolean | undefined;
  /** Required to migrate a store of an earlier format. */
  readonly indexing?: OperationIndexing | undefined;
  /** Called during a migration, and once at its end. */
  onMigration?(migration: Migration): void;
}

/** Progress of a migration. */
export interface Migration {
  /** The formats. */
  readonly from: number;
  readonly to: number;
  /** Folder that keeps the former store. */
  readonly keptIn: string;
  /** Bytes of the copy that becomes the migrated store. */
  readonly bytes: number;
  readonly totalBytes: number;
  /** The block that was indexed last; absent while it is copied. */
  readonly indexedBlock?: number | undefined;
  /** True if the store has its new format. */
  readonly isDone: boolean;
}
