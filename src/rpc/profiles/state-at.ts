import type { LedgerQueries, PendingState } from '../../ledger/index.ts';
import { blockByReference } from '../answers/find-block.ts';
import { RequestFailedError } from '../errors.ts';
import type { MethodCall } from '../method.ts';
import { type BlockReference, blockReferenceSchema } from '../parameters/block.ts';
import { optional, type Schema } from '../parameters/schema.ts';

const HEAD = 'latest';
const { read: readReference, ...stateSchema } = optional(blockReferenceSchema, HEAD);

/** The block whose state is asked for; the latest where it is absent. */
export const STATE_PARAMETER = {
  name: 'block',
  schema: {
    ...stateSchema,
    // What nearly all calls ask for is not looked up: a look-up is a tenth of what a balance takes.
    read: (value, place) => (value === HEAD ? HEAD : readReference(value, place)),
  } as Schema<BlockReference>,
  summary: 'The latest where it is absent.',
} as const;

/** What the methods that take it say of it. */
export const STATE_DIFFERENCES =
  'The state of blocks within the kept window (`--undo-blocks`; on a test chain all); older ones are an error.';

const HEAD_TAGS: ReadonlySet<unknown> = new Set([undefined, null, HEAD, 'pending', 'safe', 'finalized']);

/** Whether a call means the head, or what waits, by its parameter at an index. */
export function meansHead(index: number): (call: MethodCall) => boolean {
  return ({ parameters }) => {
    if (!Array.isArray(parameters)) return true;
    const reference: unknown = parameters[index];
    return reference === HEAD || HEAD_TAGS.has(reference);
  };
}

/**
 * The chain as of a block, `pending` being the latest.
 *
 * @throws RequestFailedError where there is no such block, and where its state is not kept any more
 */
export function stateAt(ledger: LedgerQueries, reference: BlockReference): LedgerQueries {
  if (reference === HEAD || reference === 'pending') return ledger;
  const block = blockByReference(ledger, reference);
  if (block === undefined) {
    throw new RequestFailedError(
      typeof reference === 'object' ? 'header for hash not found' : 'header not found',
    );
  }
  const head = ledger.head().number;
  if (block.number === head) return ledger;
  const { oldestKept } = ledger;
  if (block.number >= oldestKept) return ledger.stateBefore(block.number + 1);
  throw new RequestFailedError(
    `missing trie node: the state of block ${block.number} is not kept, only that of blocks ${oldestKept} to ${head} ` +
      '(--undo-blocks)',
  );
}

/**
 * The state after what waits where `pending` is asked for, and else that of a block.
 *
 * @param pending undefined in a process that does not know of what waits
 * @throws RequestFailedError as `stateAt` does
 */
export function pendingOr(
  pending: PendingState | undefined,
  ledger: LedgerQueries,
  reference: BlockReference,
): LedgerQueries | PendingState {
  return reference === 'pending' && pending !== undefined ? pending : stateAt(ledger, reference);
}
