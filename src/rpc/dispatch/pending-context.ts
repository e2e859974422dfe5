import { SharedBound } from '../../bounded-map.ts';
import type { LedgerQueries } from '../../ledger/index.ts';
import { PENDING_CHARACTERS_MAX } from '../../limits.ts';
import type { MethodContext, QueryContext } from '../method-context.ts';
import { BlockFactsCache } from '../response-cache/block-facts-cache.ts';
import { ResponseCache } from '../response-cache/response-cache.ts';

type Caches = Pick<QueryContext, 'responses' | 'blockFacts'>;

/** The results about each pending block, while it is in use. */
const cachesByChain = new WeakMap<LedgerQueries, Caches>();

/**
 * Returns the context of a call that names `pending`: the head of its chain is the pending block.
 *
 * @throws PendingBlockUnmadeError, MissingEntriesError
 */
export function pendingContext(context: MethodContext): MethodContext {
  const { chain } = context.pending;
  const caches = cachesByChain.get(chain) ?? cachesOf(chain);
  cachesByChain.set(chain, caches);
  const { limits } = context;
  // No other process can run its traces.
  const traceTimeMsMax = Math.min(limits.traceTimeMsMax, limits.callTimeMsMax);
  const ledger = { ...context.ledger, ...chain };
  return { ...context, ...caches, ledger, limits: { ...limits, traceTimeMsMax } };
}

function cachesOf(ledger: LedgerQueries): Caches {
  const responses = new ResponseCache(ledger, new SharedBound(PENDING_CHARACTERS_MAX));
  return { responses, blockFacts: new BlockFactsCache(ledger) };
}
