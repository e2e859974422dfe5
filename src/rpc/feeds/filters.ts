import { randomBytes } from 'node:crypto';
import { type LogObject, toLog } from '../../formatters/index.ts';
import {
  blockHashOf,
  type Hash,
  type Hexadecimal,
  invariant,
  quantity,
  toPrefixedHex,
} from '../../protocol/index.ts';
import type { Stopwatch } from '../../time/time.ts';
import { type BlockRange, findLogs, rangeOf, spanOf } from '../logs/find-logs.ts';
import type { FeedContext, FilterItems } from '../method-context.ts';
import type { FilterKind } from '../parameters/event-kinds.ts';
import { type LogCriteria, type LogMatch, matchCriteria } from '../parameters/log-options.ts';
import type { WithPath } from '../parameters/schema.ts';
import type { Profile } from '../profiles/profile.ts';
import { LimitError, RequestFailedError } from '../rpc-errors.ts';
import { type Feed, MissedEventsError, type Reader } from './feed.ts';
import type { JournalFeed } from './journal-feed.ts';
import { ReaderRegistry, type Registered } from './reader-registry.ts';

/** Greatest number of a node in its cluster, which is the prefix of its filter ids. */
export const NODE_NUMBER_MAX = 4_095;

interface Filter extends Registered {
  readonly feed: Feed;
  /**
   * Returns the items of a range of events, after those of removed logs.
   *
   * @throws LimitError for too many items in one response
   */
  read(this: void, from: number, end: number, removed?: Iterable<LogObject>): FilterItems;
  /** Returns the first event of `eth_getFilterLogs`. Absent: the position of the reader. */
  start?(this: void, reader: Reader): number;
  /** Returns the criteria of a log filter, with the block at which it begins. Absent: not a filter of logs. */
  wanted?(this: void, reader: Reader): LogCriteria;
  /** Time of its creation or last poll, by the clock of the filters. */
  polledAt: number;
}

interface FilterSource extends Pick<Filter, 'feed' | 'criteria' | 'read' | 'start' | 'wanted'> {
  open(this: void): Reader;
}

export interface FilterFeeds {
  readonly chain: Feed;
  readonly accepted: JournalFeed<Hash>;
  /** Opens a polled reader of the chain that gets the removals of matching logs which it reported. */
  openLogs(this: void, match: LogMatch, range: BlockRange, profile: Profile): Reader;
}

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
  readonly #feeds: FilterFeeds;
  /** In the order of their last polls. */
  readonly #registry: ReaderRegistry<bigint, Filter>;
  readonly #ids: FilterIds;

  constructor(context: FeedContext, time: Stopwatch, feeds: FilterFeeds) {
    this.#context = context;
    this.#time = time;
    this.#feeds = feeds;
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
    const { open, ...source } = this.#sourceOf(kind, profile);
    this.#registry.checkCapacity(client, source.criteria);
    const id = this.#ids.next();
    this.#registry.add(id, { ...source, client, reader: open(), polledAt: this.#time.now() });
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
    const items = read(reader.position, end, removedLogs(reader));
    reader.moveTo(end);
    return items;
  }

  /** @param ofLogs true to find filters of logs alone */
  logs(id: bigint, ofLogs: boolean): FilterItems {
    const { feed, read, reader, start, wanted } = this.#find(id);
    if (ofLogs && wanted === undefined) throw new RequestFailedError(FILTER_NOT_FOUND);
    const range = { first: start?.(reader) ?? reader.position, end: feed.end() };
    const items = read(range.first, range.end);
    reader.report(range);
    return items;
  }

  /** Returns the criteria of a log filter, undefined for another filter. Throws as `poll`. */
  logCriteria(id: bigint): LogCriteria | undefined {
    const { wanted, reader } = this.#find(id);
    return wanted?.(reader);
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
    const of = (feed: Feed, read: Filter['read']): FilterSource => {
      return { feed, criteria: 0, read, open: () => feed.open() };
    };
    switch (kind.kind) {
      case 'newHeads':
        return of(this.#feeds.chain, (from, end) => this.#blockHashes(from, end));
      case 'newPendingTransactions':
        return of(this.#feeds.accepted, (from, end) => this.#acceptedHashes(from, end, profile));
      case 'logs':
        return this.#logSource(kind.criteria, profile);
    }
  }

  #logSource({ value: criteria, path }: WithPath<LogCriteria>, profile: Profile): FilterSource {
    const { ledger } = this.#context;
    const { chain, openLogs } = this.#feeds;
    const head = ledger.blocks.head().number;
    const range = rangeOf(criteria, head, path);
    const isFromHead = criteria.fromBlock === 'latest' || criteria.fromBlock === 'pending';
    const polled = isFromHead ? { ...range, from: 0n } : range;
    // After a reorganisation below that head, the new blocks there are matched, too.
    const start = (reader: Reader): number => (isFromHead ? Math.min(head, reader.reportedFrom(0).first) : 0);
    return {
      feed: chain,
      open: () => openLogs({ addresses: criteria.addresses, topics: criteria.topics }, polled, profile),
      criteria: matchCriteria(criteria),
      start,
      wanted: (reader) => {
        const fromBlock = isFromHead ? BigInt(start(reader)) : range.from;
        return { ...criteria, fromBlock, toBlock: range.to ?? 'latest' };
      },
      read: (from, end, removed) => {
        const advice =
          removed === undefined
            ? undefined
            : `the filter stays at block ${quantity(from)}; call eth_getLogs with narrower ranges from there`;
        const logs = findLogs(this.#context, criteria, spanOf(polled, from, end - 1), advice);
        return [...(removed ?? []), ...profile.objects.logs(ledger, logs).map(toLog)];
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
    return this.#feeds.accepted.from(from).flatMap((hash) => objects.acceptedHash(ledger, hash) ?? []);
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

/** Takes the removals of logs that a filter reported. @throws LimitError for too many */
function* removedLogs(reader: Reader): Generator<LogObject> {
  try {
    for (let text = reader.nextRevocation(); text !== undefined; text = reader.nextRevocation())
      yield JSON.parse(String(text));
  } catch (error) {
    if (!(error instanceof MissedEventsError)) throw error;
    throw new LimitError(`${error.message}: install another filter, and call eth_getLogs`);
  }
}

const FILTER_NOT_FOUND = 'filter not found';
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
    if (owner === undefined || owner === this.#node) return FILTER_NOT_FOUND;
    const here = this.#node === undefined ? 'this node has no number' : `this is node ${this.#node}`;
    return `filter not found: it exists at node ${owner} of the cluster, and ${here}`;
  }
}

/** Returns the node number in an id; undefined for an id without one. */
function nodeOf(id: bigint): number | undefined {
  const number = (id >> (COUNT_BITS + SECRET_BITS)) - NODE_BASE;
  return number >= 1n && number <= NODE_NUMBER_MAX ? Number(number) : undefined;
}
