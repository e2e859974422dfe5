import type { FoundLog, LogQuery } from '../../ledger/index.ts';
import { quantity } from '../../protocol/index.ts';
import { blockByHash } from '../blocks/find-block.ts';
import type { BoundedLedger } from '../blocks/receipts.ts';
import type { BlockSelector } from '../parameters/block.ts';
import type { LogCriteria, LogMatch, LogRequest } from '../parameters/log-options.ts';
import { type ParameterPath, refusal, type WithPath } from '../parameters/schema.ts';
import { LimitError, RequestFailedError } from '../rpc-errors.ts';

/** Total bytes of data of the event logs in one response (64 MiB). */
const LOG_DATA_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Refuses a range with `pending`, as geth does: logs and traces of transactions that no block has may
 * never exist.
 * @throws RequestFailedError
 */
export function requireStored(
  { fromBlock, toBlock }: { readonly [End in 'fromBlock' | 'toBlock']?: BlockSelector | undefined },
  noun: 'logs' | 'traces' = 'logs',
): void {
  if (fromBlock !== 'pending' && toBlock !== 'pending') return;
  throw new RequestFailedError(`pending ${noun} are not supported`);
}

/** A range of blocks, both ends included, which need not exist yet. */
export interface BlockRange {
  readonly from: bigint;
  /** Undefined: up to the head at the time of the search. */
  readonly to: bigint | undefined;
}

export interface BlockSpan {
  readonly fromBlock: number;
  readonly toBlock: number;
}

/**
 * Finds the logs that `eth_getLogs` requests.
 *
 * @param mayPassHead true to end a range that passes the head at the head, false to reject it
 * @throws InvalidParametersError for such a range, RequestFailedError for an unknown block; else as `rangeOf` and
 *   `findLogs`
 */
export function requestedLogs(
  context: BoundedLedger,
  { value, path }: WithPath<LogRequest>,
  mayPassHead: boolean,
): readonly FoundLog[] {
  const { ledger } = context;
  if (value.blockHash === undefined) {
    const head = ledger.blocks.head().number;
    const range = rangeOf(value, head, path);
    if (!mayPassHead) requireWithin(range, head, path);
    return findLogs(context, value, spanOf(range, 0, head));
  }
  const block = blockByHash(ledger, value.blockHash);
  if (block === undefined) throw new RequestFailedError('unknown block');
  return findLogs(context, value, { fromBlock: block.number, toBlock: block.number });
}

/**
 * Finds the logs of some blocks, in chain order.
 *
 * @param span undefined for no blocks
 * @param advice alternative for the caller, for the message of an error
 * @throws LimitError for too many logs, too much data in them, and a search beyond its limit
 */
export function findLogs(
  { ledger, limits }: BoundedLedger,
  { addresses, topics }: LogMatch,
  span: BlockSpan | undefined,
  advice = 'request a narrower range of blocks',
): readonly FoundLog[] {
  if (span === undefined) return [];
  const query: LogQuery = { ...span, addresses, topics };
  const { logs, complete, abortedAt } = ledger.blocks.logs(query, limits.logsMax);
  if (abortedAt !== undefined) {
    throw new LimitError(
      `the search for logs exceeds the limit of work for one query at block ${quantity(abortedAt)}: ${advice}`,
    );
  }
  if (!complete) {
    throw new LimitError(
      `more than ${limits.logsMax} logs match, the limit of one response (--max-logs): ${advice}`,
    );
  }
  const bytes = logs.reduce((sum, { data }) => sum + data.length, 0);
  if (bytes > LOG_DATA_BYTES_MAX) {
    throw new LimitError(
      `the logs carry ${bytes} bytes of data, more than the limit of ${LOG_DATA_BYTES_MAX} ` +
        `for one response: ${advice}`,
    );
  }
  return logs;
}

/**
 * Returns the range of log criteria (docs/interface.md#filters). A range from `latest` begins at the present head, a
 * range to `latest` has no end.
 *
 * @throws InvalidParametersError for a range that ends before it begins
 */
export function rangeOf({ fromBlock, toBlock }: LogCriteria, head: number, path: ParameterPath): BlockRange {
  const from = numberOf(fromBlock) ?? BigInt(head);
  const to = numberOf(toBlock);
  if (to === undefined || to >= from) return { from, to };
  // The first words are geth's, which clients may match.
  throw refusal(
    path,
    `invalid block range params: fromBlock ${quantity(from)} is after toBlock ${quantity(to)}`,
  );
}

/** Rejects a range that passes the head, with geth's words. @throws InvalidParametersError */
function requireWithin({ from, to }: BlockRange, head: number, path: ParameterPath): void {
  if (to !== undefined && to > BigInt(head)) {
    throw refusal(path, `block range extends beyond current head block: ${quantity(to)} > ${quantity(head)}`);
  }
  if (from > BigInt(head)) {
    throw refusal(path, `invalid block range params: fromBlock ${quantity(from)} is after the head`);
  }
}

/** Returns the blocks of a range from `first` to `head`; undefined for none. */
export function spanOf({ from, to }: BlockRange, first: number, head: number): BlockSpan | undefined {
  const start = BigInt(first);
  const end = BigInt(head);
  const fromBlock = from > start ? from : start;
  const toBlock = to !== undefined && to < end ? to : end;
  return fromBlock > toBlock ? undefined : { fromBlock: Number(fromBlock), toBlock: Number(toBlock) };
}

/** Returns the number of a block; undefined for `latest` and `pending`. */
function numberOf(selector: BlockSelector): bigint | undefined {
  if (selector === 'latest' || selector === 'pending') return undefined;
  return selector === 'earliest' ? 0n : selector;
}
