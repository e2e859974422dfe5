import { type LogObject, quantity } from '../../view/index.ts';
import type { LogCriteria, LogMatch } from '../parameters/log-options.ts';
import type { Placed } from '../parameters/schema.ts';
import { type BlockRange, rangeOf, spanOf } from './block-range.ts';
import type { Filter, FilterView } from './filter.ts';
import { type FilterSource, findLogs } from './find-logs.ts';

/** Reports the matching logs of the blocks that come after it was made. */
export class LogFilter implements Filter {
  readonly criteria: number;
  readonly #source: FilterSource;
  readonly #view: FilterView;
  readonly #matching: LogMatch;
  readonly #range: BlockRange;
  /** The first block that was not reported. */
  #next: number;

  /** @throws InvalidParametersError for a range that ends before it begins */
  constructor(source: FilterSource, { value: criteria, place }: Placed<LogCriteria>, view: FilterView) {
    const { addresses, topics } = criteria;
    const head = source.ledger.head().number;
    this.criteria = topics.reduce((sum, alternatives) => sum + alternatives.length, addresses.length);
    this.#source = source;
    this.#view = view;
    this.#matching = { addresses, topics };
    this.#range = rangeOf(criteria, head, place);
    this.#next = head + 1;
  }

  poll(): LogObject[] {
    const head = this.#source.ledger.head().number;
    const place = quantity(this.#next);
    const advice = `the filter stays at block ${place}; ask eth_getLogs for narrower ranges from there`;
    const logs = findLogs(this.#source, this.#matching, spanOf(this.#range, this.#next, head), advice);
    this.#next = head + 1;
    return this.#view.logObjects(logs);
  }

  logs(): LogObject[] {
    const head = this.#source.ledger.head().number;
    return this.#view.logObjects(findLogs(this.#source, this.#matching, spanOf(this.#range, 0, head)));
  }

  forget(): void {
    this.#next = Math.min(this.#next, this.#source.ledger.head().number + 1);
  }

  close(): void {}
}
