import { LedgerdError } from '../protocol/index.ts';

/** The reason why a data folder cannot be used. */
export type DataFolderReason =
  | 'unusable' // the system refuses it
  | 'inUse' // another process runs on it
  | 'notInitialized' // it has neither a genesis nor a chain
  | 'testChain' // it keeps the chain of test mode, or the genesis file of its chain is missing
  | 'nodeChain' // it is a persistent node's, and test mode must not touch it
  | 'occupied'; // `ledgerd init` would have to overwrite something;

/** The folder of `--data-dir` cannot be used; the message names it and says why. */
export class DataFolderError extends LedgerdError {
  override readonly code = 'DATA_FOLDER';
  readonly reason: DataFolderReason;

  constructor(reason: DataFolderReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** A genesis file cannot be read, or is none; the message names it and the place in it. */
export class GenesisFileError extends LedgerdError {
  override readonly code = 'GENESIS_FILE';
}

/**
 * A key file or the folder of the key files cannot be used. The message names the file and says why; neither it nor a
 * cause ever holds anything of a key.
 */
export class KeyFileError extends LedgerdError {
  override readonly code = 'KEY_FILE';
}

/** A refused backup or rollback; nothing was changed. The message is for the operator. */
export class MaintenanceError extends LedgerdError {
  override readonly code = 'MAINTENANCE';
}
