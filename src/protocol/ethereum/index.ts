/** Signed transactions of Ethereum, and the addresses that follow from them. */

export { checksumAddress } from './checksum-address.ts';
export { create2Address, createAddress } from './contract-addresses.ts';
export { impersonatedSignature, isImpersonatedSignature } from './impersonation.ts';
export { parseEthereumTransaction } from './parse-transaction.ts';
export { serializeEthereumTransaction, signEthereumTransaction } from './sign-transaction.ts';
export { recoverSender } from './signature.ts';
export type {
  AccessList,
  EthereumTransaction,
  EthereumTransactionFields,
} from './transaction.ts';
export { ethereumTransactionKind } from './transaction-kind.ts';
