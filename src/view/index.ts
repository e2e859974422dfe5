/** The view: native blocks, operations, receipts and logs as the JSON objects of the interface; pure functions. */

export { toDetailedBlock, toHeader } from './block.ts';
export { type BlockFacts, toEthereumBlock, toEthereumHeader } from './ethereum/block.ts';
export {
  blockShapeWith,
  type EthereumBlockObject,
  type EthereumHeaderObject,
  type EthereumReceiptObject,
  type EthereumTransactionObject,
  ethereumBlockShape,
  ethereumHeaderShape,
  ethereumReceiptShape,
  ethereumTransactionShape,
  filledTransactionShape,
  includedTransactionShape,
  pendingTransactionShape,
  signedTransactionShape,
} from './ethereum/objects.ts';
export { ethereumHashOf, ethereumLogs, toEthereumReceipt } from './ethereum/receipt.ts';
export { toEthereumTransaction, toFilledTransaction, toSignedTransaction } from './ethereum/transaction.ts';
export { foundLog, logsText } from './log.ts';
export { type BloomedLog, logsBloom } from './logs-bloom.ts';
export {
  type BlockObject,
  blockShape,
  detailedBlockShape,
  type FeeHistory,
  feeHistoryShape,
  type HeaderObject,
  headerShape,
  type LogObject,
  logShape,
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
export { receiptPieces, toReceipt } from './receipt.ts';
export { revertMessage, revertReason } from './revert-reason.ts';
export type { Shape, ValueOf } from './shapes.ts';
export * as shape from './shapes.ts';
export {
  type CallFrameObject,
  callFrameObject,
  type TransactionGas,
} from './traces/call-frame.ts';
export { endText } from './traces/end-text.ts';
export { type FlatCall, type FlatPlace, flatCalls } from './traces/flat-calls.ts';
export { prestateDifference, prestateObject } from './traces/prestate.ts';
export { stateDifference } from './traces/state-difference.ts';
export { toTransaction } from './transaction.ts';
