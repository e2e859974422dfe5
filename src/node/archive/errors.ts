import { LedgerdError } from '../../protocol/index.ts';

/** Reasons for which an archive is refused or cannot be written. */
export type ArchiveErrorCode =
  | 'NOT_AN_ARCHIVE' // the bytes do not begin as an archive does
  | 'NEWER_FORMAT' // a later version of the program wrote it
  | 'CUT' // it ends before its end mark
  | 'DAMAGED' // a checksum or a length is wrong, or what is in it can't be read
  | 'OTHER_CHAIN' // it is of another chain than the folder's
  | 'MISSING_BLOCKS' // it begins after the block that is needed next, or has not the range that was asked for
  | 'FILE'; // its file is there already, or can't be written or read;

/** An archive of blocks can't be written or read; the message is for the operator. */
export class ArchiveError extends LedgerdError {
  override readonly code: ArchiveErrorCode;

  constructor(code: ArchiveErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
