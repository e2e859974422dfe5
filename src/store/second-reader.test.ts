import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { openStoreForReading, stateKey } from './index.ts';
import { addressOf, bytes, commitOf, storeErrorOf, TestFolders } from './store.testing.ts';

const folders = new TestFolders();
afterEach(() => folders.clean());

const account = stateKey.account(addressOf(1));

/** A block that leaves its number as the one entry of the state. */
function numbered(number: number) {
  const state = [{ key: account, before: undefined, after: bytes(number) }];
  return commitOf({ number, state, accumulator: bytes(number) });
}

describe('openStoreForReading', () => {
  test('default', async () => {
    const store = folders.open({ history: false });
    store.commitBlock(numbered(0));
    const before = [...store.tables()];
    await store.close();
    const reader = folders.read(store.path);
    expect([reader.path, reader.history, reader.head()]).toEqual([store.path, false, 0]);
    expect([...reader.tables()]).toEqual(before);
  });

  test('behavior: it closes apart from the store that writes', async () => {
    const store = folders.open();
    const [first, second] = [folders.read(store.path), folders.read(store.path)];
    store.commitBlock(numbered(0));
    await first.close();
    expect(storeErrorOf(() => first.head()).code).toBe('STORE_CLOSED');
    expect(second.head()).toBe(0);
    await store.close();
    expect(second.state(account)).toEqual(bytes(0));
    expect(storeErrorOf(() => folders.open({ path: store.path })).code).toBe('STORE_IN_USE');
    await second.close();
    expect(folders.open({ path: store.path }).head()).toBe(0);
  });

  test('error: STORE_MISSING if no store exists, and none is created', () => {
    const missing = join(folders.folder(), 'missing');
    const empty = folders.folder();
    const untouched = folders.folder();
    writeFileSync(join(untouched, 'ledger.mdb'), '');
    for (const path of [missing, empty, untouched]) {
      const error = storeErrorOf(() => openStoreForReading(path));
      expect([error.code, error.message]).toEqual(['STORE_MISSING', `there is no store in ${path}`]);
    }
    expect([existsSync(missing), readdirSync(empty), readdirSync(untouched)]).toEqual([
      false,
      [],
      ['ledger.mdb'],
    ]);
  });

  test('error: STORE_FOREIGN for a folder of other files', () => {
    const path = folders.folder();
    mkdirSync(join(path, 'other'));
    expect(storeErrorOf(() => openStoreForReading(path)).code).toBe('STORE_FOREIGN');
  });
});

describe('snapshot', () => {
  test('default: all its reads are as of one commit', async () => {
    const store = folders.open();
    store.commitBlock(numbered(0));
    store.addPending(bytes(1));
    const snapshot = store.snapshot();
    const before = [...snapshot.tables()];
    for (let number = 1; number < 50; number += 1) {
      store.commitBlock({ ...numbered(number), removedPending: [0] });
      // Later iterations of the event loop use other snapshots.
      if (number % 10 === 0) await new Promise(setImmediate);
    }
    expect([store.head(), snapshot.head()]).toEqual([49, 0]);
    expect(snapshot.accumulator()).toEqual(bytes(0));
    expect(snapshot.state(account)).toEqual(bytes(0));
    expect([...snapshot.stateEntries()]).toEqual([{ key: account, value: bytes(0) }]);
    expect([...snapshot.pendingTransactions()]).toEqual([{ sequence: 0, bytes: bytes(1) }]);
    expect(snapshot.block(1)).toBeUndefined();
    expect([...snapshot.tables()]).toEqual(before);
    await snapshot.close();
    expect(store.head()).toBe(49);
  });

  test('behavior: a snapshot of a snapshot is the same one, and outlives it', async () => {
    const store = folders.open();
    store.commitBlock(numbered(0));
    const first = store.snapshot();
    store.commitBlock(numbered(1));
    const second = first.snapshot();
    await first.close();
    store.commitBlock(numbered(2));
    expect(second.head()).toBe(0);
    expect(storeErrorOf(() => first.head()).code).toBe('STORE_CLOSED');
    await second.close();
  });

  test('behavior: a running iteration continues when the snapshot is closed', async () => {
    const store = folders.open();
    const state = [1, 2, 3].map((byte) => ({
      key: stateKey.account(addressOf(byte)),
      before: undefined,
      after: bytes(byte),
    }));
    store.commitBlock(commitOf({ number: 0, state }));
    const snapshot = store.snapshot();
    const entries = snapshot.stateEntries()[Symbol.iterator]();
    entries.next();
    await snapshot.close();
    store.commitBlock(
      commitOf({ number: 1, state: state.map((change) => ({ ...change, after: undefined })) }),
    );
    expect([entries.next().value.value, entries.next().value.value]).toEqual([bytes(2), bytes(3)]);
  });

  test('behavior: the store may be closed before it', async () => {
    const store = folders.open();
    store.commitBlock(numbered(0));
    const snapshot = store.snapshot();
    await store.close();
    expect(storeErrorOf(() => snapshot.head()).code).toBe('STORE_CLOSED');
    await snapshot.close();
  });
});

describe('statistics', () => {
  test('default', () => {
    const store = folders.open();
    const state = Array.from({ length: 500 }, (_, index) => ({
      key: bytes(1, index >> 8, index),
      before: undefined,
      after: new Uint8Array(10_000),
    }));
    store.commitBlock(commitOf({ number: 0, state }));
    const full = store.statistics();
    expect(full.usedBytes).toBeGreaterThan(500 * 10_000);
    expect(full.usedBytes).toBeLessThanOrEqual(full.fileBytes);
    expect([full.readers, full.oldestReaderTransactions]).toEqual([0, 0]);
    store.commitBlock(
      commitOf({ number: 1, state: state.map((change) => ({ ...change, after: undefined })) }),
    );
    const emptied = store.statistics();
    expect(emptied.usedBytes).toBeLessThan(500 * 1_000);
    expect(emptied.fileBytes).toBeGreaterThanOrEqual(full.fileBytes);
  });

  test('behavior: it reports the age of the oldest snapshot', async () => {
    const store = folders.open();
    store.commitBlock(numbered(0));
    const snapshot = store.snapshot();
    for (let number = 1; number <= 7; number += 1) store.commitBlock(numbered(number));
    const entries = store.stateEntries()[Symbol.iterator]();
    entries.next();
    for (const statistics of [store.statistics(), snapshot.statistics()]) {
      expect([statistics.readers, statistics.oldestReaderTransactions]).toEqual([2, 7]);
    }
    await snapshot.close();
    entries.return?.();
    expect(store.statistics().readers).toBe(0);
  });
});
