import type { ChainReader } from '../../store/index.ts';
import type { Chain } from '../chain/chain.ts';
import type { MovableClock } from '../chain/clock.ts';
import type { ExecutionWatch } from '../core.ts';
import type { ChainOrigin, PerOrigin } from '../genesis/chain-parameters.ts';
import type { PastReads } from '../state/past-state.ts';
import type { WorkingState } from '../state/working-state.ts';
import type { TracedStates } from '../traces/traced-states.ts';

/** What queries are answered from: the head of a chain, or what it was before a block. */
export interface LedgerSource {
  readonly store: ChainReader;
  readonly chain: Chain;
  /** Ask for it anew each time: a test chain may be replaced by one of another genesis. */
  readonly origin: ChainOrigin & { readonly state: { readonly reading: WorkingState } };
  /** Look-ups in that state without its engine, where it is a past one. */
  readonly past?: PastReads;
  /** Where traced code runs; absent: states of its own. */
  readonly traced?: PerOrigin<TracedStates>;
  /** Who listens to executions; absent: the engine tells nobody. */
  readonly watch?: ExecutionWatch | undefined;
  /** The time of the next block. */
  readonly clock: MovableClock;
}
