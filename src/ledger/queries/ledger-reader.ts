import type { Hash } from '../../protocol/index.ts';
import type { StoreView } from '../../store/index.ts';
import { storedGenesis } from '../blocks/index.ts';
import { type BlockTiming, Chain, type Clock, MovableClock } from '../chain/index.ts';
import { NoGenesisError } from '../errors/index.ts';
import { chainIdOf, type Genesis, isSameGenesis, stateRulesOf } from '../genesis/index.ts';
import { TELLING, WorkingState } from '../state/index.ts';
import { LedgerQueries } from './ledger-queries.ts';
import type { LedgerParts } from './ledger-reads.ts';

interface ReaderParts extends LedgerParts {
  genesis: Genesis;
  chainId: Hash;
  state: WorkingState;
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
   * @param tellsExecutions whether executions tell what they do (`listenToExecutions`)
   * @throws NoGenesisError, ChainDamagedError, and what the store throws
   */
  static async open(store: StoreView, clock: Clock, tellsExecutions = false): Promise<LedgerReader> {
    const genesis = storedGenesis(store);
    if (genesis === undefined) throw new NoGenesisError();
    const chain = new Chain(store);
    const settings = tellsExecutions ? TELLING : {};
    const state = await WorkingState.open(store, chain, stateRulesOf(genesis), settings);
    const chainId = chainIdOf(genesis);
    const watch = tellsExecutions ? { listener: undefined } : undefined;
    return new LedgerReader({ genesis, chainId, store, chain, state, watch, clock: new MovableClock(clock) });
  }

  /**
   * Brings the view up to the newest block. What is asked before the next turn of the event loop is answered from
   * one moment's state.
   *
   * @param timing of the writer's blocks
   * @param epoch of the writer's ledger when it asked: with a later one than before, here or in the store, everything
   *   is forgotten; the chain may be one of another genesis then
   * @throws NoGenesisError, ChainDamagedError
   */
  refresh(timing: BlockTiming, epoch: number): void {
    const { store, chain, state, clock } = this.#parts;
    clock.timing = timing;
    store.refresh();
    const latest = Math.max(epoch, store.epoch());
    if (latest > this.epoch) {
      if (!this.#takeGenesis()) state.clear();
      this.forgetBlocks(latest);
    } else {
      const isPatched = store.patchCount(chain.head().number) !== this.#patches;
      if (isPatched) this.forgetState();
      if (chain.catchUp() || isPatched) state.clear();
    }
    this.#patches = store.patchCount(chain.head().number);
  }

  /** Takes the genesis of the chain over. Returns whether it is another one than before. */
  #takeGenesis(): boolean {
    const { store, chain, state } = this.#parts;
    const genesis = storedGenesis(store);
    if (genesis === undefined) throw new NoGenesisError();
    if (isSameGenesis(genesis, this.genesis)) return false;
    this.#parts.genesis = genesis;
    this.#parts.chainId = chainIdOf(genesis);
    this.#parts.state = state.over(store, chain, stateRulesOf(genesis));
    this.forgetGenesis();
    return true;
  }
}
