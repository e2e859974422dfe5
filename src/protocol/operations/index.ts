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
  carriedTransaction,
  type EthereumTransactionOperation,
  type Operation,
  type SubmittedOperation,
  type TestCall,
  type TestWeiCall,
  type Transfer,
} from './operations.ts';
