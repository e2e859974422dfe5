import type { FoundLog, LedgerQueries, LogQuery } from '../../ledger/index.ts';
import { LOG_DATA_BYTES_MAX } from '../../limits.ts';
import { quantity } from '../../view/index.ts';
import type { RpcLimits } from '../context/rpc-limits.ts';
import { LimitError } from '../errors.ts';
import type { LogMatch } from '../parameters/log-options.ts';
import type { BlockSpan } from './block-range.ts';

/** Where event logs are searched, and how many an answer may have. */
export interface LogSource {
  readonly ledger: LedgerQueries;
  readonly limits: RpcLimits;
}

/**
 * Finds the logs of some blocks, in chain order.
 *
 * @param span undefined for no blocks at all
 * @param advice for the message of a limit: what the caller can do instead
 * @throws LimitError for more logs, or more data in them, than one response may have, and for a search that takes
 *   too much work
 */
export function findLogs(
  { ledger, limits }: LogSource,
  { addresses, topics }: LogMatch,
  span: BlockSpan | undefined,
  advice = 'ask for a narrower range of blocks',
): readonly FoundLog[] {
  if (span === undefined) return [];
  const query: LogQuery = { ...span, addresses, topics };
  const { logs, complete, givenUpAt } = ledger.logs(query, limits.logsMax);
  if (givenUpAt !== undefined) {
    throw new LimitError(
      `the search for logs exceeds the limit of work for one query at block ${quantity(givenUpAt)}: ${advice}`,
    );
  }
  if (!complete) {
    throw new LimitError(
      `more than ${limits.logsMax} logs match, the limit of one answer (--max-logs): ${advice}`,
    );
  }
  const bytes = logs.reduce((sum, { data }) => sum + data.length, 0);
  if (bytes > LOG_DATA_BYTES_MAX) {
    throw new LimitError(
      `the logs carry ${bytes} bytes of data, more than the limit of ${LOG_DATA_BYTES_MAX} ` +
        `for one answer: ${advice}`,
    );
  }
  return logs;
}
