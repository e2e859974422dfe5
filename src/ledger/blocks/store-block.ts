import { type Address, type ContractId, encode, invariant } from '../../protocol/index.ts';
import type { BlockCommit, IndexedLog, InvolvedAddress, Store } from '../../store/index.ts';
import { involvedIn } from '../chain/involvement.ts';
import {
  type BlockSummary,
  blockRecordCodec,
  type OperationReceipt,
  receiptCodec,
} from '../chain/records.ts';
import type { AppliedBlock } from './apply-block.ts';

/**
 * Commits a block, everything it implies and what goes with it, at once.
 * @param contractAddressOf the directory of contracts after the block
 */
export function storeBlock(
  store: Store,
  summary: BlockSummary,
  applied: AppliedBlock,
  contractAddressOf: (id: ContractId) => Address | undefined,
  besides: Pick<BlockCommit, 'genesis' | 'removedPending'>,
): void {
  store.commitBlock({
    number: summary.number,
    block: encode(blockRecordCodec, summary),
    transactions: applied.transactions,
    receipts: applied.receipts.map((receipt) => encode(receiptCodec, receipt)),
    operationHashes: applied.operationHashes,
    otherHashes: applied.otherHashes,
    involved: involvedAddresses(applied, contractAddressOf),
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

/** The addresses that the operations of a block have to do with. */
function involvedAddresses(
  { applied, receipts }: AppliedBlock,
  contractAddressOf: (id: ContractId) => Address | undefined,
): InvolvedAddress[] {
  const operations = applied.flatMap(({ transaction }) =>
    transaction.operations.map((operation, offset) => {
      return { operation, result: transaction.operationResults[offset] };
    }),
  );
  return operations.flatMap(({ operation, result }, index) => {
    const receipt = receipts[index];
    invariant(
      result !== undefined && receipt !== undefined,
      'an included operation has a result and a receipt',
    );
    return involvedIn({ index, operation, result, receipt }, contractAddressOf);
  });
}
