import type { EvmBuild } from '../../evm/index.ts';
import type { ChainReader, StateEntry } from '../../store/index.ts';
import { NO_OVERLAY, OverridingHost, type StateOverlay } from '../calls/overrides.ts';
import type { Chain } from '../chain/chain.ts';
import { NativeState } from '../state/native-state.ts';
import type { WorkingState } from '../state/working-state.ts';

/** A stored state of a chain. */
export interface StoredPast {
  readonly store: ChainReader;
  readonly chain: Chain;
}

/** A state on a separate engine, reused for any past state, and empty in between. */
class TracedState {
  readonly #host: OverridingHost;
  readonly #state: WorkingState;
  #past: StoredPast | undefined;

  constructor(present: WorkingState, build: EvmBuild) {
    const reader = {
      state: (key: Uint8Array) => this.#past?.store.state(key),
      stateEntries: (prefix: Uint8Array): Iterable<StateEntry> =>
        this.#past?.store.stateEntries(prefix) ?? [],
      mayHaveState: (prefix: Uint8Array) => this.#past?.store.mayHaveState(prefix) ?? true,
    };
    const hashes = { blockHash: (number: bigint) => this.#past?.chain.blockHash(number) };
    const native = new NativeState(reader);
    this.#host = new OverridingHost(reader, hashes, native, present.rules);
    this.#state = present.onHost(this.#host, { store: reader, native, build });
  }

  run<T>(past: StoredPast, overlay: StateOverlay, work: (state: WorkingState) => T): T {
    this.#past = past;
    this.#host.use(overlay);
    this.#state.engine.setPrecompiles(overlay.precompiles);
    try {
      return work(this.#state);
    } finally {
      this.#state.engine.listener = undefined;
      this.#state.discard();
      this.#state.clear();
      this.#host.use(NO_OVERLAY);
      this.#state.engine.setPrecompiles(undefined);
      this.#past = undefined;
    }
  }
}

/** The states for traced code: one of each build, made on first use. */
export class TracedStates {
  readonly #present: () => WorkingState;
  readonly #states = new Map<EvmBuild, TracedState>();

  /** @param present gives a state of the same rules */
  constructor(present: () => WorkingState) {
    this.#present = present;
  }

  /** Runs work on a past state under an overlay, and discards its changes. */
  run<T>(build: EvmBuild, past: StoredPast, overlay: StateOverlay, work: (state: WorkingState) => T): T {
    const known = this.#states.get(build);
    const state = known ?? new TracedState(this.#present(), build);
    if (known === undefined) this.#states.set(build, state);
    return state.run(past, overlay, work);
  }
}
