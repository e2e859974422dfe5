/** Formatters: native blocks, operations, receipts and logs as the JSON objects of the interface; pure functions. */

export { toHeader } from './block.ts';
export { type BlockFacts, toEthereumBlock, toEthereumHeader } from './ethereum/block.ts';
export { logItem, receiptLeaf, rootOfLeaves, transactionLeaf } from './ethereum/block-tries.ts';
export {
  accessListShape,
  blockShapeWith,
  type EthereumBlockObject,
  type EthereumHeaderObject,
  type EthereumReceiptObject,
  type EthereumTransactionObject,
  ethereumBlockShape,
  ethereumHeaderShape,
  ethereumReceiptShape,
  ethereumTransactionShape,
  type FilledTransactionObject,
  filledTransactionShape,
  includedTransactionShape,
  pendingTransactionShape,
  signedTransactionShape,
} from './ethereum/objects.ts';
export { ethereumHashOf, ethereumLogs, toEthereumReceipt } from './ethereum/receipt.ts';
export {
  toAccessList,
  toEthereumTransaction,
  toFilledTransaction,
  toSignedTransaction,
} from './ethereum/transaction.ts';
export { logsText, toLog } from './log.ts';
export { type BloomedLog, logsBloom } from './logs-bloom.ts';
export {
  type BlockObject,
  blockShape,
  DETAILED_BLOCK,
  detailedBlockShape,
  type FeeHistory,
  feeHistoryShape,
  type HeaderObject,
  headerShape,
  type LogObject,
  logShape,
  outcomeFields,
  type ReceiptObject,
  receiptShape,
  type TransactionObject,
  transactionShape,
} from './objects.ts';
export {
  type ListedOperationObject,
  listedOperationShape,
  type OperationTerms,
  operationShape,
  toListedOperation,
  toOperation,
} from './operation.ts';
export { type LogReceipt, receiptPieces, toReceipt } from './receipt.ts';
export { PANIC_SELECTOR, revertMessage, revertReason } from './revert-reason.ts';
export type { Shape, ValueOf } from './shapes.ts';
export * as shape from './shapes.ts';
export {
  type CallFrameObject,
  callFrameObject,
  type TransactionGas,
} from './traces/call-frame.ts';
export { errorText, isCreation } from './traces/error-texts.ts';
export { type FlatCall, flatCalls, type TransactionPosition } from './traces/flat-calls.ts';
export { prestateDifference, prestateObject } from './traces/prestate.ts';
export { stateDifference } from './traces/state-difference.ts';
export { validationFrameObject } from './traces/validation-frame.ts';
export { toTransaction } from './transaction.ts';
