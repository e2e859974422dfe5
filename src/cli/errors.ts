import { LedgerdError } from '../protocol/index.ts';

/** Error of an invalid command line; the message states the error, its place and the allowed values. */
export class UsageError extends LedgerdError {
  override readonly code = 'USAGE';
}

/** Reason for the failure of a command. */
type CommandErrorCode = 'UNREACHABLE' | 'NO_LEDGERD' | 'REFUSED' | 'INTERRUPTED' | 'SEED_FILE' | 'INPUT';

/** Failure of a command that calls a node, reads its input, or was interrupted; the message is for its user. */
export class CommandError extends LedgerdError {
  override readonly code: CommandErrorCode;

  constructor(code: CommandErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Makes the error of a command that was told to stop before it was done. */
export function interrupted(message = 'interrupted', options?: ErrorOptions): CommandError {
  return new CommandError('INTERRUPTED', message, options);
}
