import { LedgerdError } from '../../protocol/index.ts';
import type { CallFailure } from '../node-caller.ts';

/** `ledgerd sign` came to nothing; the message is for whoever ran it. */
export class SignError extends LedgerdError {
  override readonly code: CallFailure | 'INPUT';

  constructor(code: CallFailure | 'INPUT', message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
