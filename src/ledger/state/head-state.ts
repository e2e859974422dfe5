import type { Chain } from '../chain/chain.ts';
import type { WorkingState } from './working-state.ts';

/**
 * The state at the head. Blocks are applied to it, and what is read of the head is read from it, as long as a block is
 * applied at one go. One that takes several goes keeps the state for itself meanwhile, and another state, which begins
 * with what the store holds, is read instead.
 */
export class HeadState {
  /** Blocks are applied to this state; between blocks it holds nothing that is not stored. */
  readonly applying: WorkingState;
  readonly #chain: Chain;
  /** Made when a block first takes more than one go. */
  #beside: WorkingState | undefined;
  #isInUse = false;

  constructor(applying: WorkingState, chain: Chain) {
    this.applying = applying;
    this.#chain = chain;
  }

  /** The head is read from this state; it may be another one in each turn of the event loop. */
  get reading(): WorkingState {
    if (!this.#isInUse) return this.applying;
    this.#beside ??= this.applying.another(this.#chain);
    return this.#beside;
  }

  /** Forgets everything in memory, while nothing is being applied: the store holds another state now. */
  reload(): void {
    this.applying.clear();
    this.#beside?.clear();
  }

  /** The block that is being applied goes on later: until then the state is not the head's. */
  setAside(): void {
    this.#isInUse = true;
  }

  /** Nothing is being applied any more: the state is the head's again. */
  takeBack(): void {
    if (!this.#isInUse) return;
    this.#isInUse = false;
    this.#beside?.clear();
  }
}
