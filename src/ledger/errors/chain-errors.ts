import type { AccountId, Hash } from '../../protocol/index.ts';
import { bytesToHex, formatAccountId, LedgerdError } from '../../protocol/index.ts';

/** A contract call that reverted where only a success is of use; `output` is the revert data. */
export class ExecutionRevertedError extends LedgerdError {
  override readonly code = 'EXECUTION_REVERTED';
  readonly output: Uint8Array;

  constructor(output: Uint8Array) {
    super('execution reverted');
    this.output = output;
  }
}

/** A query that needs the history plugin, on a node that runs without it. */
export class HistoryDisabledError extends LedgerdError {
  override readonly code = 'HISTORY_DISABLED';

  constructor() {
    super(
      'the history plugin is off: --plugin=history enables it for a new chain; for an existing chain, ' +
        '"ledgerd export" and "ledgerd import --history" make a copy with it',
    );
  }
}

/** The store holds a chain that began with another genesis than the configuration gives. */
export class GenesisMismatchError extends LedgerdError {
  override readonly code = 'GENESIS_MISMATCH';

  /** @param differing names of the differences, such as `network` */
  constructor(stored: Hash, configured: Hash, differing: readonly string[]) {
    super(
      `the data folder holds a chain of another genesis, which differs in ${differing.join(', ')}: start with the ` +
        'same genesis, in test mode with the same network, hardfork, accounts, balance, seed, --ethereum and ' +
        'mnemonic ' +
        `(chain id ${bytesToHex(stored)}, this configuration gives ${bytesToHex(configured)})`,
    );
  }
}

/** A genesis that cannot begin a chain. */
export class InvalidGenesisError extends LedgerdError {
  override readonly code = 'INVALID_GENESIS';
  /** Path in the genesis file, such as `accounts[0].name`; empty for the whole file. */
  readonly path: string;

  constructor(path: string, reason: string, options?: ErrorOptions) {
    super(`the genesis is invalid: ${path === '' ? '' : `${path}: `}${reason}`, options);
    this.path = path;
  }
}

/** The chain continues from a block of a remote chain, whose state was not given. */
export class NoForkBaseError extends LedgerdError {
  override readonly code = 'NO_FORK_BASE';

  constructor(number: number, hash: Hash) {
    super(
      `the chain is a fork of block ${number} (0x${bytesToHex(hash)}) of another chain, and needs its state: start ` +
        'the node with --fork',
    );
  }
}

/** The store is empty, and no genesis was given. */
export class NoGenesisError extends LedgerdError {
  override readonly code = 'NO_GENESIS';

  constructor() {
    super('there is no chain, and no genesis for a new one');
  }
}

/** The stored parts of a chain do not fit together: the file was damaged, or another program wrote to it. */
export class ChainDamagedError extends LedgerdError {
  override readonly code = 'CHAIN_DAMAGED';

  constructor(detail: string, options?: ErrorOptions) {
    super(`the stored chain is damaged: ${detail}`, options);
  }
}

/** Reads a part of a stored chain. Any error of it becomes a `ChainDamagedError` that names the part. */
export function readStored<T>(part: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new ChainDamagedError(`${part} cannot be read`, { cause });
  }
}

/** A block from elsewhere that does not follow from the head by the ledger's rules; nothing was changed. */
export class BlockRejectedError extends LedgerdError {
  override readonly code = 'BLOCK_REJECTED';
  /** Name of the block's invalid field. */
  readonly field: string;

  constructor(round: bigint, field: string, detail: string, cause?: unknown) {
    super(`block ${round} rejected: ${field}: ${detail}`, { cause });
    this.field = field;
  }
}

/** The node lacks the consensus key of the scheduled producer. */
export class NoProducerKeyError extends LedgerdError {
  override readonly code = 'NO_PRODUCER_KEY';

  constructor(producer: AccountId) {
    super(`this node lacks the consensus key of ${formatAccountId(producer)}, the scheduled producer`);
  }
}

/** The key that the next block has to be signed with has signed blocks that this chain does not have. */
export class SignedBeforeError extends LedgerdError {
  override readonly code = 'SIGNED_BEFORE';

  constructor(producer: AccountId, number: number, last: number) {
    super(
      `block ${number} is not made: the key of ${formatAccountId(producer)} has signed blocks up to ${last} before`,
    );
  }
}

/** Why a registration by proof of work came to nothing. */
export type RegistrationErrorCode =
  | 'UNKNOWN_TASK'
  | 'TOO_MANY'
  | 'WRONG_NONCE'
  | 'INVALID_KEY'
  | 'INVALID_EVM_ADDRESS'
  | 'DROPPED'
  | 'NO_BLOCK'
  | 'CLOSED';

/** A registration that came to nothing, or is not in a block yet; the message is meant for the caller. */
export class RegistrationError extends LedgerdError {
  override readonly code: RegistrationErrorCode;

  constructor(code: RegistrationErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The signer of a block signs asynchronously, and the block was to be complete at once. */
export class UnsignedBlockError extends LedgerdError {
  override readonly code = 'UNSIGNED_BLOCK';

  constructor() {
    super('the signer of the block does not sign at once, so it can only be made in steps');
  }
}
