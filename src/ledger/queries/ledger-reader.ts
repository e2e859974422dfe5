import type { StoreView } from '../../store/index.ts';
import { storedGenesis } from '../blocks/index.ts';
import { type BlockTiming, Chain, type Clock, MovableClock } from '../chain/index.ts';
import { NoGenesisError } from '../errors/index.ts';
import { chainIdOf, stateRulesOf } from '../genesis/index.ts';
import { WorkingState } from '../state/index.ts';
import { LedgerQueries } from './ledger-queries.ts';
import type { LedgerParts } from './ledger-reads.ts';

interface ReaderParts extends LedgerParts {
  readonly store: StoreView;
}

/** A ledger that another process writes: what that one has stored can be asked here as well. */
export class LedgerReader extends LedgerQueries {
  readonly #parts: ReaderParts;
  /** How many patches there were after the head: within an epoch, both together say which state it was. */
  #patches: number;

  private constructor(parts: ReaderParts) {
    super(parts);
    this.#parts = parts;
    this.#patches = parts.store.patchCount(parts.chain.head().number);
  }

  /**
   * Opens the ledger of a store that has its genesis block.
   *
   * @throws NoGenesisError, ChainDamagedError, and what the store throws
   */
  static async open(store: StoreView, clock: Clock): Promise<LedgerReader> {
    const genesis = storedGenesis(store);
    if (genesis === undefined) throw new NoGenesisError();
    const chain = new Chain(store);
    const state = await WorkingState.open(store, chain, stateRulesOf(genesis));
    const chainId = chainIdOf(genesis);
    return new LedgerReader({ genesis, chainId, store, chain, state, clock: new MovableClock(clock) });
  }

  /**
   * Brings the view up to the newest block. What is asked before the next turn of the event loop is answered from
   * one moment's state.
   *
   * @param timing of the writer's blocks
   * @param epoch of the writer's ledger when it asked: with a later one than before, here or in the store, everything
   *   is forgotten
   */
  refresh(timing: BlockTiming, epoch: number): void {
    const { store, chain, state, clock } = this.#parts;
    clock.timing = timing;
    store.refresh();
    const latest = Math.max(epoch, store.epoch());
    if (latest > this.epoch) {
      state.clear();
      this.forgetBlocks(latest);
    } else {
      const isPatched = store.patchCount(chain.head().number) !== this.#patches;
      if (isPatched) this.forgetState();
      if (chain.catchUp() || isPatched) state.clear();
    }
    this.#patches = store.patchCount(chain.head().number);
  }
}
