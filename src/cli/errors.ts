import { LedgerdError } from '../protocol/index.ts';

/** A command line that cannot be followed; the message says what is wrong, where, and what is allowed. */
export class UsageError extends LedgerdError {
  override readonly code = 'USAGE';
}

/** Somebody asked the command to stop before it was done. */
export class InterruptedError extends LedgerdError {
  override readonly code = 'INTERRUPTED';

  constructor(message = 'interrupted') {
    super(message);
  }
}
