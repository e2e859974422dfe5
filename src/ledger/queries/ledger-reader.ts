import type { StoreView } from '../../store/index.ts';
import { storedGenesis } from '../blocks/genesis-block.ts';
import { Chain } from '../chain/chain.ts';
import { type BlockTiming, type Clock, MovableClock } from '../chain/clock.ts';
import { NoGenesisError } from '../errors/chain-errors.ts';
import { originOf } from '../genesis/chain-parameters.ts';
import type { Genesis } from '../genesis/genesis.ts';
import { isSameGenesis } from '../genesis/genesis-codec.ts';
import type { ForkBase } from '../state/fork-base.ts';
import { WorkingState } from '../state/working-state.ts';
import { type ChainHistory, type History, type LedgerQueries, queriesOf } from './ledger-queries.ts';
import type { LedgerSource } from './ledger-source.ts';

interface ReaderSource extends LedgerSource {
  readonly store: StoreView;
  origin: LedgerSource['origin'];
}

/** A read-only ledger of a store that another process writes. */
export class LedgerReader implements LedgerQueries {
  readonly parameters: LedgerQueries['parameters'];
  readonly blocks: LedgerQueries['blocks'];
  readonly accounts: LedgerQueries['accounts'];
  readonly origins: LedgerQueries['origins'];
  readonly calls: LedgerQueries['calls'];
  readonly prices: LedgerQueries['prices'];
  readonly #source: ReaderSource;
  readonly #history: ChainHistory;
  /** Number of patches after the head: with the reorganisation count, it identifies the state. */
  #patches: number;

  private constructor(source: ReaderSource) {
    const queries = queriesOf(source);
    ({ parameters: this.parameters, blocks: this.blocks, accounts: this.accounts } = queries);
    ({ calls: this.calls, history: this.#history, prices: this.prices, origins: this.origins } = queries);
    this.#source = source;
    this.#patches = source.store.patchCount(source.chain.head().number);
  }

  /**
   * Opens the ledger of a store with a genesis block.
   * @param reportsExecutions true if executions report to listeners (`listenToExecutions`)
   * @param base the state at the block of a fork; needed if the genesis names one
   * @throws NoGenesisError, NoForkBaseError, ChainDamagedError, and as the store
   */
  static async open(
    store: StoreView,
    clock: Clock,
    reportsExecutions = false,
    base?: ForkBase,
  ): Promise<LedgerReader> {
    const origin = originOf(requiredGenesis(store), base);
    const chain = new Chain(store);
    const reading = await WorkingState.open(store, chain, origin.rules, reportsExecutions);
    return new LedgerReader({
      store,
      chain,
      clock: new MovableClock(clock),
      origin: { ...origin, state: { reading } },
      watch: reportsExecutions ? { listener: undefined } : undefined,
    });
  }

  get history(): History {
    return this.#history;
  }

  /**
   * Advances the view to the newest block. Queries before the next iteration of the event loop read one consistent
   * state.
   * @param timing of the writer's blocks
   * @param reorgCount of the writer's ledger at its request: a greater one than before, here or in the store, clears
   *   everything; the chain may have another genesis then
   * @throws NoGenesisError, ChainDamagedError
   */
  refresh(timing: BlockTiming, reorgCount: number): void {
    const { store, chain, clock } = this.#source;
    clock.setTiming(timing);
    store.refresh();
    const latest = Math.max(reorgCount, store.reorgCount());
    if (latest > this.#history.reorgCount) {
      if (!this.#takeGenesis()) this.#clearState();
      this.#history.clearBlocks(latest);
    } else {
      const isPatched = store.patchCount(chain.head().number) !== this.#patches;
      if (isPatched) this.#history.clearState();
      if (chain.catchUp() || isPatched) this.#clearState();
    }
    this.#patches = store.patchCount(chain.head().number);
  }

  #clearState(): void {
    this.#source.origin.state.reading.clear();
  }

  /** Reads the genesis of the chain. Returns true if it has changed. */
  #takeGenesis(): boolean {
    const { store, chain, origin } = this.#source;
    const genesis = requiredGenesis(store);
    if (isSameGenesis(genesis, origin.genesis)) return false;
    const next = originOf(genesis);
    const reading = origin.state.reading.over(store, chain, next.rules);
    this.#source.origin = { ...next, state: { reading } };
    return true;
  }
}

function requiredGenesis(store: StoreView): Genesis {
  const genesis = storedGenesis(store);
  if (genesis === undefined) throw new NoGenesisError();
  return genesis;
}
