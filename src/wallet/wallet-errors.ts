import { LedgerdError } from '../protocol/index.ts';

/** Error codes of the test wallet. */
export type WalletErrorCode =
  | 'UNKNOWN_ACCOUNT'
  | 'LOCKED'
  | 'WRONG_PASSPHRASE'
  | 'INVALID_PASSPHRASE'
  | 'INVALID_DURATION'
  | 'INVALID_AMOUNT'
  | 'INVALID_REQUEST'
  | 'INVALID_TYPED_DATA'
  | 'WALLET_FULL'
  | 'ACCOUNT_EXISTS'
  | 'TOO_MANY_IMPERSONATED';

/** A rejected request. Nothing was signed or sent; the message is for the caller. */
export class WalletError extends LedgerdError {
  override readonly code: WalletErrorCode;

  constructor(code: WalletErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** The error of a wallet file that is damaged or cannot be read or written. */
export class WalletFileError extends LedgerdError {
  override readonly code = 'WALLET_FILE';
}
