import { LedgerdError } from '../protocol/index.ts';

/** Kinds of refusals of the test wallet. */
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

/** A refused request. Nothing was signed or sent; the message is for the caller. */
export class WalletError extends LedgerdError {
  override readonly code: WalletErrorCode;

  constructor(code: WalletErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** A file of the wallet that cannot be read, written or trusted. */
export class WalletFileError extends LedgerdError {
  override readonly code = 'WALLET_FILE';
}
