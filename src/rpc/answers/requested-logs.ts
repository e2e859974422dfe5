import type { FoundLog, LedgerQueries } from '../../ledger/index.ts';
import { RequestFailedError } from '../errors.ts';
import { type BlockSpan, rangeOf, spanOf } from '../logs/block-range.ts';
import { findLogs, type LogSource } from '../logs/find-logs.ts';
import type { LogRequest } from '../parameters/log-options.ts';
import type { Placed } from '../parameters/schema.ts';
import { blockByHash } from './find-block.ts';

/**
 * Finds the logs that `eth_getLogs` asks for.
 *
 * @throws RequestFailedError for an unknown block, InvalidParametersError for a range that ends before it begins,
 *   LimitError
 */
export function requestedLogs(source: LogSource, request: Placed<LogRequest>): readonly FoundLog[] {
  return findLogs(source, request.value, spanOfRequest(source.ledger, request));
}

/** The blocks that a request is about; undefined for none. */
function spanOfRequest(
  ledger: LedgerQueries,
  { value: request, place }: Placed<LogRequest>,
): BlockSpan | undefined {
  if (request.blockHash === undefined) {
    const head = ledger.head().number;
    return spanOf(rangeOf(request, head, place), 0, head);
  }
  const block = blockByHash(ledger, request.blockHash);
  if (block === undefined) throw new RequestFailedError('unknown block');
  return { fromBlock: block.number, toBlock: block.number };
}
