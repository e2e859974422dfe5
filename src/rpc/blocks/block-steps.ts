import type { BlockSummary, IncludedOperation, LedgerQueries } from '../../ledger/index.ts';
import { BlockRevertedError } from '../errors.ts';

/** The part of a ledger that is read in steps. */
export type SteppedLedger = Pick<LedgerQueries, 'history' | 'blocks'>;

/** Returns a check to call between the steps of reading a block, which throws BlockRevertedError for a reverted one. */
export function readingOf(
  ledger: Pick<SteppedLedger, 'history' | 'blocks'>,
  { id, number }: Pick<BlockSummary, 'id' | 'number'>,
): () => void {
  let { reorgCount } = ledger.history;
  return () => {
    if (ledger.history.reorgCount === reorgCount) return;
    if (ledger.blocks.blockById(id) === undefined) throw new BlockRevertedError(number);
    reorgCount = ledger.history.reorgCount;
  };
}

/** Reads the operations of a block in order; other work may run between them. @throws BlockRevertedError */
export function* operationsIn(
  ledger: SteppedLedger,
  block: BlockSummary,
): Generator<IncludedOperation, void> {
  const check = readingOf(ledger, block);
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

/** Writes a list of JSON texts. */
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
