import { LedgerdError } from '../protocol/index.ts';

/** A command line that cannot be followed; the message says what is wrong, where, and what is allowed. */
export class UsageError extends LedgerdError {
  override readonly code = 'USAGE';
}

/** Why a command that calls a node, or reads its input, came to nothing. */
export type CommandErrorCode =
  | 'UNREACHABLE'
  | 'NO_LEDGERD'
  | 'REFUSED'
  | 'INTERRUPTED'
  | 'SEED_FILE'
  | 'INPUT';

/** A failure of `ledgerd register`, `sign` or `trace`; the message is for whoever ran it. */
export class CommandError extends LedgerdError {
  override readonly code: CommandErrorCode;

  constructor(code: CommandErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Somebody asked the command to stop before it was done. */
export class InterruptedError extends LedgerdError {
  override readonly code = 'INTERRUPTED';

  constructor(message = 'interrupted') {
    super(message);
  }
}
