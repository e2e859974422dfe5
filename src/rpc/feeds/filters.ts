import { randomBytes } from 'node:crypto';
import { NODE_NUMBER_MAX } from '../../limits.ts';
import {
  blockHashOf,
  type Hash,
  type Hexadecimal,
  invariant,
  quantity,
  toPrefixedHex,
} from '../../protocol/index.ts';
import type { Stopwatch } from '../../time.ts';
import { toLog } from '../../view/index.ts';
import { LimitError, RequestFailedError } from '../errors.ts';
import { type BlockRange, findLogs, rangeOf, spanOf } from '../logs/find-logs.ts';
import type { FeedContext, FilterItems, LogOptions } from '../method-context.ts';
import { type FilterKind, type LogCriteria, matchCriteria } from '../parameters/log-options.ts';
import type { WithPath } from '../parameters/schema.ts';
import type { Profile } from '../profiles/profile.ts';
import type { Feed } from './feed.ts';
import type { JournalFeed } from './journal-feed.ts';
import { ReaderRegistry, type Registered } from './reader-registry.ts';

interface Filter extends Registered {
  readonly feed: Feed;
  /** Returns the items of a range of events. @throws LimitError for too many items in one response */
  read(this: void, from: number, end: number): FilterItems;
  /** First event of `eth_getFilterLogs`. Absent: the position of the reader. */
  readonly start?: number;
  /** Absent: not a filter of logs. */
  readonly options?: LogOptions;
  /** Time of its creation or last poll, by the clock of the filters. */
  polledAt: number;
}

type FilterSource = Pick<Filter, 'feed' | 'criteria' | 'read' | 'start' | 'options'>;

/**
 * The filters of a node (docs/interface.md#filters): readers that clients poll. A filter stores a position and no
 * items.
 *
 * Expired filters are removed at the next call of any filter method, and when a transaction is accepted while a
 * pending-transaction filter exists: there is no timer.
 */
export class Filters {
  readonly #context: FeedContext;
  readonly #time: Stopwatch;
  readonly #chain: Feed;
  readonly #accepted: JournalFeed<Hash>;
  /** In the order of their last polls. */
  readonly #registry: ReaderRegistry<bigint, Filter>;
  readonly #ids: FilterIds;

  constructor(context: FeedContext, time: Stopwatch, chain: Feed, accepted: JournalFeed<Hash>) {
    this.#context = context;
    this.#time = time;
    this.#chain = chain;
    this.#accepted = accepted;
    this.#ids = new FilterIds(context.nodeNumber);
    this.#registry = new ReaderRegistry({
      unit: 'filters',
      readersMax: context.limits.filtersMax,
      advice: 'uninstall one, or wait for a time-out',
      criteria: 'addresses and topics',
      criteriaMax: context.limits.filterCriteriaMax,
    });
  }

  /** Adds a filter with items in the form of a profile. Throws as `ClientFilters.add`. */
  add(client: string, kind: FilterKind, profile: Profile): bigint {
    this.removeExpired();
    const source = this.#sourceOf(kind, profile);
    this.#registry.checkCapacity(client, source.criteria);
    const id = this.#ids.next();
    this.#registry.add(id, { ...source, client, reader: source.feed.open(), polledAt: this.#time.now() });
    return id;
  }

  remove(id: bigint): boolean {
    this.removeExpired();
    return this.#registry.remove(id);
  }

  poll(id: bigint): FilterItems {
    const filter = this.#find(id);
    filter.polledAt = this.#time.now();
    this.#registry.moveToEnd(id, filter);
    const { feed, read, reader } = filter;
    const end = feed.end();
    const items = read(reader.position, end);
    reader.position = end;
    return items;
  }

  logs(id: bigint): FilterItems {
    const { feed, read, reader, start = reader.position } = this.#find(id);
    return read(start, feed.end());
  }

  /** Returns the options of `eth_getLogs` for what a log filter matches; undefined for another filter, or none. */
  logOptions(id: bigint): LogOptions | undefined {
    return this.#registry.get(id)?.options;
  }

  removeExpired(): void {
    const { limits } = this.#context;
    const expired = this.#time.now() - 1_000 * limits.filterTimeoutSeconds;
    for (const [id, { polledAt }] of this.#registry.entries()) {
      if (polledAt > expired) return;
      this.#registry.remove(id);
    }
  }

  #find(id: bigint): Filter {
    this.removeExpired();
    const filter = this.#registry.get(id);
    if (filter === undefined) throw new RequestFailedError(this.#ids.describeMissing(id));
    return filter;
  }

  #sourceOf(kind: FilterKind, profile: Profile): FilterSource {
    const [chain, accepted] = [this.#chain, this.#accepted];
    switch (kind.kind) {
      case 'newHeads':
        return { feed: chain, criteria: 0, read: (from, end) => this.#blockHashes(from, end) };
      case 'newPendingTransactions':
        return { feed: accepted, criteria: 0, read: (from, end) => this.#acceptedHashes(from, end, profile) };
      case 'logs':
        return this.#logSource(kind.criteria, profile);
    }
  }

  #logSource({ value: criteria, path }: WithPath<LogCriteria>, { objects }: Profile): FilterSource {
    const { ledger } = this.#context;
    const range = rangeOf(criteria, ledger.blocks.head().number, path);
    return {
      feed: this.#chain,
      criteria: matchCriteria(criteria),
      start: 0,
      options: optionsOf(range, criteria),
      read: (from, end) => {
        // Only `eth_getFilterLogs` starts at the genesis block.
        const advice =
          from === 0
            ? undefined
            : `the filter stays at block ${quantity(from)}; call eth_getLogs with narrower ranges from there`;
        const logs = findLogs(this.#context, criteria, spanOf(range, from, end - 1), advice);
        return objects.logs(ledger, logs).map(toLog);
      },
    };
  }

  #blockHashes(from: number, end: number): Hexadecimal[] {
    const count = end - from;
    this.#checkCount(count, 'blocks', `at block ${quantity(from)}; call eth_getBlockByNumber from there`);
    return Array.from({ length: count }, (_, index) => {
      const block = this.#context.ledger.blocks.blockByNumber(from + index);
      invariant(block !== undefined, 'every block up to the head exists');
      return toPrefixedHex(blockHashOf(block.id));
    });
  }

  #acceptedHashes(from: number, end: number, { objects }: Profile): Hexadecimal[] {
    const { ledger } = this.#context;
    const count = end - from;
    this.#checkCount(count, 'transactions', 'unchanged; the blocks and eth_pendingTransactions have them');
    return this.#accepted.from(from).flatMap((hash) => objects.acceptedHash(ledger, hash) ?? []);
  }

  #checkCount(count: number, unit: string, position: string): void {
    const { logsMax } = this.#context.limits;
    if (count <= logsMax) return;
    throw new LimitError(
      `${count} ${unit} are new, more than the limit of ${logsMax} for one response (--max-logs): ` +
        `the filter stays ${position}`,
    );
  }
}

function optionsOf({ from, to }: BlockRange, { addresses, topics }: LogCriteria): LogOptions {
  return {
    fromBlock: quantity(from),
    toBlock: to === undefined ? 'latest' : quantity(to),
    ...(addresses.length > 0 && { address: addresses.map(toPrefixedHex) }),
    topics: topics.map((alternatives) => (alternatives.length > 0 ? alternatives.map(toPrefixedHex) : null)),
  };
}

const SECRET_BYTES = 8;
const SECRET_BITS = BigInt(8 * SECRET_BYTES);
/** Bits of the counter in an id with a node number, and the offset of that number. */
const COUNT_BITS = 48n;
const NODE_BASE = 0x1000n;

/**
 * Generator of filter ids: a counter makes them unique, and random bytes keep clients from reading the filters of
 * others by mistake. In a cluster an id has 32 hexadecimal digits, the first four of which are 0x1000 plus the node
 * number.
 */
class FilterIds {
  readonly #node: number | undefined;
  #created = 0n;

  constructor(node: number | undefined) {
    this.#node = node;
  }

  next(): bigint {
    this.#created += 1n;
    const prefix = this.#node === undefined ? 0n : (NODE_BASE + BigInt(this.#node)) << COUNT_BITS;
    return ((prefix | this.#created) << SECRET_BITS) | randomBytes(SECRET_BYTES).readBigUInt64BE();
  }

  describeMissing(id: bigint): string {
    const owner = nodeOf(id);
    if (owner === undefined || owner === this.#node) return 'filter not found';
    const here = this.#node === undefined ? 'this node has no number' : `this is node ${this.#node}`;
    return `filter not found: it exists at node ${owner} of the cluster, and ${here}`;
  }
}

/** Returns the node number in an id; undefined for an id without one. */
function nodeOf(id: bigint): number | undefined {
  const number = (id >> (COUNT_BITS + SECRET_BITS)) - NODE_BASE;
  return number >= 1n && number <= NODE_NUMBER_MAX ? Number(number) : undefined;
}
