/** Operations: their fields, their codec, and what is asked of all of them. */

export {
  type AccessList,
  carriedTransaction,
  type EthereumTransaction,
  type EthereumTransactionFields,
  isEthereumTransaction,
  parseEthereumTransaction,
} from './ethereum-stand-in.ts';
export {
  codeDigits,
  feePayer,
  gasLimit,
  isMetered,
  isTestOperation,
  isVirtual,
  movedAmount,
  operationCodec,
  receiverAddress,
  senderAddress,
} from './operation-queries.ts';
export type { Operation, SubmittedOperation, TestCall, Transfer } from './operations.ts';
