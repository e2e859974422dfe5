import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Address,
  compareBytes,
  type OperationHash,
  toAddress,
  toOperationHash,
} from '../protocol/index.ts';
import { type BlockCommit, openStore, type StateChange, type Store } from './index.ts';
import { bytes } from './store.testing.ts';

/** What a block is made of, before it has a number; few different keys, so that blocks meet one another. */
interface Draft {
  readonly block: Uint8Array;
  readonly transactions: readonly { readonly size: number; readonly bytes: Uint8Array }[];
  readonly receipt: Uint8Array;
  readonly hashes: readonly number[];
  readonly state: readonly (readonly [Uint8Array, Uint8Array | undefined])[];
  readonly accumulator: Uint8Array;
}

const value = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc.integer({ min: 1_900, max: 70_000 }).map((length) => new Uint8Array(length).fill(length % 251)),
);
const stateEntryKey = fc.uint8Array({ minLength: 1, maxLength: 3, max: 3 });
const draft: fc.Arbitrary<Draft> = fc.record({
  block: value,
  transactions: fc.array(fc.record({ size: fc.integer({ min: 1, max: 3 }), bytes: value }), { maxLength: 4 }),
  receipt: value,
  hashes: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 12, maxLength: 12 }),
  state: fc.uniqueArray(fc.tuple(stateEntryKey, fc.option(value, { nil: undefined })), {
    selector: ([key]) => String(key),
    maxLength: 12,
  }),
  accumulator: value,
});

function hashOf(number: number): OperationHash {
  return toOperationHash(new Uint8Array(20).fill(number));
}

function payerOf(number: number): Address {
  return toAddress(new Uint8Array(20).fill(0x80 + number));
}

/** The store's content in plain maps, by text of the key. */
class Model {
  readonly state = new Map<string, { key: Uint8Array; value: Uint8Array }>();
  readonly commits: BlockCommit[] = [];
  readonly counts = new Map<number, number>();

  next({ block, transactions, receipt, hashes, state, accumulator }: Draft): BlockCommit {
    const firsts = transactions.map((_, index) =>
      transactions.slice(0, index).reduce((sum, { size }) => sum + size, 0),
    );
    const used = hashes.slice(
      0,
      transactions.reduce((sum, { size }) => sum + size, 0),
    );
    return {
      number: this.commits.length,
      block,
      transactions: transactions.map((entry, index) => ({
        firstOperation: firsts[index] ?? 0,
        bytes: entry.bytes,
      })),
      receipts: used.map((_, index) => Uint8Array.of(index, ...receipt.subarray(0, 50))),
      operationHashes: used.map(hashOf),
      logs: [],
      payers: used.map(payerOf),
      state: state.map(
        ([key, after]): StateChange => ({ key, before: this.state.get(String(key))?.value, after }),
      ),
      accumulator,
    };
  }

  add(commit: BlockCommit, payers: readonly number[]): void {
    this.commits.push(commit);
    for (const payer of payers) this.counts.set(payer, (this.counts.get(payer) ?? 0) + 1);
    for (const { key, after } of commit.state) {
      if (after === undefined) this.state.delete(String(key));
      else this.state.set(String(key), { key, value: after });
    }
  }

  positions(hash: OperationHash): { block: number; index: number }[] {
    return this.commits.flatMap((commit) =>
      commit.operationHashes.flatMap((other, index) =>
        compareBytes(other, hash) === 0 ? [{ block: commit.number, index }] : [],
      ),
    );
  }
}

function expectEqual(store: Store, model: Model): void {
  const head = model.commits.at(-1);
  expect(store.head()).toBe(head?.number);
  expect(same(store.accumulator(), head?.accumulator)).toBe(true);
  const entries = [...model.state.values()].sort((left, right) => compareBytes(left.key, right.key));
  const stored = [...store.stateEntries()];
  expect(stored.map(({ key }) => key)).toEqual(entries.map(({ key }) => key));
  expect(entries.every((entry, index) => same(stored[index]?.value, entry.value))).toBe(true);
  for (const { key, value } of entries) expect(same(store.state(key), value)).toBe(true);
  for (const number of [0, 1, 2, 3]) {
    expect(store.operationPositions(hashOf(number))).toEqual(model.positions(hashOf(number)));
    expect(store.operationCount(payerOf(number))).toBe(model.counts.get(number) ?? 0);
  }
  for (const commit of model.commits) expectBlock(store, commit);
}

function expectBlock(store: Store, { number, block, transactions, receipts }: BlockCommit): void {
  expect(same(store.block(number), block)).toBe(true);
  const stored = [...store.transactionsOf(number)];
  expect(stored.map((transaction) => transaction.firstOperation)).toEqual(
    transactions.map((transaction) => transaction.firstOperation),
  );
  expect(transactions.every((transaction, index) => same(stored[index]?.bytes, transaction.bytes))).toBe(
    true,
  );
  expect([...store.receiptsOf(number)]).toEqual(receipts);
  for (const [index, receipt] of receipts.entries()) {
    const holder = transactions.findLast((transaction) => transaction.firstOperation <= index);
    const found = store.transaction(number, index);
    expect(found?.firstOperation).toBe(holder?.firstOperation);
    expect(same(found?.bytes, holder?.bytes)).toBe(true);
    expect(store.receipt(number, index)).toEqual(receipt);
  }
  expect(store.transaction(number, receipts.length)).toBeUndefined();
  expect(store.receipt(number, receipts.length)).toBeUndefined();
}

/** Compared as Buffers: the deep comparison of large arrays is slow. */
function same(left: Uint8Array | undefined, right: Uint8Array | undefined): boolean {
  return left !== undefined && right !== undefined ? Buffer.compare(left, right) === 0 : left === right;
}

test('behavior: any sequence of blocks, refused ones among them, reads like plain maps', async () => {
  const step = fc.record({ draft, refused: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      const store = openStore({ durable: false });
      try {
        const model = new Model();
        for (const { draft: parts, refused } of steps) {
          const commit = model.next(parts);
          if (refused) {
            const unwritable = { key: new Uint8Array(2_000), before: undefined, after: bytes(1) };
            const bad = { ...commit, state: [...commit.state, unwritable] };
            expect(() => store.commitBlock(bad)).toThrow('the database refused to write');
          } else {
            store.commitBlock(commit);
            model.add(commit, parts.hashes.slice(0, commit.receipts.length));
          }
          expectEqual(store, model);
        }
      } finally {
        await store.close();
      }
    }),
    { numRuns: 60 },
  );
});
