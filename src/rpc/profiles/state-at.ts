import type { LedgerQueries, PendingState } from '../../ledger/index.ts';
import { PAST_PREFIX_ENTRIES_MAX } from '../../limits.ts';
import { type Address, keccak256 } from '../../protocol/index.ts';
import {
  data,
  type Hexadecimal,
  hashShape,
  namedShape,
  nullableShape,
  objectShape,
  quantityShape,
} from '../../view/index.ts';
import { blockByReference } from '../blocks/find-block.ts';
import { RequestFailedError } from '../errors.ts';
import type { MethodCall } from '../method.ts';
import { type BlockReference, blockReferenceSchema } from '../parameters/block.ts';
import { optional, type Schema } from '../parameters/schema.ts';

const HEAD = 'latest';
const { read: readReference, ...stateSchema } = optional(blockReferenceSchema, HEAD);

/** The block parameter of state queries; the latest where it is absent. */
export const STATE_PARAMETER = {
  name: 'block',
  schema: {
    ...stateSchema,
    // Nearly all calls read the head: a look-up in the schema is a tenth of the time of a balance.
    read: (value, place) => (value === HEAD ? HEAD : readReference(value, place)),
  } as Schema<BlockReference>,
  summary: 'The latest where it is absent.',
} as const;

/** Difference from Ethereum of the methods with this parameter. */
export const STATE_DIFFERENCES =
  'The state of blocks within the kept window (`--undo-blocks`; on a test chain all); older ones are an error.';

const HEAD_TAGS: ReadonlySet<unknown> = new Set([undefined, null, HEAD, 'pending', 'safe', 'finalized']);

/** Returns a predicate for calls whose block, the parameter at an index, is the head or the pending state. */
export function meansHead(index: number): (call: MethodCall) => boolean {
  return ({ parameters }) => {
    if (!Array.isArray(parameters)) return true;
    const reference: unknown = parameters[index];
    return reference === HEAD || HEAD_TAGS.has(reference);
  };
}

/**
 * Returns the chain as of a block; `pending` selects the head.
 *
 * @throws RequestFailedError for an unknown block, and for one whose state is not kept any more
 */
export function stateAt(ledger: LedgerQueries, reference: BlockReference): LedgerQueries {
  if (reference === HEAD || reference === 'pending') return ledger;
  const block = blockByReference(ledger, reference);
  if (block === undefined) {
    throw new RequestFailedError(
      typeof reference === 'object' ? 'header for hash not found' : 'header not found',
    );
  }
  const head = ledger.blocks.head().number;
  if (block.number === head) return ledger;
  const { oldestKept } = ledger.history;
  if (block.number >= oldestKept) return ledger.history.stateBefore(block.number + 1);
  throw new RequestFailedError(
    `missing trie node: the state of block ${block.number} is not kept, only that of blocks ${oldestKept} to ${head} ` +
      '(--undo-blocks)',
  );
}

/**
 * Returns the state after the pending transactions for `pending`, else the state after a block. Throws as `stateAt`.
 *
 * @param pending undefined in a worker, which does not have the pool
 */
export function pendingOr(
  pending: PendingState | undefined,
  ledger: LedgerQueries,
  reference: BlockReference,
): LedgerQueries | PendingState {
  return reference === 'pending' && pending !== undefined ? pending : stateAt(ledger, reference);
}

/** Root of a Merkle Patricia tree without entries. */
const EMPTY_ROOT: Hexadecimal = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';

/** The result of `eth_getAccount`. */
export const accountStateShape = namedShape(
  'AccountState',
  { title: 'account state' },
  objectShape({
    balance: quantityShape,
    nonce: quantityShape,
    codeHash: hashShape,
    storageRoot: nullableShape(hashShape),
  }),
);

/** Difference of the methods that return it. */
export const ACCOUNT_STATE_DIFFERENCES =
  'The ledger keeps no tree of storage: `storageRoot` is the root of the empty tree where nothing is stored, ' +
  'and else null.';

/** Difference of those of them that read past states as well. */
export const PAST_STORAGE_DIFFERENCES =
  `A past state whose slots have been overwritten ${PAST_PREFIX_ENTRIES_MAX.toLocaleString('en')} times since counts ` +
  'as one where something is stored.';

/** Returns the hash of the code at an address: that of no bytes for an empty address, as in geth. */
export function codeHashAt(state: Pick<LedgerQueries, 'accounts'>, address: Address): Hexadecimal {
  return data(keccak256(state.accounts.codeAt(address)));
}

/** Returns the storage root of an address without storage; undefined where something is stored, or may be. */
export function storageRootAt(
  state: Pick<LedgerQueries, 'accounts'>,
  address: Address,
): Hexadecimal | undefined {
  return state.accounts.hasStorage(address) === false ? EMPTY_ROOT : undefined;
}
