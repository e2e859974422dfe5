import { LedgerdError } from '../protocol/index.ts';

/** The folder of `--data-dir` cannot be used; the message names it and says why. */
export class DataFolderError extends LedgerdError {
  override readonly code = 'DATA_FOLDER';
}
