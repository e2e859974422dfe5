/** The view: native blocks, operations, receipts and logs as the JSON objects of the interface; pure functions. */

export { toDetailedBlock, toHeader } from './block.ts';
export {
  type BlockFacts,
  blockShapeWith,
  type EthereumBlockObject,
  type EthereumHeaderObject,
  type EthereumReceiptObject,
  type EthereumTransactionObject,
  ethereumBlockShape,
  ethereumHashOf,
  ethereumHeaderShape,
  ethereumLogs,
  ethereumReceiptShape,
  ethereumTransactionShape,
  filledTransactionShape,
  includedTransactionShape,
  type PendingTransactionObject,
  pendingTransactionShape,
  signedTransactionShape,
  toEthereumBlock,
  toEthereumHeader,
  toEthereumReceipt,
  toEthereumTransaction,
  toFilledTransaction,
  toSignedTransaction,
} from './ethereum/index.ts';
export { type FeeHistory, feeHistoryShape } from './fee-history.ts';
export { data, type Hexadecimal, paddedData, quantity } from './formatting.ts';
export { foundLog, logsText, toLogs } from './log.ts';
export { type BloomedLog, LOGS_BLOOM_BYTES, logsBloom } from './logs-bloom.ts';
export {
  type BlockObject,
  blockShape,
  type DetailedBlockObject,
  detailedBlockShape,
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
export { toReceipt } from './receipt.ts';
export { receiptPieces } from './receipt-pieces.ts';
export { revertMessage, revertReason } from './revert-reason.ts';
export {
  addressShape,
  arrayShape,
  constantShape,
  dataShape,
  describedShape,
  eitherShape,
  emptyObjectShape,
  flagShape,
  hashShape,
  integerShape,
  namedShape,
  nullableShape,
  nullShape,
  numberShape,
  objectShape,
  optionalShape,
  quantityShape,
  recordShape,
  type Shape,
  textShape,
  type ValueOf,
} from './shapes.ts';
export {
  type CallFrameObject,
  callFrameObject,
  callFrameShape,
  endText,
  type FlatCall,
  type FlatPlace,
  flatCalls,
  prestateDifference,
  prestateObject,
  stateDifference,
  type TransactionGas,
} from './traces/index.ts';
export { toTransaction } from './transaction.ts';
