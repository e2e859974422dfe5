import { existsSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { type Address, bytesToHex, invariant, ZERO_HASH } from '../../protocol/index.ts';
import { type BlockCommit, type StateChange, type Store, stateKey } from '../index.ts';
import { addressOf, bytes, commitOf, hashOf, storeErrorOf, TestFolders } from '../store.testing.ts';
import type { Revert } from '../store.ts';
import { UNWRITTEN_BLOCKS_MAX, UNWRITTEN_BYTES_MAX } from './unwritten-blocks.ts';

const folders = new TestFolders();
afterEach(() => folders.clean());

/** Few different keys, so that blocks meet one another. */
const KEYS = 4;
const NAMES = 3;

interface Draft {
  readonly operations: readonly { readonly hash: number; readonly other: number; readonly payer: number }[];
  readonly state: readonly (readonly [number, number | undefined])[];
  readonly removedPending: readonly number[];
}

type Step =
  | { readonly kind: 'block'; readonly draft: Draft }
  | { readonly kind: 'together'; readonly blocks: number }
  | { readonly kind: 'patch'; readonly state: Draft['state'] }
  | { readonly kind: 'revert'; readonly places: number; readonly forgets: boolean; readonly plans: boolean }
  | { readonly kind: 'addPending' | 'snapshot' | 'publish' | 'whole' };

const state = fc.uniqueArray(fc.tuple(fc.nat(KEYS - 1), fc.option(fc.nat(2), { nil: undefined })), {
  selector: ([key]) => key,
});
const name = fc.nat(NAMES - 1);
const draft: fc.Arbitrary<Draft> = fc.record({
  operations: fc.array(fc.record({ hash: name, other: name, payer: name }), { maxLength: 3 }),
  state,
  removedPending: fc.array(fc.nat(3), { maxLength: 1 }),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('block' as const), draft }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('revert' as const),
      places: fc.integer({ min: 1, max: 5 }),
      forgets: fc.boolean(),
      plans: fc.boolean(),
    }),
  },
  fc.record({ kind: fc.constant('patch' as const), state }),
  fc.record({ kind: fc.constant('together' as const), blocks: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ kind: fc.constantFrom('addPending' as const, 'snapshot' as const) }),
  fc.record({ kind: fc.constantFrom('publish' as const, 'whole' as const) }),
);

function stateOf(store: Store, given: Draft['state']): StateChange[] {
  return given.map(([key, after]) => ({
    key: bytes(key),
    before: store.state(bytes(key)),
    after: after === undefined ? undefined : bytes(after, after),
  }));
}

function blockOf(store: Store, { operations, removedPending, ...given }: Draft): BlockCommit {
  const number = (store.head() ?? -1) + 1;
  return commitOf({
    number,
    transactions: operations.length === 0 ? [] : [{ firstOperation: 0, bytes: bytes(number, 1) }],
    receipts: operations.map(({ payer }, index) => bytes(index, payer)),
    operationHashes: operations.map(({ hash }) => hashOf(hash)),
    otherHashes: operations.map(({ other }, operation) => ({ operation, hash: hashOf(0x40 + other) })),
    payers: operations.map(({ payer }) => addressOf(payer)),
    state: stateOf(store, given.state),
    accumulator: bytes(0xac, number, operations.length),
    removedPending,
  });
}

/** The results of all look-ups that do not write the blocks in memory. */
function lookUp(store: Store, known: number) {
  const numbers = Array.from({ length: known + 2 }, (_, number) => number);
  const names = Array.from({ length: NAMES }, (_, index) => index);
  return {
    head: store.head(),
    accumulator: store.accumulator(),
    reorgCount: store.reorgCount(),
    state: Array.from({ length: KEYS }, (_, key) => store.state(bytes(key))),
    positions: names.flatMap((hash) => [
      store.operationPositions(hashOf(hash)),
      store.operationPositions(hashOf(hash), true).at(-1),
      store.operationPositions(hashOf(0x40 + hash)),
    ]),
    counts: names.map((payer) => store.operationCount(addressOf(payer))),
    blocks: numbers.map((number) => [
      store.block(number),
      store.patchCount(number),
      [0, 1, 2].map((index) => [
        store.transaction(number, index),
        store.receipt(number, index),
        store.operationHash(number, index),
      ]),
    ]),
  };
}

/** A store to which everything happens, with the places that it can be taken back to. */
class Subject {
  readonly store: Store;
  readonly #places: { readonly to: number; readonly patches: number; readonly accumulator: Uint8Array }[] =
    [];

  constructor(writesLater?: 'always' | 'together') {
    this.store = folders.open({ writesLater });
    this.store.commitBlock(commitOf({ number: 0, genesis: bytes(9) }));
    this.#note();
  }

  /** The results of look-ups, in addition to the content. */
  take(taken: Step): unknown {
    const { store } = this;
    if (taken.kind === 'block') store.commitBlock(blockOf(store, taken.draft));
    else if (taken.kind === 'addPending') return store.addPending(bytes(7));
    else if (taken.kind === 'snapshot') return store.addChainSnapshot(bytes(8));
    else if (taken.kind === 'publish') store.publish();
    // Reading the pending transactions stores those of this action.
    else if (taken.kind === 'whole') return [[...store.pendingTransactions()], [...store.tables()]];
    else if (taken.kind === 'revert') return this.#revert(taken);
    else if (taken.kind === 'patch') {
      const patch = { patch: bytes(3), state: stateOf(store, taken.state), counts: [] };
      store.commitPatch({ ...patch, accumulator: bytes(0xad, taken.state.length) });
    } else if (taken.kind === 'together') {
      store.inOneCommit(taken.blocks, () => {
        for (let index = 0; index < taken.blocks; index += 1) {
          store.commitBlock(commitOf({ number: (store.head() ?? -1) + 1 }));
          this.#note();
        }
      });
    }
    if (taken.kind === 'block' || taken.kind === 'patch') this.#note();
    return undefined;
  }

  #revert({ places, forgets, plans }: Extract<Step, { kind: 'revert' }>): unknown {
    const kept = Math.max(1, this.#places.length - places);
    const [place, isNewest] = [this.#places[kept - 1], kept === this.#places.length];
    if (place === undefined || isNewest) return undefined;
    this.#places.length = kept;
    const { to, patches, accumulator } = place;
    const changes: string[] = [];
    const revert: Revert = {
      to,
      patches,
      logsOf: () => [],
      onChange({ key, before, after }) {
        const [from, into] = [before && bytesToHex(before), after && bytesToHex(after)];
        if (from !== into) changes.push(`${bytesToHex(key)}: ${from} to ${into}`);
      },
      accumulator: () => accumulator,
      pending: forgets ? [] : undefined,
      restored: forgets ? bytes(5, to) : undefined,
    };
    const plan = plans ? this.store.planRevert(revert) : undefined;
    while (plan?.read(1) === true);
    this.store.revertBlocks(revert, plan);
    return changes.sort();
  }

  #note(): void {
    const to = this.store.head() ?? -1;
    const accumulator = this.store.accumulator() ?? bytes();
    this.#places.push({ to, patches: this.store.patchCount(to), accumulator });
  }
}

const BLOCK: Step = { kind: 'block', draft: { operations: [], state: [], removedPending: [] } };
const FORGETTING: Step = { kind: 'revert', places: 1, forgets: true, plans: false };
/** Reverts that forget a pending transaction of the same action. */
const FORGOTTEN: [Step[]][] = [
  [[BLOCK, { kind: 'addPending' }, FORGETTING]],
  [[{ kind: 'addPending' }, BLOCK, FORGETTING]],
];

test.each(['always', 'together'] as const)(
  'behavior: equals a store that writes each block immediately: %s',
  async (writesLater) => {
    await fc.assert(
      fc
        .asyncProperty(fc.array(step, { maxLength: 16 }), async (steps) => {
          const [subject, other] = [new Subject(writesLater), new Subject()];
          const takeAll = (): void => {
            for (const taken of steps) {
              const known = other.store.head() ?? 0;
              expect(subject.take(taken)).toEqual(other.take(taken));
              expect(lookUp(subject.store, known)).toEqual(lookUp(other.store, known));
            }
          };
          subject.store.together(takeAll, () => undefined);
          expect([...subject.store.tables()]).toEqual([...other.store.tables()]);
          expect([...subject.store.chainSnapshots()]).toEqual([...other.store.chainSnapshots()]);
        })
        .afterEach(() => folders.clean()),
      { numRuns: 30, examples: FORGOTTEN },
    );
  },
);

/** A store with its genesis, and another process's view of it. */
function opened() {
  const store = folders.open({ writesLater: 'always' });
  store.commitBlock(commitOf({ number: 0, genesis: bytes(9) }));
  const add = (parts: Partial<BlockCommit> = {}): void => {
    store.commitBlock(commitOf({ number: (store.head() ?? -1) + 1, ...parts }));
  };
  return { store, add, headInFile: () => folders.read(store.path).head() };
}

test('behavior: blocks are written to the file only when an operation or another process needs them', () => {
  const { store, add, headInFile } = opened();
  add();
  add();
  expect([store.head(), headInFile()]).toEqual([2, 0]);
  store.publish();
  expect(headInFile()).toBe(2);
  add();
  expect([...store.stateEntries()]).toEqual([]);
  expect(headInFile()).toBe(3);
});

test('behavior: reading the statistics does not cause a write', () => {
  const { store, add, headInFile } = opened();
  add();
  expect(store.statistics()).toEqual(expect.objectContaining({ readers: 0 }));
  expect([store.unwritten(), headInFile()]).toEqual([{ blocks: 1, hasFailed: false }, 0]);
  store.publish();
  expect(store.unwritten()).toEqual({ blocks: 0, hasFailed: false });
});

test('behavior: blocks that are reverted before the write are never written', () => {
  const { store, add, headInFile } = opened();
  const id = store.addChainSnapshot(bytes(1));
  add({ state: [{ key: bytes(1), before: undefined, after: bytes(2) }] });
  add({ state: [{ key: bytes(1), before: bytes(2), after: bytes(3) }] });
  const changes: StateChange[] = [];
  store.revertBlocks({
    to: 0,
    logsOf: () => [],
    onChange: (change) => changes.push(change),
    accumulator: () => bytes(0xac, 0),
    snapshotsFrom: id,
  });
  expect(changes).toEqual([{ key: bytes(1), before: bytes(3), after: undefined }]);
  expect([store.head(), headInFile(), store.reorgCount(), store.state(bytes(1))]).toEqual([
    0,
    0,
    1,
    undefined,
  ]);
  expect(store.chainSnapshot(id)).toBeUndefined();
});

test('error: a revert whose accumulator fails changes nothing', () => {
  const { store, add } = opened();
  add({ state: [{ key: bytes(1), before: undefined, after: bytes(2) }] });
  const wrong = () => {
    throw new Error('another root');
  };
  const revert = { to: 0, logsOf: () => [], onChange: () => undefined, accumulator: wrong };
  expect(() => store.revertBlocks(revert)).toThrow('another root');
  expect([store.head(), store.reorgCount(), store.state(bytes(1))]).toEqual([1, 0, bytes(2)]);
});

test.each([
  ['blocks', UNWRITTEN_BLOCKS_MAX, {}],
  ['bytes', 2, { block: new Uint8Array(UNWRITTEN_BYTES_MAX / 2) }],
])(
  'args: with the greatest number of %s in memory they are written before the next block',
  (_, most, parts) => {
    const { store, add, headInFile } = opened();
    for (let count = 0; count < most; count += 1) add(parts);
    expect(headInFile()).toBe(0);
    add();
    expect([store.head(), headInFile()]).toEqual([most + 1, most]);
  },
);

test('error: a block that does not follow the head, or has inconsistent parts', () => {
  const { store, add } = opened();
  add();
  expect(storeErrorOf(() => add({ number: 3 })).code).toBe('STORE_WRONG_NUMBER');
  expect(storeErrorOf(() => add({ number: 1 })).code).toBe('STORE_WRONG_NUMBER');
  expect(storeErrorOf(() => add({ receipts: [bytes(1)] })).code).toBe('STORE_INVALID_COMMIT');
  expect(store.head()).toBe(1);
});

test('behavior: changing a returned value does not change the store', () => {
  const { store, add } = opened();
  add({ state: [{ key: bytes(1), before: undefined, after: bytes(2) }] });
  store.state(bytes(1))?.fill(7);
  store.block(1)?.fill(7);
  store.accumulator()?.fill(7);
  expect([store.state(bytes(1)), store.block(1), store.accumulator()]).toEqual([
    bytes(2),
    bytes(0xb0, 1),
    bytes(0xac, 1),
  ]);
});

test('behavior: the end of the store is that of the blocks in memory', async () => {
  const { store, add } = opened();
  add();
  await store.close();
  expect(storeErrorOf(() => store.head()).code).toBe('STORE_CLOSED');
  expect(storeErrorOf(() => store.block(1)).code).toBe('STORE_CLOSED');
  expect(existsSync(store.path)).toBe(true);
});

test('behavior: blocks in memory and the file tell together which contracts have storage', () => {
  const store = folders.open({ writesLater: 'always' });
  const [written, later, never] = [1, 2, 3].map((number) => addressOf(number));
  invariant(written !== undefined && later !== undefined && never !== undefined, 'three addresses');
  const change = (address: Address): StateChange[] => [
    { key: stateKey.storage(address, ZERO_HASH), before: undefined, after: bytes(1) },
  ];
  store.commitBlock(commitOf({ number: 0, state: change(written) }));
  store.publish();
  store.commitBlock(commitOf({ number: 1, state: change(later) }));
  const found = [written, later, never].map((address) => store.mayHaveState(stateKey.storagePrefix(address)));
  expect(found).toEqual([true, true, false]);
  expect(store.unwritten().blocks).toBe(1);
});

test('behavior: blocks of one action are in the file at its end, and any other is at once', () => {
  const store = folders.open({ writesLater: 'together' });
  const add = (): void => store.commitBlock(commitOf({ number: (store.head() ?? -1) + 1 }));
  const headInFile = (): number | undefined => folders.read(store.path).head();
  add();
  add();
  expect(headInFile()).toBe(1);
  const within = store.together(
    () => {
      add();
      // A nested call is a part of the outer one.
      store.together(add, () => undefined);
      return [store.head(), headInFile(), store.unwritten().blocks];
    },
    () => undefined,
  );
  expect(within).toEqual([3, 1, 2]);
  expect([store.head(), headInFile(), store.unwritten().blocks]).toEqual([3, 3, 0]);
});

test('error: blocks of one action whose commit fails are lost together', () => {
  const store = folders.open({ writesLater: 'together' });
  store.commitBlock(commitOf({ number: 0 }));
  const before = [...store.tables()];
  const lost: unknown[] = [];
  const storing = (): void =>
    store.together(
      () => {
        store.commitBlock(commitOf({ number: 1 }));
        // LMDB refuses a key of this length.
        const key = new Uint8Array(3_000);
        store.commitBlock(commitOf({ number: 2, state: [{ key, before: undefined, after: bytes(1) }] }));
      },
      () => undefined,
      (last) => lost.push([last, store.head()]),
    );
  expect(storeErrorOf(storing).code).toBe('STORE_COMMIT_FAILED');
  expect(lost).toEqual([[0, 2]]);
  expect([[...store.tables()], store.unwritten()]).toEqual([before, { blocks: 0, hasFailed: false }]);
  store.commitBlock(commitOf({ number: 1 }));
  expect(folders.read(store.path).head()).toBe(1);
});
