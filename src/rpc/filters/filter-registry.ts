import { randomBytes } from 'node:crypto';
import { LimitError, RequestFailedError } from '../errors.ts';
import type { LogCriteria } from '../schemas/log-filter.ts';
import { AcceptedJournal } from './accepted-journal.ts';
import { BlockFilter } from './block-filter.ts';
import type { Filter, FilterItems } from './filter.ts';
import type { FilterSource } from './find-logs.ts';
import { LogFilter } from './log-filter.ts';
import { PendingFilter } from './pending-filter.ts';

/** Bytes of the part of an id that nobody can guess. */
const SECRET_BYTES = 8;

interface Installed {
  readonly filter: Filter;
  /** When it was made or last polled, by the clock of the registry. */
  readonly polledAt: number;
}

/**
 * The filters of a node (specification 2.7).
 *
 * A filter that is not polled for a while is removed the next time anybody asks for any filter, or when a
 * transaction is accepted while a pending-transaction filter exists: there is no timer, and nothing to close.
 */
export class FilterRegistry {
  readonly #source: FilterSource;
  readonly #now: () => number;
  readonly #journal: AcceptedJournal;
  /** In the order of their last polls. */
  readonly #filters = new Map<bigint, Installed>();
  #created = 0n;
  #criteria = 0;

  /** `now` gives the milliseconds of a clock that only goes forward. */
  constructor(source: FilterSource, now: () => number) {
    this.#source = source;
    this.#now = now;
    this.#journal = new AcceptedJournal(source.ledger, source.limits.logsMax, () => this.#removeExpired());
  }

  /**
   * Makes a filter for logs and gives its id.
   * @throws InvalidParametersError for a range that ends before it begins, LimitError
   */
  addLogFilter(criteria: LogCriteria): bigint {
    return this.#add(() => new LogFilter(this.#source, criteria));
  }

  /** Makes a filter for blocks and gives its id. Throws `LimitError`. */
  addBlockFilter(): bigint {
    return this.#add(() => new BlockFilter(this.#source));
  }

  /** Makes a filter for accepted transactions and gives its id. Throws `LimitError`. */
  addPendingFilter(): bigint {
    return this.#add(() => new PendingFilter(this.#journal, this.#source.limits.logsMax));
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
    const { filter } = this.#find(id);
    this.#filters.delete(id);
    this.#filters.set(id, { filter, polledAt: this.#now() });
    return filter.poll();
  }

  /**
   * All logs of a log filter; of the other kinds what the next poll gives. It is no poll itself.
   * @throws RequestFailedError when there is none with this id, LimitError
   */
  logs(id: bigint): FilterItems {
    return this.#find(id).filter.logs();
  }

  #add(create: () => Filter): bigint {
    this.#removeExpired();
    const { filtersMax, filterCriteriaMax } = this.#source.limits;
    if (this.#filters.size >= filtersMax) {
      const advice = 'uninstall one, or wait for a time-out';
      throw new LimitError(`there are ${filtersMax} filters, the limit: ${advice}`);
    }
    const filter = create();
    if (this.#criteria + filter.criteria > filterCriteriaMax) {
      throw new LimitError(
        `the filters of this node would name more than ${filterCriteriaMax} addresses and topics, the limit`,
      );
    }
    this.#criteria += filter.criteria;
    const id = this.#nextId();
    this.#filters.set(id, { filter, polledAt: this.#now() });
    return id;
  }

  /** Counts, so that no id comes twice; adds chance, so that no client reads another's filter by mistake. */
  #nextId(): bigint {
    this.#created += 1n;
    return (this.#created << BigInt(8 * SECRET_BYTES)) | randomBytes(SECRET_BYTES).readBigUInt64BE();
  }

  #find(id: bigint): Installed {
    this.#removeExpired();
    const installed = this.#filters.get(id);
    if (installed === undefined) throw new RequestFailedError('filter not found');
    return installed;
  }

  #remove(id: bigint): boolean {
    const installed = this.#filters.get(id);
    if (installed === undefined) return false;
    this.#filters.delete(id);
    this.#criteria -= installed.filter.criteria;
    installed.filter.close();
    return true;
  }

  #removeExpired(): void {
    const expired = this.#now() - 1_000 * this.#source.limits.filterTimeoutSeconds;
    for (const [id, { polledAt }] of this.#filters) {
      if (polledAt > expired) return;
      this.#remove(id);
    }
  }
}
