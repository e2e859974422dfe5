/**
 * Native transactions for programs that import the package: built, signed and serialized for `eth_sendRawTransaction`.
 * Needs no node, and opens no file or connection.
 */

export type {
  AccountCreate,
  AccountOptions,
  AccountUpdate,
  Amount,
  Authority,
  ContractCall,
  ContractCreate,
  EvmAddressRegister,
  HexText,
  Operation,
  OperationJson,
  Transfer,
  TransferToAddress,
  Units,
} from './operations.ts';
export type { BlockReference } from './reference.ts';
export { PrivateKey } from './reference.ts';
export { Transaction, type TransactionFields } from './transaction.ts';
