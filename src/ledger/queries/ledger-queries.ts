import { BoundedMap } from '../../caching/bounded-map.ts';
import { type BlockCommit, type ChainReader, NextReader } from '../../store/index.ts';
import { Chain } from '../chain/chain.ts';
import { MovableClock } from '../chain/clock.ts';
import type { BlockSummary } from '../chain/records.ts';
import { ChainParameters, PerOrigin } from '../genesis/chain-parameters.ts';
import { Listeners } from '../listeners.ts';
import { PastEngineState, PastStateReader } from '../state/past-state.ts';
import { TracedStates } from '../traces/traced-states.ts';
import { AccountQueries } from './account-queries.ts';
import { BlockQueries } from './block-queries.ts';
import { CallQueries } from './call-queries.ts';
import { EntryOrigins } from './entry-origins.ts';
import type { LedgerSource } from './ledger-source.ts';
import { PriceQueries } from './price-queries.ts';

/** Historical states whose accounts and last block are cached. */
const PAST_STATES_MAX = 8;

/** The queries of a ledger, at its head or as of a past block, by subject. */
export interface LedgerQueries {
  readonly parameters: ChainParameters;
  readonly blocks: BlockQueries;
  readonly prices: PriceQueries;
  readonly accounts: AccountQueries;
  readonly origins: EntryOrigins;
  readonly calls: CallQueries;
  readonly history: History;
}

/** Makes the queries of a source. A change of the source must reset their history. */
export function queriesOf(source: LedgerSource): LedgerQueries & { readonly history: ChainHistory } {
  const traced =
    source.traced ?? new PerOrigin(source, () => new TracedStates(() => source.origin.state.reading));
  const accounts = new AccountQueries(source);
  const history = new ChainHistory(source, traced);
  return {
    parameters: new ChainParameters(source),
    blocks: new BlockQueries(source, accounts.contractAddressOf),
    prices: new PriceQueries(source),
    accounts,
    origins: new EntryOrigins(source),
    calls: new CallQueries(source, traced, {
      before: (block) => history.sourceBefore(block),
      contractAddressOf: accounts.contractAddressOf,
    }),
    history,
  };
}

/** The source of a past state, and its queries. */
interface Past {
  readonly source: LedgerSource;
  readonly queries: LedgerQueries;
}

/** Read access to the history of a chain. */
export type History = Pick<ChainHistory, 'reorgCount' | 'onReorg' | 'oldestState' | 'stateBefore'>;

/** The history of a chain: its states before the head, cached until the chain changes, and its reorganisations. */
export class ChainHistory {
  readonly #source: LedgerSource;
  readonly #traced: PerOrigin<TracedStates>;
  readonly #listeners = new Listeners<[]>();
  readonly #pastState: PerOrigin<PastEngineState>;
  readonly #past = new BoundedMap<number, Past>(PAST_STATES_MAX);
  #reorgCount: number;

  constructor(source: LedgerSource, traced: PerOrigin<TracedStates>) {
    this.#source = source;
    this.#traced = traced;
    this.#pastState = new PerOrigin(source, () => new PastEngineState(() => source.origin.state.reading));
    this.#reorgCount = source.store.reorgCount();
  }

  /** Number of reorganisations of the store, over all runs of the node. */
  get reorgCount(): number {
    return this.#source.isPending === true ? this.#source.store.reorgCount() : this.#reorgCount;
  }

  /**
   * Subscribes to reorganisations: everything cached of blocks, of their operations or of the state is stale. The
   * ledger already reads the new chain. Returns the function that unsubscribes.
   */
  onReorg(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  /** The oldest block that the chain can be reverted to. */
  get oldestState(): number {
    const { store, chain } = this.#source;
    return (store.undoStart() ?? chain.head().number + 1) - 1;
  }

  /**
   * Returns the chain before one of its blocks, or the current one for the block after the head. Results stay valid
   * while blocks are added, and become invalid with a reorganisation. A look-up in the state costs about a quarter of a
   * microsecond for each block since; the first one costs more.
   * @throws StoreError STORE_NOT_KEPT for a block before `oldestState`, or beyond the one after the head
   */
  stateBefore(block: number): LedgerQueries {
    return this.#before(block).queries;
  }

  /** Returns the source that `stateBefore` reads; throws as that. */
  sourceBefore(block: number): LedgerSource {
    return this.#before(block).source;
  }

  /** Clears cached state, which has changed without a block. */
  clearState(): void {
    this.#past.clear();
    this.#source.chain.clearPatched();
  }

  /** Forgets the blocks, and notifies the listeners of `onReorg`. */
  clearBlocks(reorgCount: number): void {
    this.#reorgCount = reorgCount;
    this.#past.clear();
    this.#source.chain.reload();
    this.#listeners.notify();
  }

  #before(block: number): Past {
    const store = this.#source.store.before(block);
    const known = this.#past.get(block);
    if (known !== undefined) return known;
    const past = this.#over(store, new Chain(store));
    this.#past.set(block, past);
    return past;
  }

  /**
   * Returns the chain with a block on top of the head, which is not stored. It stays valid while blocks are added, and
   * becomes invalid with a reorganisation.
   */
  withNext(summary: BlockSummary, commit: BlockCommit): LedgerQueries {
    const store = new NextReader(this.#source.store.before(summary.number), commit);
    const chain = new Chain(store);
    chain.advance(summary);
    return this.#over(store, chain, { isPending: true }).queries;
  }

  #over(store: ChainReader, chain: Chain, kind: Pick<LedgerSource, 'isPending'> = {}): Past {
    const { timestamp } = chain.head().header;
    const clock = new MovableClock({ now: () => timestamp });
    const { genesis, chainId, rules } = this.#source.origin;
    const shared = this.#pastState.value;
    const state = {
      get reading() {
        return shared.at(store, chain);
      },
    };
    const source: LedgerSource = {
      store,
      chain,
      clock,
      traced: this.#traced,
      watch: this.#source.watch,
      origin: { genesis, chainId, rules, state },
      past: new PastStateReader(store, chain, rules),
      ...kind,
    };
    return { source, queries: queriesOf(source) };
  }
}
