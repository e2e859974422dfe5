import type { Address, EthereumTransactionFields } from '../protocol/index.ts';
import type { TypedData } from '../wallet/index.ts';

/** The key accounts that a node signs for: in test mode, on a chain with Ethereum. */
export interface EthereumKeys {
  /** Their addresses, in order. */
  list(): readonly Address[];
  holds(address: Address): boolean;
  /** The bytes of a signed transaction. @throws WalletError for an address that it does not hold */
  signTransaction(address: Address, fields: EthereumTransactionFields): Uint8Array;
  /** Signs a message with its prefix (EIP-191): 65 bytes. @throws WalletError */
  signMessage(address: Address, message: Uint8Array): Uint8Array;
  /** Signs typed data (EIP-712): 65 bytes. @throws WalletError */
  signTypedData(address: Address, typedData: TypedData): Uint8Array;
}
