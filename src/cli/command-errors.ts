import { LedgerdError } from '../protocol/index.ts';

/** The command line is invalid; the message states the error, its source and the allowed values. */
export class UsageError extends LedgerdError {
  override readonly code = 'USAGE';
}

type CommandErrorCode = 'UNREACHABLE' | 'NO_LEDGERD' | 'REFUSED' | 'INTERRUPTED' | 'SEED_FILE' | 'INPUT';

/** A command failed to call a node or to read its input, or was interrupted. */
export class CommandError extends LedgerdError {
  override readonly code: CommandErrorCode;

  constructor(code: CommandErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Creates the error of a command that a signal has stopped. */
export function interrupted(message = 'interrupted', options?: ErrorOptions): CommandError {
  return new CommandError('INTERRUPTED', message, options);
}
