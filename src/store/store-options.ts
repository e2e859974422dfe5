import type { OperationIndexing } from './operations.ts';

/** How a store is opened. */
export interface StoreOptions {
  /** Folder of the store; without it a fresh temporary folder, which `close` removes. */
  readonly path?: string;
  /**
   * Whether a commit is on the disk when `commitBlock` returns. Without it a commit survives the end of the process,
   * but a power cut may leave the file unreadable: for what can be thrown away only.
   */
  readonly durable: boolean;
  /**
   * Whether operations are counted by payer. A property of the file, fixed when it is created; a file with the other
   * choice is refused. When absent, a file keeps its choice.
   */
  readonly history?: boolean | undefined;
  /** Whether a new file keeps history when `history` is absent. Default: `true`. */
  readonly historyOfNewFile?: boolean;
  /** Of how many newest blocks is kept what they overwrote, so that they can be taken back; of all unless told. */
  readonly undoBlocks?: number | undefined;
  /**
   * Whether blocks are written later, many of them together: before anything of them is read that memory does not have,
   * and when there are too many. Until then they go with the process, and no other one sees them before `settle`. It
   * takes that what they overwrite is kept.
   */
  readonly writesLater?: boolean | undefined;
  /** What the operations of stored blocks have to do with addresses: a store of an earlier format needs to be told. */
  readonly indexing?: OperationIndexing | undefined;
  /** Told while a store of an earlier format is brought to the present one, and once when that is done. */
  onMigration?(migration: Migration): void;
}

/** How far a store is on its way from an earlier format. */
export interface Migration {
  /** The formats. */
  readonly from: number;
  readonly to: number;
  /** Folder in which the store is kept as it was. */
  readonly keptIn: string;
  /** Bytes of the copy that becomes the migrated store. */
  readonly bytes: number;
  readonly totalBytes: number;
  /** The block whose operations were indexed last, once it is copied. */
  readonly indexedBlock?: number | undefined;
  /** Whether the store has its new format. */
  readonly isDone: boolean;
}
