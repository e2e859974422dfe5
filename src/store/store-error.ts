import { LedgerdError } from '../protocol/index.ts';

export type StoreErrorCode =
  | 'STORE_MISSING' // there is no store in the folder
  | 'STORE_IN_USE' // this process has the store open already
  | 'STORE_FOREIGN' // the folder or the file belongs to something else
  | 'STORE_NEWER_FORMAT' // a later version of the program wrote the file
  | 'STORE_OLDER_FORMAT' // an earlier version of the program wrote the file, in a format no longer supported
  | 'STORE_UNREADABLE' // the folder can't be read, or the file is damaged
  | 'STORE_READ_ONLY' // the folder or the file can't be written to
  | 'STORE_HISTORY_DIFFERS' // the file was created with the opposite value of `history`
  | 'STORE_HISTORY_OFF' // the query needs history, which the file does not have
  | 'STORE_WRONG_NUMBER' // the block does not follow the head
  | 'STORE_NOT_KEPT' // the undo record of a block is missing, which a revert or a historical state needs
  | 'STORE_INVALID_COMMIT' // the parts of a commit are inconsistent
  | 'STORE_LIMITED' // the limits of the process are too low
  | 'STORE_COMMIT_FAILED' // the database rejected a write, or the disk is full
  | 'STORE_DISK_FAILED' // the disk failed during a commit; the process must end
  | 'STORE_TARGET_EXISTS' // the folder for a backup exists
  | 'STORE_BACKUP_FAILED' // a backup can't be written
  | 'STORE_REPLACE_FAILED' // a store can't be replaced by another
  | 'STORE_CLOSED'; // the store is closed

/** A failed operation of the store, which changed nothing. */
export class StoreError extends LedgerdError {
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
