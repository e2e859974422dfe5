import { invariant } from '../../protocol/index.ts';
import { mayHaveMore } from '../../scheduling/index.ts';
import type { Stopwatch } from '../../time.ts';
import { LimitError, RequestFailedError } from '../errors.ts';
import type { LogCriteria } from '../parameters/log-options.ts';
import type { Placed } from '../parameters/schema.ts';
import { AcceptedJournal } from './accepted-journal.ts';
import { BlockFilter } from './block-filter.ts';
import { type Filter, type FilterItems, type FilterView, LEDGER_FILTER_VIEW } from './filter.ts';
import { FilterIds } from './filter-ids.ts';
import type { FilterSource } from './find-logs.ts';
import { LogFilter } from './log-filter.ts';
import { PendingFilter } from './pending-filter.ts';

/** What a client has of what all share. */
interface Held {
  filters: number;
  criteria: number;
}

interface Installed {
  readonly filter: Filter;
  readonly client: string;
  /** When it was made or last polled, by the clock of the registry. */
  readonly polledAt: number;
}

/** Filters, as methods make and ask them. */
export type Filters = Pick<
  FilterRegistry,
  'addLogFilter' | 'addBlockFilter' | 'addPendingFilter' | 'remove' | 'poll' | 'logs'
>;

/**
 * The filters of a node (docs/interface.md#filters).
 *
 * A filter that is not polled for a while is removed the next time anybody asks for any filter, or when a
 * transaction is accepted while a pending-transaction filter exists: there is no timer, and nothing to close.
 *
 * No client may have more of them than there is room left for all others.
 */
export class FilterRegistry {
  readonly #source: FilterSource;
  readonly #time: Stopwatch;
  readonly #journal: AcceptedJournal;
  /** In the order of their last polls. */
  readonly #filters = new Map<bigint, Installed>();
  /** Of those clients that have a filter. */
  readonly #held = new Map<string, Held>();
  readonly #ids: FilterIds;
  #criteria = 0;

  /** @param node number of the node in its cluster; absent: it is alone */
  constructor(source: FilterSource, time: Stopwatch, node?: number) {
    this.#source = source;
    this.#ids = new FilterIds(node);
    this.#time = time;
    source.ledger.onForgotten(() => {
      for (const { filter } of this.#filters.values()) filter.forget();
    });
    this.#journal = new AcceptedJournal(source.ledger, source.limits.logsMax, () => this.#removeExpired());
  }

  /**
   * Makes a filter for logs, for a client, and gives its id.
   * @throws InvalidParametersError for a range that ends before it begins, LimitError
   */
  addLogFilter(client: string, criteria: Placed<LogCriteria>, view = LEDGER_FILTER_VIEW): bigint {
    return this.#add(client, () => new LogFilter(this.#source, criteria, view));
  }

  /** Makes a filter for blocks and gives its id. Throws `LimitError`. */
  addBlockFilter(client: string): bigint {
    return this.#add(client, () => new BlockFilter(this.#source));
  }

  /** Makes a filter for accepted transactions and gives its id. Throws `LimitError`. */
  addPendingFilter(client: string, view = LEDGER_FILTER_VIEW): bigint {
    const { logsMax } = this.#source.limits;
    return this.#add(client, () => new PendingFilter(this.#journal, logsMax, view));
  }

  /** Removes a filter; false when there is none with this id. */
  remove(id: bigint): boolean {
    this.#removeExpired();
    return this.#remove(id);
  }

  /**
   * What is new for a filter since its last poll.
   * @throws RequestFailedError when there is none with this id, LimitError
   */
  poll(id: bigint): FilterItems {
    const installed = this.#find(id);
    this.#filters.delete(id);
    this.#filters.set(id, { ...installed, polledAt: this.#time.now() });
    return installed.filter.poll();
  }

  /**
   * All logs of a log filter; of the other kinds what the next poll gives. It is no poll itself.
   * @throws RequestFailedError when there is none with this id, LimitError
   */
  logs(id: bigint): FilterItems {
    return this.#find(id).filter.logs();
  }

  /** The same filters, where those that are made show what they find in another way. */
  seenBy(view: FilterView): Filters {
    return {
      addLogFilter: (client, criteria) => this.addLogFilter(client, criteria, view),
      addBlockFilter: (client) => this.addBlockFilter(client),
      addPendingFilter: (client) => this.addPendingFilter(client, view),
      remove: (id) => this.remove(id),
      poll: (id) => this.poll(id),
      logs: (id) => this.logs(id),
    };
  }

  #add(client: string, create: () => Filter): bigint {
    this.#removeExpired();
    const held = this.#held.get(client) ?? { filters: 0, criteria: 0 };
    const { filtersMax, filterCriteriaMax } = this.#source.limits;
    if (!mayHaveMore(held.filters, 1, this.#filters.size, filtersMax)) {
      throw new LimitError(
        `this client has ${held.filters} filters, its share of the limit of ${filtersMax}: ` +
          'uninstall one, or wait for a time-out',
      );
    }
    const filter = create();
    const { criteria } = filter;
    if (criteria > 0 && !mayHaveMore(held.criteria, criteria, this.#criteria, filterCriteriaMax)) {
      throw new LimitError(
        `the filters of this client name ${held.criteria} addresses and topics, and may not name ${criteria} more: ` +
          `its share of the limit of ${filterCriteriaMax}`,
      );
    }
    held.filters += 1;
    held.criteria += criteria;
    this.#held.set(client, held);
    this.#criteria += criteria;
    const id = this.#ids.next();
    this.#filters.set(id, { filter, client, polledAt: this.#time.now() });
    return id;
  }

  #find(id: bigint): Installed {
    this.#removeExpired();
    const installed = this.#filters.get(id);
    if (installed === undefined) throw new RequestFailedError(this.#ids.describeMissing(id));
    return installed;
  }

  #remove(id: bigint): boolean {
    const installed = this.#filters.get(id);
    if (installed === undefined) return false;
    this.#filters.delete(id);
    this.#letGo(installed);
    installed.filter.close();
    return true;
  }

  #letGo({ filter, client }: Installed): void {
    this.#criteria -= filter.criteria;
    const held = this.#held.get(client);
    invariant(held !== undefined, 'a client that has a filter is counted');
    held.filters -= 1;
    held.criteria -= filter.criteria;
    if (held.filters === 0) this.#held.delete(client);
  }

  #removeExpired(): void {
    const expired = this.#time.now() - 1_000 * this.#source.limits.filterTimeoutSeconds;
    for (const [id, { polledAt }] of this.#filters) {
      if (polledAt > expired) return;
      this.#remove(id);
    }
  }
}
