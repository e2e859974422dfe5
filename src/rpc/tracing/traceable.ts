import {
  type BlockSummary,
  type IncludedOperation,
  type LedgerQueries,
  RefusedError,
  TraceBudget,
  TraceLimitError,
} from '../../ledger/index.ts';
import {
  SHORT_TRACE_BLOCKS_MAX,
  SHORT_TRACE_GAS_MAX,
  SHORT_TRACE_OPERATIONS_MAX,
  TRACE_WHOLE_BYTES_MAX,
} from '../../limits.ts';
import { type Hash, toPrefixedHex } from '../../protocol/index.ts';
import { blockByReference } from '../blocks/find-block.ts';
import { LimitError, RequestFailedError, TraceTimeoutError } from '../errors.ts';
import type { QueryContext } from '../method-context.ts';
import type { BlockReference } from '../parameters/block.ts';

/** Finds the block of a reference. @throws RequestFailedError, in geth's words, where there is none */
export function blockOf(ledger: LedgerQueries, reference: BlockReference): BlockSummary {
  const block = blockByReference(ledger, reference);
  if (block !== undefined) return block;
  if (typeof reference === 'object') {
    throw new RequestFailedError(`block ${toPrefixedHex(reference.hash)} not found`);
  }
  throw new RequestFailedError(`block #${reference} not found`);
}

/** Checks that a block can run again. @throws RequestFailedError for the genesis, and beyond the kept window */
export function requireTraceable(ledger: LedgerQueries, block: BlockSummary): void {
  if (block.number === 0) throw new RequestFailedError('genesis is not traceable');
  requireState(ledger, block.number - 1);
}

/** Returns the chain as of a block. @throws RequestFailedError beyond the kept window */
export function stateAfter(ledger: LedgerQueries, block: BlockSummary): LedgerQueries {
  if (block.number === ledger.blocks.head().number) return ledger;
  requireState(ledger, block.number);
  return ledger.history.stateBefore(block.number + 1);
}

function requireState(ledger: LedgerQueries, number: number): void {
  const { oldestKept } = ledger.history;
  if (number >= oldestKept) return;
  const kept = ledger.blocks.head().number - oldestKept;
  throw new RequestFailedError(`the state of block ${number} is not kept (--undo-blocks ${kept})`);
}

/** Finds an included operation by a hash of it. @throws RequestFailedError where none is included */
export function includedBy(ledger: LedgerQueries, hash: Hash): IncludedOperation {
  const found = ledger.blocks.findIncluded(hash);
  if (found === undefined) throw new RequestFailedError('transaction not found');
  return found;
}

/**
 * Whether an operation, by a hash of it, runs again in a moment: it is one of the first of a block of late, and all
 * that runs has used little gas. One that is not included takes no time at all.
 */
export function isShortOperation(ledger: LedgerQueries, hash: Hash): boolean {
  const found = ledger.blocks.findIncluded(hash);
  if (found === undefined) return true;
  const { block, index } = found;
  const isLate = ledger.blocks.head().number - block.number <= SHORT_TRACE_BLOCKS_MAX;
  if (!isLate || index >= SHORT_TRACE_OPERATIONS_MAX) return false;
  let gas = 0n;
  for (let place = 0; place <= index; place += 1) {
    gas += ledger.blocks.receiptOutlineOf(block.number, place)?.gasUsed ?? 0n;
  }
  return gas <= SHORT_TRACE_GAS_MAX;
}

/** Returns the budget for the traces of a request. @param milliseconds that the caller allows */
export function budgetOf(
  { limits, overflow }: Pick<QueryContext, 'limits' | 'overflow'>,
  milliseconds: number = limits.traceTimeMsMax,
): TraceBudget {
  const { traceBytesMax, traceTimeMsMax } = limits;
  const bufferedMax = Math.min(traceBytesMax, TRACE_WHOLE_BYTES_MAX);
  const bytesMax = overflow === undefined ? bufferedMax : traceBytesMax;
  const pausedMs = (): number => overflow?.pausedMs() ?? 0;
  return new TraceBudget(bytesMax, Math.min(milliseconds, traceTimeMsMax), { bufferedMax, pausedMs });
}

/**
 * Has traces made, and says of those that would be too large or take too long what the interface says.
 *
 * @throws LimitError, TraceTimeoutError, and what the work throws otherwise
 */
export function withinLimits<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof TraceLimitError) {
      throw error.limit === 'time' ? new TraceTimeoutError() : new LimitError(error.message);
    }
    if (error instanceof RefusedError && error.reason.code === 'callTimedOut') throw new TraceTimeoutError();
    throw error;
  }
}
