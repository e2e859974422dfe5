import { BLOCK_NUMBER_MAX, OPERATION_INDEX_MAX } from '../../consensus.ts';
import { LOG_ALTERNATIVES_MAX, LOG_SEARCH_STEPS_MAX } from '../../limits.ts';
import type { TableReading } from '../file/table-reading.ts';
import type { LogPosition, LogPositionQuery } from '../store.ts';
import { decodePosition, demandsOf, encodePosition } from './log-postings.ts';
import { inAll, ListWalk, StepCounter, UnionWalk, type Walk } from './log-search.ts';

/** Finds the logs of a query, in chain order, all as of the first step. @throws LogSearchLimitError */
export function* readLogPositions(tables: TableReading, query: LogPositionQuery): Generator<LogPosition> {
  const first = { block: Math.max(query.fromBlock, 0), operation: 0, offset: 0 };
  const lastBlock = Math.min(query.toBlock, BLOCK_NUMBER_MAX);
  if (!(first.block <= lastBlock)) return;
  const last = { block: lastBlock, operation: OPERATION_INDEX_MAX, offset: OPERATION_INDEX_MAX };
  const end = encodePosition(last);
  const steps = new StepCounter(query.stepsMax ?? LOG_SEARCH_STEPS_MAX);
  const snapshot = tables.snapshot();
  try {
    const walkOf = (list: Uint8Array): Walk =>
      new ListWalk((start, limit) => {
        const values = tables.values('logs', list, { start: encodePosition(start), end, limit }, snapshot);
        steps.count(values.length, start);
        return values.map(decodePosition);
      });
    const walks = demandsOf(query, LOG_ALTERNATIVES_MAX).map((lists) => unionOf(lists.map(walkOf)));
    yield* inAll(walks, first);
  } finally {
    snapshot.end();
  }
}

/** Joins walks into one. */
function unionOf(walks: readonly Walk[]): Walk {
  const [only] = walks;
  return walks.length === 1 && only !== undefined ? only : new UnionWalk(walks);
}
