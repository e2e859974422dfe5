import { LedgerdError } from '../protocol/index.ts';

/** A command line that cannot be followed; the message says what is wrong, where, and what is allowed. */
export class UsageError extends LedgerdError {
  override readonly code = 'USAGE';
}

/** Reasons for which a command fails; `INTERRUPTED`: it was asked to stop before it was done. */
export type CommandErrorCode =
  | 'UNREACHABLE'
  | 'NO_LEDGERD'
  | 'REFUSED'
  | 'INTERRUPTED'
  | 'SEED_FILE'
  | 'INPUT';

/** A failure of a command; the message is for whoever ran it. */
export class CommandError extends LedgerdError {
  override readonly code: CommandErrorCode;

  constructor(code: CommandErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
