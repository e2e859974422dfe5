/** The view: native blocks, operations, receipts and logs as the JSON objects of the interface; pure functions. */

export { toBlock, toHeader } from './block.ts';
export { data, type Hexadecimal, paddedData, quantity } from './formatting.ts';
export { foundLog, logsText, toLogs } from './log.ts';
export { type BloomedLog, LOGS_BLOOM_BYTES, logsBloom } from './logs-bloom.ts';
export type { BlockObject, HeaderObject, LogObject, ReceiptObject, TransactionObject } from './objects.ts';
export { toReceipt } from './receipt.ts';
export { toTransaction } from './transaction.ts';
