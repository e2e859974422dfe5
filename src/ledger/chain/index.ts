/** The blocks in the store, the records they are kept as, and the clock of the chain. */

export {
  type BlockContent,
  Chain,
  operationOf,
  type PlacedOperation,
} from './chain.ts';
export { type BlockTiming, type Clock, clockOf, MovableClock, SYSTEM_TIMING, systemClock } from './clock.ts';
export { involvedIn, OPERATION_INDEXING } from './involvement.ts';
export { type Patch, type PatchRecord, patchRecordCodec, type SetBalance } from './patch-record.ts';
export type { ReceiptOutline } from './receipt-outline.ts';
export {
  type Account,
  accountCodec,
  accountRecordCodec,
  accountRecordOf,
  accountStateOf,
  type BlockSummary,
  blockRecordCodec,
  type DynamicProperties,
  dynamicPropertiesCodec,
  type OperationReceipt,
  receiptCodec,
} from './records.ts';
export { serializeBlock, serializedBlock, storedBlock } from './stored-block.ts';
