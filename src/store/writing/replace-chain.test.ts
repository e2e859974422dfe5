import { existsSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { openStore, type Store, type StoreReader } from '../index.ts';
import { bytes, commitOf, TestFolders } from '../store.testing.ts';

const folders = new TestFolders();
const opened: Store[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
  await folders.clean();
});

/** Opens a store with blocks up to a number, each of which sets one entry of the state to a value. */
function storeWith(last: number, value: number, options: { readonly path?: string }): Store {
  const store = openStore({ durable: false, writesLater: 'always', ...options });
  opened.push(store);
  for (let number = 0; number <= last; number += 1) {
    const state = [{ key: bytes(1, number), before: undefined, after: bytes(value) }];
    store.commitBlock(commitOf({ number, state, ...(number === 0 && { genesis: bytes(0x9e, value) }) }));
  }
  return store;
}

function read(store: StoreReader) {
  return {
    head: store.head(),
    genesis: store.genesis(),
    state: Array.from(store.stateEntries(), ({ value }) => value),
  };
}

function expected(last: number, value: number): ReturnType<typeof read> {
  return {
    head: last,
    genesis: bytes(0x9e, value),
    state: Array.from({ length: last + 1 }, () => bytes(value)),
  };
}

test.each<[string, () => { readonly path?: string }]>([
  ['its file is taken', () => ({})],
  ['it is copied into a folder', () => ({ path: folders.folder() })],
])('behavior: a chain replaces another: %s', async (_case, optionsOf) => {
  const options = optionsOf();
  const store = storeWith(1, 10, options);
  const firstId = store.addChainSnapshot(bytes(1));
  store.addPending(bytes(5));
  const former = store.snapshot();
  const entries = former.stateEntries()[Symbol.iterator]();
  expect(entries.next().value?.value).toEqual(bytes(10));
  // A block that is only in memory goes with the former chain.
  store.commitBlock(commitOf({ number: 2 }));
  const [path, reorgCount] = [store.path, store.reorgCount()];
  const source = storeWith(4, 20, {});

  store.replaceChain(source, bytes(0xfe), bytes(7));
  await source.close();
  expect(read(store)).toEqual(expected(4, 20));
  expect(store.reorgCount()).toBe(reorgCount + 1);
  expect(store.restored()).toEqual({ reorgCount: reorgCount + 1, bytes: bytes(7) });
  expect(store.openedWith()).toEqual(bytes(0xfe));
  expect([...store.pendingTransactions()]).toEqual([]);
  expect([...store.chainSnapshots()]).toEqual([]);
  expect(store.addChainSnapshot(bytes(2))).toBe(firstId + 1);
  store.commitBlock(commitOf({ number: 5 }));
  expect(store.head()).toBe(5);

  expect(read(former)).toEqual(expected(1, 10));
  expect(entries.next().value?.value).toEqual(bytes(10));
  expect(entries.next().done).toBe(true);
  const again = former.snapshot();
  await former.close();
  expect(read(again)).toEqual(expected(1, 10));
  await again.close();
  const isTemporary = options.path === undefined;
  const paths = [path, store.path];
  await store.close();
  expect(paths.map((one) => existsSync(one))).toEqual(paths.map(() => !isTemporary));
});

test('behavior: a store is closed while a former chain is read', async () => {
  const store = storeWith(1, 10, {});
  const { path } = store;
  const former = store.snapshot();
  store.replaceChain(storeWith(2, 20, {}));
  expect(existsSync(path)).toBe(true);
  await store.close();
  expect([path, store.path].map((one) => existsSync(one))).toEqual([false, false]);
  expect(() => former.head()).toThrow('the store is closed');
});
