import { LedgerdError } from '../protocol/index.ts';

/** Why a store can't do what was asked. */
export type StoreErrorCode =
  | 'STORE_MISSING' // there is no store in the folder
  | 'STORE_IN_USE' // this process has the store open already
  | 'STORE_FOREIGN' // the folder or the file belongs to something else
  | 'STORE_NEWER_FORMAT' // a later version of the program wrote the file
  | 'STORE_OLDER_FORMAT' // an earlier version of the program wrote the file, which this one can't read any more
  | 'STORE_UNREADABLE' // the folder can't be read, or the file is damaged
  | 'STORE_READ_ONLY' // the folder or the file can't be written to
  | 'STORE_HISTORY_DIFFERS' // the file was created with the other choice about history
  | 'STORE_HISTORY_OFF' // the query needs history, which the file does not keep
  | 'STORE_WRONG_NUMBER' // the block does not follow the head
  | 'STORE_NOT_KEPT' // what a block overwrote is not kept, so that it can't be taken back or looked behind
  | 'STORE_INVALID_COMMIT' // the parts of a commit do not fit together
  | 'STORE_LIMITED' // the limits of the process are too low
  | 'STORE_COMMIT_FAILED' // the database refused to write, or the disk has no room for it
  | 'STORE_DISK_FAILED' // the disk failed in the middle of a commit; the process has to end
  | 'STORE_TARGET_EXISTS' // a backup would have to replace something
  | 'STORE_BACKUP_FAILED' // a backup can't be written
  | 'STORE_REPLACE_FAILED' // a store can't take the place of another
  | 'STORE_MIGRATION_FAILED' // a store of an earlier format can't be brought to the present one
  | 'STORE_CLOSED'; // the store is closed;

/** The store can't do what was asked; `code` says why. Nothing was changed. */
export class StoreError extends LedgerdError {
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
