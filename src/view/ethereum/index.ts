/** The objects of `/ethereum`: what Ethereum's Execution APIs say of blocks, transactions, receipts and logs. */

export { type BlockFacts, toEthereumBlock, toEthereumHeader } from './block.ts';
export { ethereumHashOf, ethereumLogs } from './log.ts';
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
  type PendingTransactionObject,
  pendingTransactionShape,
  signedTransactionShape,
} from './objects.ts';
export { toEthereumReceipt } from './receipt.ts';
export { toEthereumTransaction, toFilledTransaction, toSignedTransaction } from './transaction.ts';
