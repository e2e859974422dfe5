import { SharedBound } from '../../caching/bounded-map.ts';
import type { LedgerQueries } from '../../ledger/index.ts';
import type { MethodContext } from '../method-context.ts';
import { BlockFactsCache } from '../response-cache/block-facts-cache.ts';
import { ResponseCache } from '../response-cache/response-cache.ts';

/** Characters of the responses about a pending block that are kept with it. */
const PENDING_CHARACTERS_MAX = 4_000_000;

type PendingParts = Pick<MethodContext, 'ledger' | 'responses' | 'blockFacts'>;

/** Each pending block in place of the head, with the results about it, while it is in use. */
const partsByChain = new WeakMap<LedgerQueries, PendingParts>();

/**
 * Returns the context of a call that names `pending`: the head of its chain is the pending block.
 *
 * @throws PendingBlockUnmadeError, MissingEntriesError
 */
export function pendingContext(context: MethodContext): MethodContext {
  const { chain } = context.pending;
  const parts = partsByChain.get(chain) ?? partsOf(context, chain);
  partsByChain.set(chain, parts);
  const { limits } = context;
  // No other process can run its traces.
  const traceTimeMsMax = Math.min(limits.traceTimeMsMax, limits.callTimeMsMax);
  return { ...context, ...parts, limits: { ...limits, traceTimeMsMax } };
}

function partsOf({ ledger }: MethodContext, chain: LedgerQueries): PendingParts {
  const responses = new ResponseCache(chain, new SharedBound(PENDING_CHARACTERS_MAX));
  return { ledger: { ...ledger, ...chain }, responses, blockFacts: new BlockFactsCache(chain) };
}
