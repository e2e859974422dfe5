import { BLOCK_NUMBER_MAX, LOG_ALTERNATIVES_MAX, OPERATION_INDEX_MAX } from '../limits.ts';
import type { Database, Snapshot } from './database.ts';
import { decodePosition, demandsOf, encodePosition } from './log-postings.ts';
import { inAll, ListWalk, UnionWalk, type Walk } from './log-search.ts';
import type { LogPosition, LogPositionQuery } from './store.ts';

/** The logs that a query asks for, in chain order, all as of the first step. */
export function* readLogPositions(database: Database, query: LogPositionQuery): Generator<LogPosition> {
  const first = { block: Math.max(query.fromBlock, 0), operation: 0, offset: 0 };
  const lastBlock = Math.min(query.toBlock, BLOCK_NUMBER_MAX);
  if (!(first.block <= lastBlock)) return;
  const end = encodePosition({
    block: lastBlock,
    operation: OPERATION_INDEX_MAX,
    offset: OPERATION_INDEX_MAX,
  });
  const snapshot = database.snapshot();
  try {
    const walks = demandsOf(query, LOG_ALTERNATIVES_MAX).map((lists) =>
      walkThrough(lists, database, end, snapshot),
    );
    yield* inAll(walks, first);
  } finally {
    snapshot.end();
  }
}

/** A walk through all that stands in one of the lists. */
function walkThrough(
  lists: readonly Uint8Array[],
  database: Database,
  end: Uint8Array,
  snapshot: Snapshot,
): Walk {
  const walks = lists.map((list) => {
    return new ListWalk((start, limit) => {
      const range = { start: encodePosition(start), end, limit };
      return database.values('logs', list, range, snapshot).map(decodePosition);
    });
  });
  const [only] = walks;
  return walks.length === 1 && only !== undefined ? only : new UnionWalk(walks);
}
