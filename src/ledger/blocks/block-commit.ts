import { invariant } from '../../protocol/index.ts';
import type { BlockCommit, IndexedLog } from '../../store/index.ts';
import type { BlockContent } from '../chain/chain.ts';
import { type BlockSummary, encodeBlockRecord, type OperationReceipt } from '../chain/records.ts';
import type { EncodedHeader } from './block-assembly.ts';
import type { AppliedBlock } from './conclude-block.ts';

/** Returns a block and everything it implies, as the store takes them. */
export function commitOf(
  summary: BlockSummary,
  { headerBytes }: EncodedHeader,
  applied: AppliedBlock,
): BlockCommit {
  return {
    number: summary.number,
    block: encodeBlockRecord(summary, headerBytes),
    transactions: applied.transactions,
    receipts: applied.receiptBytes,
    operationHashes: applied.operationHashes,
    otherHashes: applied.otherHashes,
    involved: applied.involved,
    logs: applied.receipts.flatMap(indexedLogs),
    payers: applied.payers,
    state: applied.changes,
    accumulator: applied.accumulator,
  };
}

export function indexedLogs({ logs }: OperationReceipt, operation: number): IndexedLog[] {
  return logs.map(({ address, topics }, offset) => ({ operation, offset, address, topics }));
}

/** Returns the content of a block, as if read from the store. */
export function contentOf({ transactions, applied, receipts }: AppliedBlock): BlockContent {
  const placed = applied.map(({ transaction, operationHashes }, index) => {
    const stored = transactions[index];
    invariant(stored !== undefined, 'each applied transaction is stored');
    return { firstOperation: stored.firstOperation, transaction, operationHashes };
  });
  return { transactions: placed, receipts };
}
