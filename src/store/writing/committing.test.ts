import { afterEach, describe, expect, test } from 'vitest';
import type { Address } from '../../protocol/index.ts';
import { stateKey } from '../index.ts';
import { addressOf, bytes, commitOf, hashOf, storeErrorOf, TestFolders } from '../store.testing.ts';

const folders = new TestFolders();
afterEach(() => folders.clean());

const account = stateKey.account(addressOf(1));

describe('the number of a block', () => {
  test.each([1, -1, 0.5, 2 ** 32])('error: %d in an empty store', (number) => {
    const store = folders.open();
    const error = storeErrorOf(() => store.commitBlock(commitOf({ number })));
    expect(error.code).toBe('STORE_WRONG_NUMBER');
    expect(error.message).toBe(`block ${number} can't be stored: the next block is 0`);
    expect(store.head()).toBeUndefined();
  });

  test.each([0, 1, 3])('error: %d after block 1', (number) => {
    const store = folders.open();
    for (const earlier of [0, 1]) store.commitBlock(commitOf({ number: earlier }));
    const before = [...store.tables()];
    expect(storeErrorOf(() => store.commitBlock(commitOf({ number }))).code).toBe('STORE_WRONG_NUMBER');
    expect([...store.tables()]).toEqual(before);
  });
});

describe('the parts of a block', () => {
  const transaction = (firstOperation: number) => ({ firstOperation, bytes: bytes(1) });
  const operations = (count: number) => ({
    receipts: Array.from({ length: count }, () => bytes(1)),
    operationHashes: Array.from({ length: count }, () => hashOf(1)),
  });

  test.each([
    ['receipts without hashes', { receipts: [bytes(1)], transactions: [transaction(0)] }],
    ['operations without a transaction', operations(2)],
    ['a first transaction that begins later', { ...operations(2), transactions: [transaction(1)] }],
    ['two transactions at one place', { ...operations(2), transactions: [transaction(0), transaction(0)] }],
    ['a wrong order', { ...operations(3), transactions: [transaction(0), transaction(2), transaction(1)] }],
    [
      'a transaction beyond the operations',
      { ...operations(1), transactions: [transaction(0), transaction(1)] },
    ],
    ['a transaction without operations', { transactions: [transaction(0)] }],
    ['a broken index', { ...operations(2), transactions: [transaction(0), transaction(0.5)] }],
  ])('error: %s', (_, parts) => {
    const store = folders.open();
    const error = storeErrorOf(() => store.commitBlock(commitOf({ number: 0, ...parts })));
    expect(error.code).toBe('STORE_INVALID_COMMIT');
    expect(store.head()).toBeUndefined();
  });
});

describe('blocks that are stored together', () => {
  test('default: the result equals that of separate commits', () => {
    const [one, other] = [folders.open(), folders.open()];
    for (const store of [one, other]) store.commitBlock(commitOf({ number: 0 }));
    one.inOneCommit(3, () => {
      for (const number of [1, 2, 3]) one.commitBlock(commitOf({ number }));
      expect(one.head()).toBe(3);
    });
    for (const number of [1, 2, 3]) other.commitBlock(commitOf({ number }));
    expect([...one.tables()]).toEqual([...other.tables()]);
  });

  test('error: none of them is there when one cannot be stored, and the next one can', () => {
    const store = folders.open();
    store.commitBlock(commitOf({ number: 0 }));
    const before = [...store.tables()];
    const storing = (): void =>
      store.inOneCommit(2, () => {
        for (const number of [1, 3]) store.commitBlock(commitOf({ number }));
      });
    expect(storeErrorOf(storing).code).toBe('STORE_WRONG_NUMBER');
    expect([...store.tables()]).toEqual(before);
    store.commitBlock(commitOf({ number: 1 }));
    expect(store.head()).toBe(1);
  });
});

describe('a commit that the database refuses', () => {
  const first = commitOf({
    number: 0,
    payers: [addressOf(1)],
    state: [{ key: account, before: undefined, after: bytes(1) }],
  });
  const good = { key: account, before: bytes(1), after: bytes(2) };
  const failing = {
    number: 1,
    transactions: [{ firstOperation: 0, bytes: bytes(1) }],
    receipts: [bytes(1)],
    operationHashes: [hashOf(1)],
    payers: [addressOf(1)],
  };

  test.each([
    ['a key that is too long', new Uint8Array(3_000)],
    ['an empty key', bytes()],
  ])('error: %s leaves everything as it was', (_, key) => {
    const store = folders.open();
    store.commitBlock(first);
    const before = [...store.tables()];
    const state = [good, { key, before: undefined, after: bytes(1) }, good];
    const error = storeErrorOf(() => store.commitBlock(commitOf({ ...failing, state })));
    expect(error.code).toBe('STORE_COMMIT_FAILED');
    expect([...store.tables()]).toEqual(before);
    store.commitBlock(commitOf({ ...failing, state: [good] }));
    expect(store.state(account)).toEqual(bytes(2));
    expect(store.operationCount(addressOf(1))).toBe(2);
  });

  test('error: a rejected write to the last table rolls back all earlier ones', async () => {
    const store = folders.open();
    store.commitBlock(first);
    const before = [...store.tables()];
    // No address has this length: LMDB refuses it as a key, after everything else was put.
    const payers = [addressOf(1), new Uint8Array(3_000) as Address];
    expect(storeErrorOf(() => store.commitBlock(commitOf({ ...failing, state: [good], payers }))).code).toBe(
      'STORE_COMMIT_FAILED',
    );
    expect([...store.tables()]).toEqual(before);
    await store.close();
    expect([...folders.open({ path: store.path }).tables()]).toEqual(before);
  });
});

describe('the genesis record', () => {
  test('default', async () => {
    const store = folders.open();
    expect(store.genesis()).toBeUndefined();
    store.commitBlock(commitOf({ number: 0, genesis: new Uint8Array(100_000).fill(7) }));
    store.commitBlock(commitOf({ number: 1 }));
    await store.close();
    const genesis = folders.open({ path: store.path }).genesis();
    expect(Buffer.compare(genesis ?? bytes(), new Uint8Array(100_000).fill(7))).toBe(0);
  });

  test('behavior: a chain may do without', () => {
    const store = folders.open();
    store.commitBlock(commitOf({ number: 0 }));
    expect(store.genesis()).toBeUndefined();
  });

  test('error: with a later block', () => {
    const store = folders.open();
    store.commitBlock(commitOf({ number: 0, genesis: bytes(1) }));
    const error = storeErrorOf(() => store.commitBlock(commitOf({ number: 1, genesis: bytes(2) })));
    expect(error.code).toBe('STORE_INVALID_COMMIT');
    expect([store.head(), store.genesis()]).toEqual([0, bytes(1)]);
  });
});
