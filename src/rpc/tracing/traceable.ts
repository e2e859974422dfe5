import {
  type BlockSummary,
  type IncludedOperation,
  type LedgerQueries,
  RefusedError,
  TraceBudget,
  TraceLimitError,
} from '../../ledger/index.ts';
import { type Hash, toPrefixedHex } from '../../protocol/index.ts';
import { blockByReference } from '../blocks/find-block.ts';
import type { QueryContext } from '../method-context.ts';
import type { BlockReference } from '../parameters/block.ts';
import { LimitError, RequestFailedError, TraceTimeoutError } from '../rpc-errors.ts';

/** Bytes of traces that are collected, or are sent only when complete (16 MiB). */
export const TRACE_WHOLE_BYTES_MAX = 16 * 1024 * 1024;
/** Gas up to which, with that of the transactions before it, the node itself traces a transaction: some ms. */
export const SHORT_TRACE_GAS_MAX = 500_000;
/** Transactions of the block up to it, and blocks since, at most, for the same. */
const SHORT_TRACE_OPERATIONS_MAX = 32;
const SHORT_TRACE_BLOCKS_MAX = 256;

/** Returns the block of a reference. @throws RequestFailedError with the message of geth for an unknown block */
export function blockOf(ledger: LedgerQueries, reference: BlockReference): BlockSummary {
  const block = blockByReference(ledger, reference);
  if (block !== undefined) return block;
  if (typeof reference === 'object') {
    throw new RequestFailedError(`block ${toPrefixedHex(reference.hash)} not found`);
  }
  throw new RequestFailedError(`block #${reference} not found`);
}

/** Checks that a block can be replayed. @throws RequestFailedError for the genesis, and beyond the stored window */
export function requireTraceable(ledger: LedgerQueries, block: BlockSummary): void {
  if (block.number === 0) throw new RequestFailedError('genesis is not traceable');
  requireState(ledger, block.number - 1);
}

/** Returns the state after a block. @throws RequestFailedError beyond the stored window */
export function stateAfter(ledger: LedgerQueries, block: BlockSummary): LedgerQueries {
  if (block.number === ledger.blocks.head().number) return ledger;
  requireState(ledger, block.number);
  return ledger.history.stateBefore(block.number + 1);
}

function requireState(ledger: LedgerQueries, number: number): void {
  const { oldestState } = ledger.history;
  if (number >= oldestState) return;
  const kept = ledger.blocks.head().number - oldestState;
  throw new RequestFailedError(`the state of block ${number} is not stored (--undo-blocks ${kept})`);
}

/** Returns an included operation by one of its hashes. @throws RequestFailedError for an unknown hash */
export function includedBy(ledger: LedgerQueries, hash: Hash): IncludedOperation {
  const found = ledger.blocks.findIncluded(hash);
  if (found === undefined) throw new RequestFailedError('transaction not found');
  return found;
}

/**
 * True if the replay of an operation is short: the operation is one of the first of a recent block, and the operations
 * up to it used little gas. Also true for a hash that is not included, which is not replayed.
 */
export function isShortOperation(ledger: LedgerQueries, hash: Hash): boolean {
  const found = ledger.blocks.findIncluded(hash);
  if (found === undefined) return true;
  const { block, index } = found;
  const isRecent = ledger.blocks.head().number - block.number <= SHORT_TRACE_BLOCKS_MAX;
  if (!isRecent || index >= SHORT_TRACE_OPERATIONS_MAX) return false;
  return ledger.blocks.gasUsedByFirst(index + 1, block.number) <= SHORT_TRACE_GAS_MAX;
}

/** Returns the budget of the traces of a request. @param milliseconds the time limit of the caller */
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
 * Runs a trace, and converts the errors of a trace that is too large or takes too long.
 *
 * @throws LimitError, TraceTimeoutError, and the other errors of `trace`
 */
export function withinLimits<T>(trace: () => T): T {
  try {
    return trace();
  } catch (error) {
    if (error instanceof TraceLimitError) {
      throw error.limit === 'time' ? new TraceTimeoutError() : new LimitError(error.message);
    }
    if (error instanceof RefusedError && error.reason.code === 'callTimedOut') throw new TraceTimeoutError();
    throw error;
  }
}
