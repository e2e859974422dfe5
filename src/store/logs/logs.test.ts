import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { type Address, type Hash, toHash } from '../../protocol/index.ts';
import {
  type BlockCommit,
  type IndexedLog,
  type LogPosition,
  type LogPositionQuery,
  LogSearchLimitError,
  type Store,
} from '../index.ts';
import { addressOf, bytes, commitOf, hashOf, storeErrorOf, TestFolders } from '../store.testing.ts';
import { LOG_ALTERNATIVES_MAX } from './log-search.ts';

const folders = new TestFolders();
afterEach(() => folders.clean());

function topicOf(byte: number): Hash {
  return toHash(new Uint8Array(32).fill(byte));
}

/** A block of one transaction, with logs for each of its operations. */
function blockOf(
  number: number,
  logsByOperation: readonly (readonly Omit<IndexedLog, 'operation' | 'offset'>[])[],
) {
  return commitOf({
    number,
    transactions: logsByOperation.length > 0 ? [{ firstOperation: 0, bytes: bytes(1) }] : [],
    receipts: logsByOperation.map((_, index) => bytes(index)),
    operationHashes: logsByOperation.map((_, index) => hashOf(index)),
    logs: logsByOperation.flatMap((logs, operation) =>
      logs.map((log, offset) => ({ ...log, operation, offset })),
    ),
  });
}

function queryOf(parts: Partial<LogPositionQuery>): LogPositionQuery {
  return { fromBlock: 0, toBlock: 100, addresses: [], topics: [], ...parts };
}

const isSame = (left: Uint8Array, right: Uint8Array): boolean => Buffer.compare(left, right) === 0;
const isAmong = (value: Uint8Array | undefined, all: readonly Uint8Array[]): boolean =>
  value !== undefined && all.some((one) => isSame(one, value));

/** The result of a query, by looking at every log. */
function naive(blocks: readonly BlockCommit[], query: LogPositionQuery): LogPosition[] {
  return blocks.flatMap(({ number, logs }) =>
    logs.flatMap(({ operation, offset, address, topics }) => {
      const inRange = number >= query.fromBlock && number <= query.toBlock;
      const ofAddress = query.addresses.length === 0 || isAmong(address, query.addresses);
      const ofTopics = query.topics.every(
        (alternatives, index) => alternatives.length === 0 || isAmong(topics[index], alternatives),
      );
      return inRange && ofAddress && ofTopics ? [{ block: number, operation, offset }] : [];
    }),
  );
}

const address = fc.integer({ min: 0, max: 3 }).map(addressOf);
const topic = fc.integer({ min: 0, max: 3 }).map(topicOf);
const log = fc.record({ address, topics: fc.array(topic, { maxLength: 4 }) });
const chain = fc.array(fc.array(fc.array(log, { maxLength: 6 }), { maxLength: 3 }), { maxLength: 12 });
const query: fc.Arbitrary<LogPositionQuery> = fc.record({
  fromBlock: fc.integer({ min: 0, max: 12 }),
  toBlock: fc.integer({ min: 0, max: 13 }),
  addresses: fc.array(fc.integer({ min: 0, max: 4 }).map(addressOf), { maxLength: 3 }),
  topics: fc.array(fc.array(fc.integer({ min: 0, max: 4 }).map(topicOf), { maxLength: 3 }), { maxLength: 4 }),
});

describe('logPositions', () => {
  test('behavior: finds the same logs as a full scan, also after the store was reopened', async () => {
    await fc.assert(
      fc.asyncProperty(chain, fc.array(query, { minLength: 1, maxLength: 20 }), async (blocks, queries) => {
        const commits = blocks.map((logsByOperation, number) => blockOf(number, logsByOperation));
        const store = folders.open();
        for (const commit of commits) store.commitBlock(commit);
        const expected = queries.map((one) => naive(commits, one));
        expect(queries.map((one) => [...store.logPositions(one)])).toEqual(expected);
        await store.close();
        const again = folders.open({ path: store.path });
        expect(queries.map((one) => [...again.logPositions(one)])).toEqual(expected);
        await folders.clean();
      }),
      { numRuns: 60 },
    );
  });

  /** Two topics of which every log has one, and every 50th both: lists far longer than what is read at once. */
  const [odd, even] = [topicOf(1), topicOf(2)];
  const longChain = Array.from({ length: 300 }, (_, number) =>
    blockOf(number, [
      Array.from({ length: 10 }, (_, index) => ({
        address: addressOf(index % 3),
        topics: (number * 10 + index) % 50 === 0 ? [odd, even] : [index % 2 === 0 ? even : odd, topicOf(9)],
      })),
    ]),
  );

  function longStore(): Store {
    const store = folders.open();
    for (const commit of longChain) store.commitBlock(commit);
    return store;
  }

  test.each<[string, Partial<LogPositionQuery>]>([
    ['anything', {}],
    ['one address', { addresses: [addressOf(1)] }],
    ['all addresses', { addresses: [0, 1, 2].map(addressOf) }],
    ['one address twice', { addresses: [addressOf(1), addressOf(1)] }],
    ['an address that nobody has', { addresses: [addressOf(7)] }],
    ['the first topic', { topics: [[odd]] }],
    ['the second topic', { topics: [[], [even]] }],
    ['both topics', { topics: [[odd], [even]] }],
    ['either topic first, one of them second', { topics: [[odd, even], [even]] }],
    ['a demand for nothing in particular', { topics: [[], [], [], []] }],
    ['a third topic, which no log has', { topics: [[], [], [even]] }],
    ['address and first topic', { addresses: [addressOf(2)], topics: [[odd]] }],
    ['address and second topic', { addresses: [addressOf(2)], topics: [[], [even]] }],
    [
      'everything',
      {
        addresses: [0, 1].map(addressOf),
        topics: [
          [odd, even],
          [even, topicOf(9)],
        ],
      },
    ],
    [
      'more pairs of address and topic than are looked up one by one',
      {
        addresses: Array.from({ length: 40 }, (_, index) => addressOf(index)),
        topics: [Array.from({ length: LOG_ALTERNATIVES_MAX / 40 + 1 }, (_, index) => topicOf(index + 1))],
      },
    ],
  ])('default: %s', (_, parts) => {
    const store = longStore();
    for (const [fromBlock, toBlock] of [
      [0, 299],
      [17, 203],
      [50, 50],
    ] as const) {
      const asked = queryOf({ fromBlock, toBlock, ...parts });
      expect([...store.logPositions(asked)]).toEqual(naive(longChain, asked));
    }
  });

  test.each([
    [0, 299],
    [-5, 2 ** 40],
    [299, Number.POSITIVE_INFINITY],
    [300, 400],
    [5, 4],
    [Number.NaN, 5],
    [5, Number.NaN],
    [2 ** 33, 2 ** 34],
  ])('args: the range from %d to %d', (fromBlock, toBlock) => {
    const store = longStore();
    for (const addresses of [[], [addressOf(1)]]) {
      const asked = queryOf({ fromBlock, toBlock, addresses });
      expect([...store.logPositions(asked)]).toEqual(naive(longChain, asked));
    }
  });

  test('behavior: an empty store has no logs', () => {
    expect([...folders.open().logPositions(queryOf({}))]).toEqual([]);
  });

  test('behavior: logs that are committed after its first step are not found', () => {
    const store = folders.open();
    const asked = queryOf({ addresses: [addressOf(1)] });
    for (const number of [0, 1, 2, 3, 4])
      store.commitBlock(blockOf(number, [[{ address: addressOf(1), topics: [] }]]));
    const seen: number[] = [];
    for (const { block } of store.logPositions(asked)) {
      seen.push(block);
      store.commitBlock(blockOf(5 + block, [[{ address: addressOf(1), topics: [] }]]));
    }
    expect(seen).toEqual([0, 1, 2, 3, 4]);
    expect([...store.logPositions(asked)]).toHaveLength(10);
  });

  test('error: a search that takes too many steps', () => {
    const store = longStore();
    const search = (stepsMax: number) => [
      ...store.logPositions(queryOf({ toBlock: 1_000_000, topics: [[odd], [even]], stepsMax })),
    ];
    const found = search(1_000_000);
    const given: LogPosition[] = [];
    try {
      for (const position of store.logPositions(queryOf({ topics: [[odd], [even]], stepsMax: 100 }))) {
        given.push(position);
      }
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(LogSearchLimitError);
      const { block } = error as LogSearchLimitError;
      const earlier = (positions: readonly LogPosition[]) => positions.filter((one) => one.block < block);
      expect(earlier(given).length).toBeGreaterThan(0);
      expect(earlier(given)).toEqual(earlier(found));
      expect(given.length).toBeLessThan(found.length);
    }
  });

  test('behavior: abandoned iterations do not leak, and closing ends one in progress', async () => {
    const store = longStore();
    for (let count = 0; count < 2_000; count += 1) {
      for (const { block } of store.logPositions(queryOf({ topics: [[odd], [even]] }))) {
        expect(block).toBe(0);
        break;
      }
    }
    const iteration = store.logPositions(queryOf({}))[Symbol.iterator]();
    iteration.next();
    await store.close();
    const finish = () => {
      while (iteration.next().done !== true);
    };
    expect(storeErrorOf(finish).code).toBe('STORE_CLOSED');
    expect(storeErrorOf(() => [...store.logPositions(queryOf({}))]).code).toBe('STORE_CLOSED');
  });
});

describe('the index of logs', () => {
  test('behavior: a rejected commit of a block leaves no entries in the index', () => {
    const store = folders.open();
    const block = blockOf(0, [[{ address: addressOf(1), topics: [topicOf(1)] }]]);
    const payers = [new Uint8Array(3_000) as Address];
    expect(storeErrorOf(() => store.commitBlock({ ...block, payers })).code).toBe('STORE_COMMIT_FAILED');
    expect([...store.tables()].filter(({ table }) => table === 'logs')).toEqual([]);
    expect([...store.logPositions(queryOf({}))]).toEqual([]);
    store.commitBlock(block);
    expect([...store.logPositions(queryOf({}))]).toEqual([{ block: 0, operation: 0, offset: 0 }]);
  });

  test('behavior: tables lists every entry of it', () => {
    const store = folders.open();
    const one = { address: addressOf(1), topics: [topicOf(1), topicOf(2)] };
    store.commitBlock(blockOf(0, [[one, one], [{ address: addressOf(1), topics: [] }]]));
    const entries = [...store.tables()].filter(({ table }) => table === 'logs');
    expect(entries.map(({ key, value }) => [key[0], key.length, value[7], value[11]])).toEqual([
      [1, 1, 0, 0],
      [1, 1, 0, 1],
      [1, 1, 1, 0],
      [2, 21, 0, 0],
      [2, 21, 0, 1],
      [2, 21, 1, 0],
      [3, 53, 0, 0],
      [3, 53, 0, 1],
      [4, 33, 0, 0],
      [4, 33, 0, 1],
      [5, 33, 0, 0],
      [5, 33, 0, 1],
    ]);
  });

  const indexed = (operation: number, offset: number, topics = 0): IndexedLog => {
    const listed = Array.from({ length: topics }, (_, index) => topicOf(index));
    return { operation, offset, address: addressOf(1), topics: listed };
  };

  test.each([
    ['a log of an operation that the block has not', [indexed(2, 0)]],
    ['two logs at one place', [indexed(1, 0), indexed(1, 0)]],
    ['a wrong order of operations', [indexed(1, 0), indexed(0, 0)]],
    ['a wrong order in an operation', [indexed(1, 1), indexed(1, 0)]],
    ['a broken offset', [indexed(0, 0.5)]],
    ['a negative operation', [indexed(-1, 0)]],
    ['five topics', [indexed(0, 0, 5)]],
  ])('error: %s', (_, logs) => {
    const store = folders.open();
    const commit = { ...blockOf(0, [[], []]), logs };
    expect(storeErrorOf(() => store.commitBlock(commit)).code).toBe('STORE_INVALID_COMMIT');
    expect(store.head()).toBeUndefined();
  });
});

describe('operationHash', () => {
  test('default', () => {
    const store = folders.open();
    store.commitBlock(blockOf(0, [[], []]));
    expect(store.operationHash(0, 1)).toEqual(hashOf(1));
    expect(store.receipt(0, 1)).toEqual(bytes(1));
    expect(store.operationHash(0, 2)).toBeUndefined();
    expect(store.operationHash(1, 0)).toBeUndefined();
    expect(store.operationHash(0, -1)).toBeUndefined();
  });
});
