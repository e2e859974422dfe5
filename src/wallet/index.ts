/** The test wallet: keys, locks, signatures and transactions of the accounts of test mode. */

export { EthereumWallet } from './ethereum-wallet.ts';
export { Impersonation, type ImpersonationState, impersonationFileAt } from './impersonation.ts';
export { UNLOCK_SECONDS_MAX } from './keyring.ts';
export {
  checkMnemonic,
  deriveProducerSeed,
  deriveTestAccounts,
  ETHEREUM_DERIVATION_PATH,
  evmAddressOf,
  generateSeed,
  isValidSeed as isPrivateKey,
  mnemonicKeys,
  personalMessageHash,
  signPersonalMessage,
  type TestAccount,
} from './keys.ts';
export { TEST_MNEMONIC } from './known-keys.ts';
export { walletParts } from './snapshot-parts.ts';
export type { TransactionRequest } from './transaction.ts';
export { type TypedData, type TypedField, typedDataDigest } from './typed-data.ts';
export {
  type GenesisWalletAccount,
  type Registrar,
  Wallet,
  type WalletLedger,
  type WalletOptions,
  type WalletRecord,
} from './wallet.ts';
export { WalletError, type WalletErrorCode, WalletFileError } from './wallet-errors.ts';
export { ethereumKeyFileAt, type StoredAccount, walletFileAt } from './wallet-file.ts';
