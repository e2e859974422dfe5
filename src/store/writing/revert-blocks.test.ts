import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { InvariantError, toHash } from '../../protocol/index.ts';
import { auditPages } from '../file/page-audit.testing.ts';
import type { BlockCommit, ChainReader, Store, StoreReader } from '../index.ts';
import { addressOf, bytes, commitOf, hashOf, storeErrorOf, TestFolders } from '../store.testing.ts';
import type { Revert } from '../store.ts';

const folders = new TestFolders();
afterEach(() => folders.clean());

/** The content of a block without its number. It has few different keys, so that blocks overwrite each other. */
interface Draft {
  readonly size: number;
  readonly operations: readonly { readonly hash: number; readonly payer: number; readonly logs: number }[];
  readonly state: readonly (readonly [Uint8Array, Uint8Array | undefined])[];
}

const value = fc.oneof(
  { weight: 9, arbitrary: fc.uint8Array({ maxLength: 40 }) },
  fc.integer({ min: 1_900, max: 70_000 }).map((length) => new Uint8Array(length).fill(length % 251)),
);
const stateDraft = fc.uniqueArray(
  fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 3, max: 3 }), fc.option(value, { nil: undefined })),
  { selector: ([key]) => String(key), maxLength: 12 },
);
const counts = fc.uniqueArray(fc.tuple(fc.nat(2), fc.nat(3)), { selector: ([payer]) => payer, maxLength: 2 });
const draft: fc.Arbitrary<Draft> = fc.record({
  size: fc.integer({ min: 1, max: 3_000 }),
  operations: fc.array(fc.record({ hash: fc.nat(3), payer: fc.nat(2), logs: fc.nat(3) }), { maxLength: 5 }),
  state: stateDraft,
});

/** A block of a draft on top of what a store holds. */
function blockOf(store: Store, { size, operations, state }: Draft): BlockCommit {
  const number = (store.head() ?? -1) + 1;
  return commitOf({
    number,
    block: new Uint8Array(size).fill(number),
    transactions: operations.length === 0 ? [] : [{ firstOperation: 0, bytes: bytes(number) }],
    receipts: operations.map(({ logs }, index) => bytes(index, logs)),
    operationHashes: operations.map(({ hash }) => hashOf(hash)),
    logs: operations.flatMap(({ logs, hash }, operation) =>
      Array.from({ length: logs }, (_, offset) => ({
        operation,
        offset,
        address: addressOf(hash),
        topics: Array.from({ length: offset }, () => toHash(new Uint8Array(32).fill(hash))),
      })),
    ),
    payers: operations.map(({ payer }) => addressOf(0x80 + payer)),
    state: state.map(([key, after]) => ({ key, before: store.state(key), after })),
    accumulator: bytes(0xac, number),
  });
}

/** A patch of a draft on top of what a store holds. */
function patchOf(
  store: Store,
  given: { state: Draft['state']; counts: readonly (readonly [number, number])[] },
) {
  return {
    patch: bytes(given.state.length, given.counts.length),
    state: given.state.map(([key, after]) => ({ key, before: store.state(key), after })),
    counts: given.counts.map(([payer, count]) => ({ payer: addressOf(0x80 + payer), count })),
    accumulator: bytes(0xad, given.state.length),
  };
}

/** The content of a store after a block and its patches. */
interface Place {
  readonly head: number;
  readonly patches: number;
  readonly content: string[];
  readonly state: string[];
  readonly counts: number[];
  readonly revert: Pick<Revert, 'accumulator'>;
}

const PAYERS = [0x80, 0x81, 0x82].map(addressOf);

function placeOf(store: Store, patches: number): Place {
  const accumulator = store.accumulator() ?? bytes();
  return {
    ...{ head: store.head() ?? 0, patches, content: contentOf(store), state: stateOf(store) },
    counts: PAYERS.map((payer) => store.operationCount(payer)),
    revert: { accumulator: () => accumulator },
  };
}

function stateOf(reader: ChainReader): string[] {
  return Array.from(reader.stateEntries(), ({ key, value }) => `${key} ${digest(value)}`);
}

/** Before each block everything has to be as it was after the one before it and the patches behind that. */
function expectPast(store: Store, places: readonly Place[]): void {
  for (const [index, { head, state, counts }] of places.entries()) {
    if (places[index + 1]?.head === head) continue;
    const past = store.before(head + 1);
    expect([past.head(), stateOf(past)]).toEqual([head, state]);
    expect(PAYERS.map((payer) => past.operationCount(payer))).toEqual(counts);
  }
}

/** Everything that a store holds but for what waits and how often it was taken back, as text. */
function contentOf(store: StoreReader): string[] {
  return [...store.tables()]
    .filter(({ table, key }) => table !== 'pending' && !(table === 'meta' && String(key) === EPOCH))
    .map(({ table, key, value }) => `${table} ${Buffer.from(key).toString('hex')} ${digest(value)}`);
}

const EPOCH = String(new TextEncoder().encode('epoch'));

function digest(value: Uint8Array): string {
  return value.length < 100 ? Buffer.from(value).toString('hex') : `${value.length} of ${value[0]}`;
}

/** The revert of blocks that were committed as given. */
function backTo(to: number, commits: readonly BlockCommit[]): Revert {
  return {
    to,
    logsOf: (_receipt, number, index) =>
      commits[number]?.logs.filter(({ operation }) => operation === index) ?? [],
    onChange: () => undefined,
    accumulator: () => commits[to]?.accumulator ?? bytes(),
  };
}

describe('a reverted store', () => {
  test('behavior: equals its earlier content byte for byte, and accepts blocks from there on', () => {
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.record({ kind: fc.constant('block' as const), draft }) },
      fc.record({ kind: fc.constant('patch' as const), state: stateDraft, counts }),
    );
    const rounds = fc.array(
      fc.record({ steps: fc.array(step, { minLength: 1, maxLength: 8 }), back: fc.nat(10) }),
      { minLength: 1, maxLength: 5 },
    );
    fc.assert(
      fc.property(rounds, (given) => {
        const store = folders.open();
        const commits: BlockCommit[] = [blockOf(store, { size: 1, operations: [], state: [] })];
        for (const commit of commits) store.commitBlock(commit);
        let places: Place[] = [placeOf(store, 0)];
        let reorgCount = 0;
        for (const { steps, back } of given) {
          for (const next of steps) {
            let patches = 0;
            if (next.kind === 'block') {
              const commit = blockOf(store, next.draft);
              store.commitBlock(commit);
              commits.push(commit);
            } else patches = store.commitPatch(patchOf(store, next));
            places.push(placeOf(store, patches));
          }
          expectPast(store, places);
          const at = Math.max(0, places.length - 1 - back);
          const [place] = places.slice(at);
          if (at === places.length - 1 || place === undefined) continue;
          store.revertBlocks({ ...backTo(place.head, commits), patches: place.patches, ...place.revert });
          places = places.slice(0, at + 1);
          commits.length = place.head + 1;
          reorgCount += 1;
          expect(contentOf(store)).toEqual(place.content);
          expect([store.head(), store.reorgCount()]).toEqual([place.head, reorgCount]);
          expectPast(store, places);
        }
        expect(auditPages(join(store.path, 'ledger.mdb')).conflicts).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  test('args: onChange is called once for each state entry that is restored', () => {
    const store = folders.open();
    store.commitBlock(commitOf({ number: 0 }));
    const key = bytes(1);
    for (const number of [1, 2, 3]) {
      const before = store.state(key);
      store.commitBlock(commitOf({ number, state: [{ key, before, after: bytes(number) }] }));
    }
    const told: unknown[] = [];
    store.revertBlocks({ ...backTo(0, []), onChange: (change) => told.push(change) });
    expect(told).toEqual([{ key, before: bytes(3), after: undefined }]);
  });

  test('args: patches: the number of patches after the block that are kept', () => {
    const store = folders.open();
    store.commitBlock(commitOf({ number: 0 }));
    const key = bytes(1);
    for (const after of [bytes(1), bytes(2), bytes(3)]) {
      store.commitPatch({
        patch: after,
        state: [{ key, before: store.state(key), after }],
        counts: [],
        accumulator: after,
      });
    }
    expect([...store.patchesAfter(0)]).toEqual([bytes(1), bytes(2), bytes(3)]);
    expect(() => store.revertBlocks({ ...backTo(0, []), patches: 3 })).toThrow('cannot be reverted');
    store.revertBlocks({ ...backTo(0, []), patches: 1 });
    expect([[...store.patchesAfter(0)], store.state(key)]).toEqual([[bytes(1)], bytes(1)]);
    store.revertBlocks(backTo(0, []));
    expect([[...store.patchesAfter(0)], store.state(key)]).toEqual([[], undefined]);
  });

  test('error: a patch of a store without blocks', () => {
    const store = folders.open();
    const patch = { patch: bytes(1), state: [], counts: [], accumulator: bytes() };
    expect(storeErrorOf(() => store.commitPatch(patch)).code).toBe('STORE_WRONG_NUMBER');
  });

  test('behavior: pending transactions are kept, and the reorg count survives reopening', async () => {
    const store = folders.open();
    for (const number of [0, 1]) store.commitBlock(commitOf({ number }));
    store.addPending(bytes(7));
    store.revertBlocks(backTo(0, []));
    expect([...store.pendingTransactions()]).toEqual([{ sequence: 0, bytes: bytes(7) }]);
    await store.close();
    expect(folders.open({ path: store.path }).reorgCount()).toBe(1);
  });
});

describe('undo log', () => {
  const commit = (store: Store, last: number): void => {
    for (let number = (store.head() ?? -1) + 1; number <= last; number += 1) {
      store.commitBlock(commitOf({ number }));
    }
  };

  test('default: of all blocks but block 0', () => {
    const store = folders.open();
    expect(store.undoStart()).toBeUndefined();
    commit(store, 0);
    expect(store.undoStart()).toBeUndefined();
    commit(store, 30);
    expect(store.undoStart()).toBe(1);
  });

  test('args: undoBlocks: of the newest ones only, and of some more for a while', async () => {
    const store = folders.open({ undoBlocks: 20 });
    for (let head = 1; head <= 200; head += 1) {
      commit(store, head);
      const kept = head + 1 - (store.undoStart() ?? 0);
      expect(kept).toBeGreaterThanOrEqual(Math.min(head, 20));
      expect(kept).toBeLessThan(20 + 32);
    }
    await store.close();
    const less = folders.open({ path: store.path, undoBlocks: 3 });
    commit(less, 202);
    const start = less.undoStart() ?? 0;
    expect(start).toBeGreaterThan(202 - 3 - 32);
    const error = storeErrorOf(() => less.revertBlocks(backTo(start - 2, [])));
    expect([error.code, error.message]).toEqual([
      'STORE_NOT_KEPT',
      `the undo record of block ${start - 1} is not stored`,
    ]);
    expect(less.head()).toBe(202);
    less.revertBlocks(backTo(start - 1, []));
    expect([less.head(), less.undoStart()]).toEqual([start - 1, undefined]);
    commit(less, start);
    expect(less.undoStart()).toBe(start);
  });

  test('args: undoBlocks: 0 drops the undo log, and later entries have no gap', async () => {
    const store = folders.open();
    commit(store, 30);
    await store.close();
    const none = folders.open({ path: store.path, undoBlocks: 0 });
    expect(none.undoStart()).toBeUndefined();
    commit(none, 35);
    expect(none.undoStart()).toBeUndefined();
    await none.close();
    const some = folders.open({ path: store.path, undoBlocks: 10 });
    commit(some, 37);
    expect(some.undoStart()).toBe(36);
  });
});

describe('a store that stays as it is', () => {
  const filled = (): Store => {
    const store = folders.open();
    for (const number of [0, 1, 2]) store.commitBlock(commitOf({ number }));
    return store;
  };

  test.each([2, 3, -1, 0.5])('error: revert to block %d of 2', (to) => {
    const store = filled();
    const error = storeErrorOf(() => store.revertBlocks(backTo(to, [])));
    expect(error.code).toBe('STORE_WRONG_NUMBER');
    expect(error.message).toBe(`a store that has block 2 as its head cannot be reverted to block ${to}`);
  });

  test('error: an empty store', () => {
    const error = storeErrorOf(() => folders.open().revertBlocks(backTo(0, [])));
    expect(error.message).toBe('a store that has no blocks cannot be reverted to block 0');
  });

  test('error: the outcome is refused', () => {
    const store = filled();
    const before = contentOf(store);
    const revert: Revert = {
      ...backTo(0, []),
      accumulator: () => {
        throw new InvariantError('it is not that of the block');
      },
    };
    expect(() => store.revertBlocks(revert)).toThrow(InvariantError);
    expect([contentOf(store), store.reorgCount()]).toEqual([before, 0]);
  });
});
