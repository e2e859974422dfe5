import type { ChainReader } from '../../store/index.ts';
import type { Chain } from '../chain/chain.ts';
import type { MovableClock } from '../chain/clock.ts';
import type { ExecutionWatch } from '../core.ts';
import type { ChainOrigin, PerOrigin } from '../genesis/chain-parameters.ts';
import type { PastStateReader } from '../state/past-state.ts';
import type { WorkingState } from '../state/working-state.ts';
import type { TracedStates } from '../traces/traced-states.ts';

/** The data behind queries: the head of a chain, or its state before a block. */
export interface LedgerSource {
  readonly store: ChainReader;
  readonly chain: Chain;
  /** The origin, which changes when a test chain is replaced: never cache it. */
  readonly origin: ChainOrigin & { readonly state: { readonly reading: WorkingState } };
  /** True if the head is the block that would be made next: what runs in the next block runs in it. */
  readonly isPending?: true;
  /** Look-ups in a past state without its engine. */
  readonly past?: PastStateReader;
  /** States for traced code; absent: new ones. */
  readonly traced?: PerOrigin<TracedStates>;
  /** Listener to executions; absent: none. */
  readonly watch?: ExecutionWatch | undefined;
  /** The time of the next block. */
  readonly clock: MovableClock;
}
