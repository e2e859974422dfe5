import { afterEach, describe, expect, test } from 'vitest';
import type { Store } from '../index.ts';
import { bytes, commitOf, storeErrorOf, TestFolders } from '../store.testing.ts';
import type { Revert } from '../store.ts';

const folders = new TestFolders();
afterEach(() => folders.clean());

function storeAt(head: number): Store {
  const store = folders.open();
  for (let number = 0; number <= head; number += 1) store.commitBlock(commitOf({ number }));
  return store;
}

const backTo = (to: number, rest: Partial<Revert> = {}): Revert => ({
  to,
  logsOf: () => [],
  onChange: () => undefined,
  accumulator: () => bytes(0xac, to),
  ...rest,
});

const idsOf = (store: Store): number[] => Array.from(store.chainSnapshots(), ({ id }) => id);

describe('snapshots of a chain', () => {
  test('default: they are stored in order with their block, also after a restart', async () => {
    const store = storeAt(0);
    expect(store.addChainSnapshot(bytes(7))).toBe(1);
    store.commitBlock(commitOf({ number: 1 }));
    expect(store.addChainSnapshot(bytes())).toBe(2);
    const kept = [
      { id: 1, block: 0, patches: 0, bytes: bytes(7) },
      { id: 2, block: 1, patches: 0, bytes: bytes() },
    ];
    expect([...store.chainSnapshots()]).toEqual(kept);
    await store.close();
    const again = folders.open({ path: store.path });
    expect([...again.chainSnapshots()]).toEqual(kept);
    expect([0, 1, 2, 3, 0.5, -1].map((id) => again.chainSnapshot(id)?.id)).toEqual([
      undefined,
      1,
      2,
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('behavior: snapshots are removed when their block is reverted, and ids are never reused', async () => {
    const store = storeAt(1);
    for (let index = 0; index < 2; index += 1) store.addChainSnapshot(bytes());
    store.commitBlock(commitOf({ number: 2 }));
    store.addChainSnapshot(bytes());
    store.revertBlocks(backTo(1));
    expect(idsOf(store)).toEqual([1, 2]);
    store.revertBlocks(backTo(0));
    expect(idsOf(store)).toEqual([]);
    await store.close();
    expect(folders.open({ path: store.path }).addChainSnapshot(bytes())).toBe(4);
  });

  test('args: snapshotsFrom: removes the snapshots of the target block from this id on', () => {
    const store = storeAt(2);
    for (let index = 0; index < 3; index += 1) store.addChainSnapshot(bytes());
    store.revertBlocks(backTo(2, { snapshotsFrom: 2, pending: [] }));
    expect([idsOf(store), store.head(), store.reorgCount()]).toEqual([[1], 2, 1]);
  });

  test('behavior: patches after their block belong to them', () => {
    const store = storeAt(1);
    const patch = (): number =>
      store.commitPatch({ patch: bytes(1), state: [], counts: [], accumulator: bytes(0xac, 1) });
    patch();
    store.addChainSnapshot(bytes());
    patch();
    store.addChainSnapshot(bytes());
    expect(Array.from(store.chainSnapshots(), ({ patches }) => patches)).toEqual([1, 2]);
    store.revertBlocks(backTo(1, { patches: 1, pending: [] }));
    expect([idsOf(store), [...store.patchesAfter(1)].length]).toEqual([[1], 1]);
    store.revertBlocks(backTo(1));
    expect(idsOf(store)).toEqual([]);
  });

  test('args: pending: the pending transactions are replaced, with their sequences', () => {
    const store = storeAt(1);
    for (const value of [1, 2]) store.addPending(bytes(value));
    const pending = [
      { sequence: 1, bytes: bytes(5) },
      { sequence: 9, bytes: bytes(6) },
    ];
    store.revertBlocks(backTo(0, { pending }));
    expect([...store.pendingTransactions()]).toEqual(pending);
    expect(store.addPending(bytes(7))).toBe(10);
  });

  test('behavior: a rejected revert leaves snapshots and pending transactions', () => {
    const store = storeAt(1);
    store.addChainSnapshot(bytes());
    store.addPending(bytes(1));
    const refused = backTo(0, {
      snapshotsFrom: 0,
      pending: [],
      accumulator: () => {
        throw new RangeError('no');
      },
    });
    expect(() => store.revertBlocks(refused)).toThrow();
    expect([idsOf(store), [...store.pendingTransactions()].length]).toEqual([[1], 1]);
  });

  test('error: a store that has no blocks', () => {
    expect(storeErrorOf(() => folders.open().addChainSnapshot(bytes())).message).toBe(
      'a store that has no blocks has no snapshots',
    );
  });
});
