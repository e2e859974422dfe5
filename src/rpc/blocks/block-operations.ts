import type { BlockSummary, IncludedOperation, LedgerQueries } from '../../ledger/index.ts';
import { BlockRevertedError } from '../rpc-errors.ts';

export type RevertibleLedger = Pick<LedgerQueries, 'history' | 'blocks' | 'prices'>;

/** Returns a function that throws BlockRevertedError once a block is reverted, to be called after each step. */
export function revertCheck(
  ledger: RevertibleLedger,
  { id, number, isPending }: Pick<BlockSummary, 'id' | 'number' | 'isPending'>,
): () => void {
  let { reorgCount } = ledger.history;
  return () => {
    if (ledger.history.reorgCount === reorgCount) return;
    if (isPending === true || ledger.blocks.blockById(id) === undefined) throw new BlockRevertedError(number);
    reorgCount = ledger.history.reorgCount;
  };
}

/** Reads the operations of a block in order, in steps. @throws BlockRevertedError */
export function* operationsIn(
  ledger: RevertibleLedger,
  block: BlockSummary,
): Generator<IncludedOperation, void> {
  const check = revertCheck(ledger, block);
  let index = 0;
  while (index < block.operationCount) {
    const operations = ledger.blocks.operationsFrom(block.number, index);
    if (operations.length === 0) return;
    for (const operation of operations) {
      yield operation;
      check();
    }
    index += operations.length;
  }
}

/** Writes a JSON array of texts, each in pieces. */
export function* listPieces(texts: Iterable<Iterable<string>>): Generator<string, void> {
  let separator = '[';
  for (const pieces of texts) {
    for (const piece of pieces) {
      yield separator + piece;
      separator = '';
    }
    separator = ',';
  }
  yield separator === '[' ? '[]' : ']';
}
