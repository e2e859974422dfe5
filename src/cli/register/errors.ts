import { LedgerdError } from '../../protocol/index.ts';

/** Why `ledgerd register` registered nobody. */
export type RegisterErrorCode = 'UNREACHABLE' | 'NO_LEDGERD' | 'REFUSED' | 'SEED_FILE' | 'INTERRUPTED';

/** `ledgerd register` came to nothing; the message is for whoever ran it. */
export class RegisterError extends LedgerdError {
  override readonly code: RegisterErrorCode;

  constructor(code: RegisterErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
