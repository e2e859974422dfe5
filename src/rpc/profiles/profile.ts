import type { LedgerQueries, PendingState } from '../../ledger/index.ts';
import type { Address } from '../../protocol/index.ts';
import type { Hexadecimal, Shape } from '../../view/index.ts';
import type { ProfileId } from '../context/profile-id.ts';
import type { DescribedError } from '../description/described-errors.ts';
import type { MethodCall } from '../method.ts';
import type { QueryContext } from '../method-context.ts';
import type { BlockReference } from '../parameters/block.ts';
import type { Parameter } from '../parameters/positional.ts';

/** The block parameter of a state query as it was read; undefined on `/`, where it has no effect. */
export type StateReference = BlockReference | undefined;

/** The state that queries read: on `/` always that of the head, on `/ethereum` that of the block they name. */
export interface StateAccess {
  /** The block parameter of a state query. */
  readonly parameter: Parameter<StateReference>;
  /** Errors of a query whose block does not exist or whose state is not kept. */
  readonly errors: readonly DescribedError[];
  /** A sentence about the kept states, for descriptions; undefined where it does not apply. */
  readonly differences: string | undefined;
  /** Returns a predicate for calls that read the head or the pending state, and so take a few look-ups. */
  readsHead(parameterIndex: number): (this: void, call: MethodCall) => boolean;
  /**
   * Returns the state after a block; `pending` selects the head.
   *
   * @throws RequestFailedError for an unknown block, and for one whose state is not kept
   */
  at(ledger: LedgerQueries, reference: StateReference): LedgerQueries;
  /** Returns the state after the pending transactions for `pending`, else the state after a block; throws as `at`. */
  atOrPending(context: QueryContext, reference: StateReference): LedgerQueries | PendingState;
}

/** Everything in which `/` and `/ethereum` differ. A method of both profiles is written once, against this value. */
export interface Profile {
  readonly id: ProfileId;
  readonly state: StateAccess;
  /** Returns a balance in the unit of the profile: native units or wei; throws as `state.at`. */
  balance(context: QueryContext, address: Address, reference: StateReference): bigint;
  /**
   * Returns the transaction count of an address: its operations in blocks on `/`, its nonce on `/ethereum`.
   *
   * @throws HistoryDisabledError where a node that counts no operations is asked for them; else as `state.at`
   */
  transactionCount(context: QueryContext, address: Address, reference: StateReference): bigint | number;
  /** Code in a response; the empty text on `/`, and `0x` on `/ethereum`, for an address without code. */
  readonly codeShape: Shape<Hexadecimal | ''>;
  code(bytes: Uint8Array): Hexadecimal | '';
}
