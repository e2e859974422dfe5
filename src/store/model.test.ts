import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Address,
  compareBytes,
  type OperationHash,
  toAddress,
  toOperationHash,
} from '../protocol/index.ts';
import { auditPages } from './file/page-audit.testing.ts';
import { type BlockCommit, openStore, type StateChange, type Store, type StoreReader } from './index.ts';
import { bytes, commitOf } from './store.testing.ts';

/** A block before it has a number; few different keys, so that blocks meet one another. */
interface Draft {
  readonly block: Uint8Array;
  readonly transactions: readonly { readonly size: number; readonly bytes: Uint8Array }[];
  readonly receipt: Uint8Array;
  readonly hashes: readonly number[];
  readonly state: readonly (readonly [Uint8Array, Uint8Array | undefined])[];
  readonly accumulator: Uint8Array;
  readonly genesis: Uint8Array | undefined;
  readonly removedPending: readonly number[];
}

const value = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc.integer({ min: 1_900, max: 70_000 }).map((length) => new Uint8Array(length).fill(length % 251)),
);
const sequence = fc.integer({ min: 0, max: 5 });
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
  genesis: fc.option(value, { nil: undefined }),
  removedPending: fc.array(sequence, { maxLength: 4 }),
});

type Step =
  | { readonly kind: 'block' | 'refusedBlock'; readonly draft: Draft }
  | { readonly kind: 'addPending'; readonly bytes: Uint8Array }
  | { readonly kind: 'removePending'; readonly sequences: readonly number[] }
  | { readonly kind: 'snapshot' | 'reopening' };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('block' as const), draft }) },
  fc.record({ kind: fc.constant('refusedBlock' as const), draft }),
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('addPending' as const), bytes: value }) },
  fc.record({ kind: fc.constant('removePending' as const), sequences: fc.array(sequence, { maxLength: 3 }) }),
  fc.record({ kind: fc.constantFrom('snapshot' as const, 'reopening' as const) }),
);

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
  readonly pending = new Map<number, Uint8Array>();
  nextSequence = 0;

  copy(): Model {
    const copy = new Model();
    for (const [key, entry] of this.state) copy.state.set(key, entry);
    for (const [payer, count] of this.counts) copy.counts.set(payer, count);
    for (const [number, record] of this.pending) copy.pending.set(number, record);
    copy.commits.push(...this.commits);
    return copy;
  }

  next({ block, transactions, receipt, hashes, state, accumulator, ...draft }: Draft): BlockCommit {
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
      genesis: this.commits.length === 0 ? draft.genesis : undefined,
      removedPending: draft.removedPending,
    };
  }

  add(commit: BlockCommit, payers: readonly number[]): void {
    this.commits.push(commit);
    for (const payer of payers) this.counts.set(payer, (this.counts.get(payer) ?? 0) + 1);
    for (const { key, after } of commit.state) {
      if (after === undefined) this.state.delete(String(key));
      else this.state.set(String(key), { key, value: after });
    }
    for (const gone of commit.removedPending ?? []) this.pending.delete(gone);
  }

  positions(hash: OperationHash): { block: number; index: number }[] {
    return this.commits.flatMap((commit) =>
      commit.operationHashes.flatMap((other, index) =>
        compareBytes(other, hash) === 0 ? [{ block: commit.number, index }] : [],
      ),
    );
  }
}

function expectEqual(store: StoreReader, model: Model): void {
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
  expect(same(store.genesis(), model.commits[0]?.genesis)).toBe(true);
  const pending = [...store.pendingTransactions()];
  expect(pending.map((record) => record.sequence)).toEqual([...model.pending.keys()]);
  expect(pending.every((record) => same(record.bytes, model.pending.get(record.sequence)))).toBe(true);
  for (const commit of model.commits) expectBlock(store, commit);
}

function expectBlock(store: StoreReader, { number, block, transactions, receipts }: BlockCommit): void {
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

/** A store and its model, to which the same things happen. */
class Pair {
  readonly model = new Model();
  readonly folder: string;
  readonly #snapshots: { readonly store: StoreReader; readonly model: Model }[] = [];
  #store: Store;

  constructor() {
    this.folder = mkdtempSync(join(tmpdir(), 'ledgerd-test-'));
    this.#store = this.#open();
  }

  async take(step: Step): Promise<void> {
    const { model } = this;
    if (step.kind === 'block') {
      const commit = model.next(step.draft);
      this.#store.commitBlock(commit);
      model.add(commit, step.draft.hashes.slice(0, commit.receipts.length));
    } else if (step.kind === 'refusedBlock') {
      const unwritable = { key: new Uint8Array(2_000), before: undefined, after: bytes(1) };
      const commit = model.next(step.draft);
      const bad = { ...commit, state: [...commit.state, unwritable] };
      expect(() => this.#store.commitBlock(bad)).toThrow('the database refused to write');
    } else if (step.kind === 'addPending') {
      const added = this.#store.addPending(step.bytes);
      expect(added).toBe(model.nextSequence);
      model.pending.set(added, step.bytes);
      model.nextSequence = added + 1;
    } else if (step.kind === 'removePending') {
      this.#store.removePending(step.sequences);
      for (const gone of step.sequences) model.pending.delete(gone);
    } else if (step.kind === 'snapshot') {
      this.#snapshots.push({ store: this.#store.snapshot(), model: model.copy() });
    } else {
      await this.#reopen();
    }
    this.compare();
  }

  compare(): void {
    for (const { store, model } of [...this.#snapshots, { store: this.#store, model: this.model }]) {
      expectEqual(store, model);
    }
  }

  /** A copy must hold the same, and no page of either file may be lost or used twice. */
  async compareBackup(): Promise<void> {
    const folder = join(this.folder, 'copy');
    await this.#store.backup(folder);
    const copy = openStore({ path: folder, durable: false });
    expectEqual(copy, this.model);
    copy.commitBlock(commitOf({ number: this.model.commits.length }));
    await copy.close();
    for (const file of [folder, this.folder]) {
      expect(auditPages(join(file, 'ledger.mdb')).conflicts).toEqual([]);
    }
  }

  async end(): Promise<void> {
    await this.#store.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #open(): Store {
    return openStore({ path: this.folder, durable: false });
  }

  async #reopen(): Promise<void> {
    await this.#store.close();
    this.#snapshots.length = 0;
    this.#store = this.#open();
    this.model.nextSequence = Math.max(-1, ...this.model.pending.keys()) + 1;
  }
}

test('behavior: whatever happens to a store, refused blocks among it, it reads like plain maps', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const pair = new Pair();
      try {
        for (const taken of steps) await pair.take(taken);
        await pair.compareBackup();
      } finally {
        await pair.end();
      }
    }),
    { numRuns: 60 },
  );
});
