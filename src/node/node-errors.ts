import { LedgerdError } from '../protocol/index.ts';

/** Reasons for which a data folder cannot be used. */
export type DataFolderReason =
  | 'unusable' // the system denies access
  | 'inUse' // another process uses it
  | 'notInitialized' // it has neither a genesis nor a chain
  | 'testChain' // it has the chain of test mode, or the genesis file of its chain is missing
  | 'nodeChain' // it has a persistent node's chain, which test mode must not change
  | 'occupied'; // `ledgerd init` would overwrite something

/** The folder of `--data-dir` cannot be used. The message names it and the reason. */
export class DataFolderError extends LedgerdError {
  override readonly code = 'DATA_FOLDER';
  readonly reason: DataFolderReason;

  constructor(reason: DataFolderReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** A genesis file cannot be read, or is invalid. The message names it and the position of the error. */
export class GenesisFileError extends LedgerdError {
  override readonly code = 'GENESIS_FILE';
}

/** A state file cannot be read or loaded, or has no folder. The message names it and the reason. */
export class StateFileError extends LedgerdError {
  override readonly code = 'STATE_FILE';
}

/** A state file could not be written when the node stopped. The message names it and the reason. */
export class StateDumpError extends LedgerdError {
  override readonly code = 'STATE_DUMP';
}

/** A key file or the key folder cannot be used. The message names it and the reason, and never contains secrets. */
export class KeyFileError extends LedgerdError {
  override readonly code = 'KEY_FILE';
}

/** The profile that the settings put at the root does not exist on the chain. */
export class RootError extends LedgerdError {
  override readonly code = 'ROOT';

  constructor() {
    super(
      'the interface of Ethereum cannot be at /: the genesis of this chain has no Ethereum; ' +
        'create a chain that has by ledgerd init --ethereum, or start without --root ethereum',
    );
  }
}

/** A refused backup or rollback; nothing was changed. The message is for the operator. */
export class MaintenanceError extends LedgerdError {
  override readonly code = 'MAINTENANCE';
}
