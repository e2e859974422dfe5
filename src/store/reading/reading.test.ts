import { afterEach, describe, expect, test } from 'vitest';
import { accountId, toOperationHash } from '../../protocol/index.ts';
import { type BlockCommit, stateKey } from '../index.ts';
import { addressOf, bytes, commitOf, hashOf, TestFolders } from '../store.testing.ts';
import { PAST_PREFIX_ENTRIES_MAX } from './historical-reader.ts';

const folders = new TestFolders();
afterEach(() => folders.clean());

const account = stateKey.account(addressOf(1));

/** A block of five operations in three transactions. */
const fullBlock = commitOf({
  number: 0,
  block: bytes(1, 2, 3),
  transactions: [
    { firstOperation: 0, bytes: bytes(10) },
    { firstOperation: 1, bytes: bytes(11, 11) },
    { firstOperation: 4, bytes: bytes() },
  ],
  receipts: [bytes(20), bytes(21), bytes(), bytes(23), bytes(24)],
  operationHashes: [hashOf(1), hashOf(2), hashOf(3), hashOf(2), hashOf(0xff)],
  payers: [addressOf(1), addressOf(2), addressOf(2)],
  state: [{ key: account, before: undefined, after: bytes(30) }],
  accumulator: bytes(40),
});

describe('an empty store', () => {
  test('default', () => {
    const store = folders.open();
    expect(store.head()).toBeUndefined();
    expect(store.accumulator()).toBeUndefined();
    expect(store.block(0)).toBeUndefined();
    expect(store.transaction(0, 0)).toBeUndefined();
    expect(store.receipt(0, 0)).toBeUndefined();
    expect(store.state(account)).toBeUndefined();
    expect(store.operationCount(addressOf(1))).toBe(0);
    expect(store.operationPositions(hashOf(1))).toEqual([]);
    expect([...store.transactionsOf(0), ...store.receiptsOf(0), ...store.stateEntries()]).toEqual([]);
    expect([...store.tables()].map((entry) => entry.table)).toEqual(['meta', 'meta']);
  });
});

describe('a block that was committed', () => {
  test('default', () => {
    const store = folders.open();
    store.commitBlock(fullBlock);
    expect(store.head()).toBe(0);
    expect(store.block(0)).toEqual(bytes(1, 2, 3));
    expect(store.accumulator()).toEqual(bytes(40));
    expect(store.state(account)).toEqual(bytes(30));
    expect([...store.stateEntries()]).toEqual([{ key: account, value: bytes(30) }]);
    expect([...store.transactionsOf(0)]).toEqual(fullBlock.transactions);
    expect([...store.receiptsOf(0)]).toEqual(fullBlock.receipts);
    expect(store.receipt(0, 3)).toEqual(bytes(23));
    expect(store.operationCount(addressOf(1))).toBe(1);
    expect(store.operationCount(addressOf(2))).toBe(2);
    expect(store.operationCount(addressOf(3))).toBe(0);
  });

  test('behavior: it is stored after a restart', async () => {
    const store = folders.open({ durable: true });
    store.commitBlock(fullBlock);
    store.commitBlock(commitOf({ number: 1 }));
    const before = [...store.tables()];
    await store.close();
    const again = folders.open({ path: store.path, durable: true });
    expect(again.head()).toBe(1);
    expect([...again.tables()]).toEqual(before);
  });

  test('behavior: tables lists every entry of every table in the order of their numbers', () => {
    const store = folders.open();
    store.commitBlock(fullBlock);
    const counts = new Map<string, number>();
    for (const { table } of store.tables()) counts.set(table, (counts.get(table) ?? 0) + 1);
    expect([...counts]).toEqual([
      ['meta', 3],
      ['state', 1],
      ['blocks', 1],
      ['transactions', 3],
      ['receipts', 5],
      ['operationPositions', 5],
      ['operationCounts', 2],
    ]);
  });

  test('behavior: two stores of equal content have equal tables, others have not', () => {
    const [left, right, other] = [folders.open(), folders.open({ durable: true }), folders.open()];
    for (const store of [left, right]) store.commitBlock(fullBlock);
    other.commitBlock({ ...fullBlock, payers: [addressOf(1), addressOf(2)] });
    expect([...left.tables()]).toEqual([...right.tables()]);
    expect([...left.tables()]).not.toEqual([...other.tables()]);
  });

  test('behavior: each commit is visible immediately, in the same iteration of the event loop', () => {
    const writer = folders.open();
    const reader = folders.read(writer.path);
    for (let number = 0; number < 200; number += 1) {
      writer.commitBlock(
        commitOf({ number, state: [{ key: account, before: undefined, after: bytes(number) }] }),
      );
      for (const store of [writer, reader]) {
        expect(store.head()).toBe(number);
        expect(store.state(account)).toEqual(bytes(number));
      }
    }
  });
});

describe('transaction', () => {
  test('default', () => {
    const store = folders.open();
    store.commitBlock(fullBlock);
    const found = [0, 1, 2, 3, 4].map((index) => store.transaction(0, index)?.firstOperation);
    expect(found).toEqual([0, 1, 1, 1, 4]);
    expect(store.transaction(0, 2)).toEqual({ firstOperation: 1, bytes: bytes(11, 11) });
  });

  test('behavior: an operation beyond the block has none, and neighbouring blocks do not count', () => {
    const store = folders.open();
    store.commitBlock(fullBlock);
    store.commitBlock(commitOf({ number: 1 }));
    store.commitBlock({ ...fullBlock, number: 2 });
    expect(store.transaction(0, 5)).toBeUndefined();
    expect(store.transaction(1, 0)).toBeUndefined();
    expect(store.transaction(0, 2 ** 32 - 1)).toBeUndefined();
    expect([...store.transactionsOf(1), ...store.receiptsOf(1)]).toEqual([]);
    expect([...store.transactionsOf(2)]).toHaveLength(3);
  });

  test('args: numbers that no block or operation can have', () => {
    const store = folders.open();
    store.commitBlock(fullBlock);
    for (const number of [-1, 0.5, 2 ** 32, Number.NaN]) {
      expect(store.block(number)).toBeUndefined();
      expect(store.transaction(number, 0)).toBeUndefined();
      expect(store.transaction(0, number)).toBeUndefined();
      expect(store.receipt(0, number)).toBeUndefined();
      expect([...store.transactionsOf(number), ...store.receiptsOf(number)]).toEqual([]);
    }
  });
});

describe('operationPositions', () => {
  test('behavior: one hash may have several positions, oldest first', () => {
    const store = folders.open();
    store.commitBlock(fullBlock);
    for (let number = 1; number < 300; number += 1) store.commitBlock(commitOf({ number }));
    store.commitBlock({ ...fullBlock, number: 300 });
    expect(store.operationPositions(hashOf(2))).toEqual([
      { block: 0, index: 1 },
      { block: 0, index: 3 },
      { block: 300, index: 1 },
      { block: 300, index: 3 },
    ]);
    expect(store.operationPositions(hashOf(0xff))).toEqual([
      { block: 0, index: 4 },
      { block: 300, index: 4 },
    ]);
    expect(store.operationPositions(hashOf(4))).toEqual([]);
    expect(store.operationPositions(toOperationHash(new Uint8Array(20)))).toEqual([]);
  });
});

describe('stateEntries', () => {
  const prefix = stateKey.storagePrefix(addressOf(7));
  const keys = [
    stateKey.account(addressOf(7)),
    Uint8Array.of(...prefix, 0),
    Uint8Array.of(...prefix, 1, 0),
    Uint8Array.of(...prefix, 0xff, 0xff),
    stateKey.storagePrefix(addressOf(8)),
    stateKey.nativeAccount(accountId(5)),
    stateKey.counters(),
  ];

  test('default', () => {
    const store = folders.open();
    const state = keys.toReversed().map((key) => ({ key, before: undefined, after: bytes(key.length) }));
    store.commitBlock(commitOf({ number: 0, state }));
    expect([...store.stateEntries()].map((entry) => entry.key)).toEqual(keys);
    expect([...store.stateEntries(prefix)].map((entry) => entry.key)).toEqual(keys.slice(1, 4));
    expect([...store.stateEntries(stateKey.accountName('none'))]).toEqual([]);
    expect([...store.stateEntries(bytes(0xff))]).toEqual([]);
  });

  test('behavior: a removed entry is not found', () => {
    const store = folders.open();
    store.commitBlock(fullBlock);
    store.commitBlock(
      commitOf({ number: 1, state: [{ key: account, before: bytes(30), after: undefined }] }),
    );
    expect(store.state(account)).toBeUndefined();
    expect([...store.stateEntries()]).toEqual([]);
  });

  test('behavior: an iteration shows the store as it was when it began', () => {
    const store = folders.open();
    const block = (number: number, value: number) => {
      const state = keys.map((key) => ({ key, before: undefined, after: bytes(value) }));
      return commitOf({ number, state });
    };
    store.commitBlock(block(0, 1));
    const seen: number[] = [];
    let number = 1;
    for (const { value } of store.stateEntries()) {
      seen.push(...value);
      store.commitBlock(block(number, 2));
      number += 1;
    }
    expect(seen).toEqual(keys.map(() => 1));
    expect(store.head()).toBe(keys.length);
    expect([...store.stateEntries()].map((entry) => entry.value)).toEqual(keys.map(() => bytes(2)));
  });
});

describe('values that were read', () => {
  test('behavior: it stays as it was, after later reads and commits, for small and large values', () => {
    const store = folders.open();
    const sizes = [0, 1, 100, 2_000, 4_096, 32_767, 32_768, 100_000, 1_500_000];
    const state = sizes.map((size, index) => ({
      key: stateKey.nativeAccount(accountId(index)),
      before: undefined,
      after: new Uint8Array(size).fill(index + 1),
    }));
    store.commitBlock(commitOf({ number: 0, state }));
    const read = state.map(({ key }) => store.state(key));
    const iterated = [...store.stateEntries()].map((entry) => entry.value);
    const changed = state.map(({ key, after }) => ({ key, before: after, after: after.map(() => 0xee) }));
    store.commitBlock(commitOf({ number: 1, state: changed }));
    for (const { key } of state) store.state(key);
    for (const [index, { after }] of state.entries()) {
      // Compared as Buffers: the deep comparison of arrays takes seconds at this size.
      expect(Buffer.compare(read[index] ?? bytes(), after)).toBe(0);
      expect(Buffer.compare(iterated[index] ?? bytes(), after)).toBe(0);
    }
  });

  test('behavior: changing it does not change the store', () => {
    const store = folders.open();
    store.commitBlock(fullBlock);
    store.state(account)?.fill(0);
    store.block(0)?.fill(0);
    expect(store.state(account)).toEqual(bytes(30));
    expect(store.block(0)).toEqual(bytes(1, 2, 3));
  });

  test('behavior: values are Uint8Arrays and not Buffers, whose slices would share memory', () => {
    const store = folders.open();
    store.commitBlock(fullBlock);
    const values = [store.state(account), store.block(0), store.transaction(0, 0)?.bytes];
    for (const { key, value } of store.tables()) values.push(key, value);
    expect(values.filter((value) => value === undefined || Buffer.isBuffer(value))).toEqual([]);
  });

  test('args: an empty key', () => {
    expect(folders.open().state(bytes())).toBeUndefined();
  });
});

test('args: history off', () => {
  const store = folders.open({ history: false });
  store.commitBlock(fullBlock);
  expect(store.history).toBe(false);
  expect(() => store.operationCount(addressOf(1))).toThrow(
    'the store does not count operations: it was created without history',
  );
  expect([...store.tables()].filter(({ table }) => table === 'operationCounts')).toEqual([]);
  expect(store.operationPositions(hashOf(1))).toEqual([{ block: 0, index: 0 }]);
});

describe('hasState', () => {
  const prefix = stateKey.storagePrefix(addressOf(7));
  const slot = (number: number) => Uint8Array.of(...prefix, number >> 8, number & 0xff);
  const other = stateKey.storagePrefix(addressOf(8));

  test('default: of every past state', () => {
    const store = folders.open();
    const [one, two] = [bytes(1), bytes(2)];
    const blocks: BlockCommit['state'][] = [
      [{ key: other, before: undefined, after: one }],
      [{ key: slot(1), before: undefined, after: one }],
      [{ key: slot(1), before: one, after: two }],
      [{ key: slot(1), before: two, after: undefined }],
      [{ key: slot(2), before: undefined, after: one }],
      [{ key: other, before: one, after: two }],
    ];
    const then: (boolean | undefined)[] = [];
    for (const [number, state] of blocks.entries()) {
      store.commitBlock(commitOf({ number, state }));
      then.push(store.hasState(prefix));
    }
    expect(then).toEqual([false, true, true, false, true, true]);
    const past = (before: number): boolean | undefined => store.before(before + 1).hasState(prefix);
    expect(blocks.map((_, number) => past(number))).toEqual(then);
  });

  test('behavior: a bound on the entries that have been overwritten since', () => {
    const store = folders.open();
    const created = (keys: readonly number[]) =>
      keys.map((number) => ({ key: slot(number), before: undefined, after: bytes(1) }));
    const keys = Array.from({ length: PAST_PREFIX_ENTRIES_MAX }, (_, number) => number);
    store.commitBlock(commitOf({ number: 0 }));
    store.commitBlock(commitOf({ number: 1, state: created(keys.slice(0, 1)) }));
    store.commitBlock(commitOf({ number: 2, state: created(keys.slice(1)) }));
    expect([1, 2, 3].map((block) => store.before(block).hasState(prefix))).toEqual([undefined, true, true]);
  });
});
