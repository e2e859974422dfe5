/** Operations: their fields, their codec, and what is asked of all of them. */

export {
  codeDigits,
  feePayer,
  gasLimit,
  isEthereumTransaction,
  isMetered,
  isTestOperation,
  isVirtual,
  movedAmount,
  movedWei,
  operationCodec,
  operationName,
  receiverAddress,
  senderAddress,
} from './operation-queries.ts';
export {
  EthereumTransactionOperation,
  type Operation,
  type SubmittedOperation,
  type Transfer,
} from './operations.ts';
export type { TestCall, TestWeiCall } from './test-calls.ts';
