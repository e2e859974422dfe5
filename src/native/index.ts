/**
 * Native transactions in a program of yours: built, signed, and written as `eth_sendRawTransaction` takes them. A node
 * is not needed, and nothing here opens a file or a connection.
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
