import { afterEach, describe, expect, test } from 'vitest';
import { openStoreForReading, type StoreReader } from '../index.ts';
import { bytes, commitOf, storeErrorOf, TestFolders } from '../store.testing.ts';

const folders = new TestFolders();
afterEach(() => folders.clean());

function sequencesOf(store: StoreReader): number[] {
  return [...store.pendingTransactions()].map(({ sequence }) => sequence);
}

describe('addPending', () => {
  test('default: pending transactions stay in their order, also after a restart', async () => {
    const store = folders.open({ durable: true });
    const sizes = [0, 1, 300, 1024 * 1024];
    for (const [index, size] of sizes.entries()) {
      expect(store.addPending(new Uint8Array(size).fill(index))).toBe(index);
    }
    await store.close();
    const again = folders.open({ path: store.path, durable: true });
    const records = [...again.pendingTransactions()];
    expect(records.map(({ sequence, bytes: record }) => [sequence, record.length])).toEqual([
      ...sizes.entries(),
    ]);
    expect(again.addPending(bytes(9))).toBe(4);
  });

  test('behavior: the sequence of a removed transaction is not reused', () => {
    const store = folders.open();
    expect([store.addPending(bytes(1)), store.addPending(bytes(2))]).toEqual([0, 1]);
    store.removePending([1]);
    expect(store.addPending(bytes(3))).toBe(2);
    store.removePending([0, 2]);
    expect(store.addPending(bytes(4))).toBe(3);
  });

  test('behavior: it is no part of the chain', () => {
    const store = folders.open();
    store.addPending(bytes(1));
    expect(store.head()).toBeUndefined();
    expect([...store.tables()].map(({ table }) => table)).toEqual(['meta', 'meta', 'pending']);
  });
});

describe('together', () => {
  /** Lists what another reader of the file sees. */
  function storedIn(store: StoreReader): number[] {
    const reader = openStoreForReading(store.path);
    try {
      return sequencesOf(reader);
    } finally {
      void reader.close();
    }
  }

  test('default: additions are stored in one commit at the end, and replace others', () => {
    const store = folders.open();
    store.addPending(bytes(1));
    let calls = 0;
    const added = store.together(
      () => {
        const sequences = [store.addPending(bytes(2)), store.addPending(bytes(3), [0])];
        expect(storedIn(store)).toEqual([0]);
        return sequences;
      },
      () => {
        calls += 1;
        expect(storedIn(store)).toEqual([1, 2]);
      },
    );
    expect(added).toEqual([1, 2]);
    expect(calls).toBe(1);
    expect(store.addPending(bytes(4))).toBe(3);
  });

  test('behavior: they are stored before another commit, and before they are read', () => {
    const store = folders.open();
    const stored: number[][] = [];
    const note = (): void => void stored.push(sequencesOf(store));
    store.together(() => {
      store.addPending(bytes(1));
      store.commitBlock(commitOf({ number: 0, removedPending: [0] }));
      store.addPending(bytes(2));
      expect(sequencesOf(store)).toEqual([1]);
      // A nested call is a part of the outer one.
      store.together(() => store.addPending(bytes(3)), note);
      expect(storedIn(store)).toEqual([1]);
    }, note);
    expect(stored).toEqual([[0], [1], [1, 2]]);
  });

  test('behavior: an error of the action leaves the additions before it', () => {
    const store = folders.open();
    const failing = (): void => {
      store.addPending(bytes(1));
      throw new RangeError('later');
    };
    expect(() => store.together(failing, () => undefined)).toThrow('later');
    expect(sequencesOf(store)).toEqual([0]);
  });
});

describe('removePending', () => {
  test('default', () => {
    const store = folders.open();
    for (let count = 0; count < 5; count += 1) store.addPending(bytes(count));
    store.removePending([3, 0]);
    expect([...store.pendingTransactions()]).toEqual([
      { sequence: 1, bytes: bytes(1) },
      { sequence: 2, bytes: bytes(2) },
      { sequence: 4, bytes: bytes(4) },
    ]);
  });

  test('behavior: unknown sequences are ignored', () => {
    const store = folders.open();
    store.addPending(bytes(1));
    store.removePending([]);
    store.removePending([5, 5, 2 ** 40]);
    expect(sequencesOf(store)).toEqual([0]);
  });
});

describe('removedPending', () => {
  test('default: transactions leave with the block that takes them', () => {
    const store = folders.open();
    for (let count = 0; count < 4; count += 1) store.addPending(bytes(count));
    store.commitBlock(commitOf({ number: 0, removedPending: [0, 2, 17] }));
    expect(sequencesOf(store)).toEqual([1, 3]);
  });

  test('error: they stay when the block is refused', () => {
    const store = folders.open();
    store.addPending(bytes(1));
    const state = [{ key: new Uint8Array(3_000), before: undefined, after: bytes(1) }];
    const refused = [
      commitOf({ number: 1, removedPending: [0] }),
      commitOf({ number: 0, removedPending: [0], state }),
    ];
    expect(refused.map((commit) => storeErrorOf(() => store.commitBlock(commit)).code)).toEqual([
      'STORE_WRONG_NUMBER',
      'STORE_COMMIT_FAILED',
    ]);
    expect(sequencesOf(store)).toEqual([0]);
  });
});
