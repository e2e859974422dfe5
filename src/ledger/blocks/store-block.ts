import { encode } from '../../protocol/index.ts';
import type { BlockCommit, IndexedLog, Store } from '../../store/index.ts';
import { type BlockSummary, blockRecordCodec, type OperationReceipt, receiptCodec } from '../chain/index.ts';
import type { AppliedBlock } from './apply-block.ts';

/** Commits a block, everything it implies and what goes with it, at once. */
export function storeBlock(
  store: Store,
  summary: BlockSummary,
  applied: AppliedBlock,
  besides: Pick<BlockCommit, 'genesis' | 'removedPending'>,
): void {
  store.commitBlock({
    number: summary.number,
    block: encode(blockRecordCodec, summary),
    transactions: applied.transactions,
    receipts: applied.receipts.map((receipt) => encode(receiptCodec, receipt)),
    operationHashes: applied.operationHashes,
    otherHashes: applied.otherHashes,
    logs: applied.receipts.flatMap(indexedLogs),
    payers: applied.payers,
    state: applied.changes,
    accumulator: applied.accumulator,
    ...besides,
  });
}

/** The logs of the operation that has an index in the block. */
export function indexedLogs({ logs }: OperationReceipt, operation: number): IndexedLog[] {
  return logs.map(({ address, topics }, offset) => ({ operation, offset, address, topics }));
}
