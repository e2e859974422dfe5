import type { Address, EthereumTransactionFields, Seed } from '../../protocol/index.ts';
import type { TypedData } from '../../wallet/index.ts';

/** The key accounts that a node signs for: in test mode, on a chain with Ethereum. */
export interface EthereumKeys {
  /** Their addresses, in order. */
  list(): readonly Address[];
  holds(address: Address): boolean;
  /** Takes a key in, or generates one: its address. It starts locked. @throws WalletError */
  create(passphrase: string, key?: Seed): Address;
  /** @throws WalletError */
  lock(address: Address): void;
  /** Seconds as `personal_unlockAccount` counts them. @throws WalletError, also for a wrong passphrase */
  unlock(address: Address, passphrase: string, durationSeconds?: number): void;
  /**
   * Makes sure that a transaction can be signed.
   *
   * @param passphrase of an account that may be locked; absent: it must not be
   * @throws WalletError for an address that it does not hold, that is locked, or has another passphrase
   */
  requireUsable(address: Address, passphrase?: string): void;
  /** The bytes of a signed transaction. @throws WalletError as `requireUsable` */
  signTransaction(address: Address, fields: EthereumTransactionFields, passphrase?: string): Uint8Array;
  /** Signs a message with its prefix (EIP-191): 65 bytes. @throws WalletError */
  signMessage(address: Address, message: Uint8Array, passphrase?: string): Uint8Array;
  /** Signs typed data (EIP-712): 65 bytes. @throws WalletError */
  signTypedData(address: Address, typedData: TypedData): Uint8Array;
}
