import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { bytesToHex, type Hash } from '../../protocol/index.ts';
import { openStore, type Store, StoreError } from '../../store/index.ts';
import { ChainDamagedError, type Ledger, type RefusedError } from '../index.ts';
import {
  accountAt,
  addressAt,
  createContract,
  GENESIS_TIME,
  keyAt,
  openTestLedger,
  rootByScan,
  sign,
  TEST_BALANCE,
  transfer,
  transported,
} from '../ledger.testing.ts';
import type { LedgerOptions } from '../ledger.ts';
import { PENDING_BYTES_MAX, PENDING_GAS_MAX } from './pool-index.ts';

vi.mock('./pool-index.ts', async (original) => ({
  ...(await original<typeof import('./pool-index.ts')>()),
  PENDING_BYTES_MAX: 5_000,
  PENDING_GAS_MAX: 200_000n,
}));

let folder: string;
const stores: Store[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerd-pending-'));
});

afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
  rmSync(folder, { recursive: true });
});

function openFolder(name = 'chain'): Store {
  const store = openStore({ path: join(folder, name), durable: true });
  stores.push(store);
  return store;
}

/** Opens a ledger on the folder, as at the start of a node. */
async function start(options: Partial<LedgerOptions> = {}, now = GENESIS_TIME) {
  const store = options.store ?? openFolder();
  const clock = { now: () => now };
  const opened = await openTestLedger({ mining: 'manual', clock, ...options, store });
  return { ...opened, store };
}

/** The same after everything was closed. */
async function restart(options: Partial<LedgerOptions> = {}, now = GENESIS_TIME) {
  for (const store of stores.splice(0)) await store.close();
  return start(options, now);
}

function pay(ledger: Ledger, amount: bigint, from = 0, expiration = GENESIS_TIME + 60): Hash {
  const to = accountAt((from + 1) % 4);
  return ledger.pool.submit(sign(ledger, [transfer(from, to, amount)], [keyAt(from)], { expiration })).hash;
}

const hashesOf = (ledger: Ledger): string[] =>
  ledger.pool.pendingOperations().map(({ hash }) => bytesToHex(hash));

const storedCount = (store: Store): number => [...store.pendingTransactions()].length;

/** Returns a store whose write methods can be made to fail, as on a full disk. */
function failingStore(store: Store): { store: Store; failing: Set<keyof Store> } {
  const failing = new Set<keyof Store>();
  const proxy = new Proxy(store, {
    get(target, name: keyof Store) {
      if (failing.has(name)) throw new StoreError('STORE_COMMIT_FAILED', 'no space left on device');
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
  return { store: proxy, failing };
}

describe('together', () => {
  test('default: listeners are notified once all are stored', async () => {
    const { ledger, store } = await start();
    const seen: string[] = [];
    ledger.pool.onAccepted(([hash]) => seen.push(hash === undefined ? '' : bytesToHex(hash)));
    ledger.pool.onPending(() => seen.push(`${storedCount(store)} stored`));
    const hashes = ledger.pool.together(() => {
      const sent = [pay(ledger, 1n), pay(ledger, 2n)];
      expect(seen).toEqual([]);
      return sent.map(bytesToHex);
    });
    expect(seen).toEqual([hashes[0], '2 stored', hashes[1], '2 stored']);
    expect(hashesOf((await restart()).ledger)).toEqual(hashes);
  });

  test('error: if the commit fails, none of them is pending, and nothing is announced', async () => {
    const real = openFolder();
    let isGroup = false;
    const store = new Proxy(real, {
      get(target, name: keyof Store) {
        if (name === 'together') {
          return (action: () => unknown) => {
            isGroup = true;
            action();
            isGroup = false;
            throw new StoreError('STORE_COMMIT_FAILED', 'no space left on device');
          };
        }
        if (name === 'addPending' && isGroup) return () => 1_000;
        const member: unknown = Reflect.get(target, name);
        return typeof member === 'function' ? member.bind(target) : member;
      },
    });
    const { ledger } = await start({ store });
    const before = bytesToHex(pay(ledger, 1n));
    const seen: unknown[] = [];
    ledger.pool.onAccepted((hashes) => seen.push(hashes));
    const all = (): void => void [2n, 3n].map((amount) => pay(ledger, amount));
    expect(() => ledger.pool.together(all)).toThrow('no space left on device');
    expect(seen).toEqual([]);
    expect(hashesOf(ledger)).toEqual([before]);
    expect(bytesToHex(pay(ledger, 2n))).toMatch(/^[0-9a-f]+$/);
    expect(ledger.miner.mine().operationCount).toBe(2);
  });
});

describe('a restart', () => {
  test('default: pending transactions are pending again, in order and executed on top of each other', async () => {
    const before = await start();
    const hashes = [1n, 2n, TEST_BALANCE / 2n].map((amount) => bytesToHex(pay(before.ledger, amount)));
    expect(storedCount(before.store)).toBe(3);

    const { ledger, store } = await restart();
    expect(ledger.pool.droppedOnOpen).toEqual([]);
    expect(ledger.pool.pendingCount).toBe(3);
    expect(hashesOf(ledger)).toEqual(hashes);
    expect(() => pay(ledger, TEST_BALANCE / 2n - 1n)).toThrow('insufficient funds');
    hashes.push(bytesToHex(pay(ledger, 3n)));
    const other = await restart();
    expect(hashesOf(other.ledger)).toEqual(hashes);

    expect(other.ledger.miner.mine().operationCount).toBe(4);
    expect(store).not.toBe(other.store);
    expect(storedCount(other.store)).toBe(0);
    expect(other.ledger.accounts.balanceOf(addressAt(1))).toBe(TEST_BALANCE + 6n + TEST_BALANCE / 2n);
    expect((await restart()).ledger.pool.pendingCount).toBe(0);
  });

  test('behavior: without a genesis the stored one is used, its time included', async () => {
    const first = await start();
    const { ledger } = await restart({ genesis: undefined });
    expect(ledger.parameters.genesis).toEqual(first.ledger.parameters.genesis);
    expect(ledger.parameters.chainId).toEqual(first.ledger.parameters.chainId);
    expect(ledger.blocks.head()).toEqual(first.ledger.blocks.head());
    const later = { ...first.ledger.parameters.genesis, timestamp: GENESIS_TIME + 9 };
    expect((await restart({ genesis: later })).ledger.parameters.genesis.timestamp).toBe(GENESIS_TIME);
  });

  test('behavior: transactions that became invalid are dropped, reported and deleted', async () => {
    const { ledger, store } = await start();
    pay(ledger, 1n, 0, GENESIS_TIME + 5);
    const kept = bytesToHex(pay(ledger, 2n, 1));
    const short = ledger.pool.pendingOperations()[0]?.transaction;
    const elsewhere = await start({ store: openFolder('other') }, GENESIS_TIME + 10);
    elsewhere.ledger.miner.mine();
    ledger.chain.importBlock(transported(elsewhere.ledger, 1));
    // A dropped transaction leaves the store with the next block, which this test does not make.
    expect(hashesOf(ledger)).toEqual([kept]);
    expect(storedCount(store)).toBe(2);

    const again = await restart();
    expect(again.ledger.pool.droppedOnOpen.map(({ error }) => error.reason.code)).toEqual(['expired']);
    expect(again.ledger.pool.droppedOnOpen[0]?.transaction.expiration).toBe(short?.expiration);
    expect(hashesOf(again.ledger)).toEqual([kept]);
    expect(storedCount(again.store)).toBe(1);
  });

  test('behavior: with instant production, pending transactions are included immediately', async () => {
    const { ledger } = await start();
    pay(ledger, 1n);
    pay(ledger, 2n, 0, GENESIS_TIME + 70);
    const instant = await restart({ mining: 'instant' });
    expect(instant.ledger.blocks.head()).toMatchObject({ number: 1, operationCount: 2 });
    expect(instant.ledger.pool.pendingCount).toBe(0);
    expect(storedCount(instant.store)).toBe(0);
  });

  test('behavior: a node that does not produce blocks keeps pending transactions', async () => {
    const { ledger } = await start();
    const hash = bytesToHex(pay(ledger, 1n));
    const follower = await restart({ mining: 'none', keys: [] });
    expect(hashesOf(follower.ledger)).toEqual([hash]);
    expect(hashesOf((await restart()).ledger)).toEqual([hash]);
  });

  test('error: a record that is no transaction', async () => {
    const { store } = await start();
    store.addPending(Uint8Array.of(1, 2, 3));
    await expect(restart()).rejects.toThrow(ChainDamagedError);
    await expect(restart()).rejects.toThrow('the pending transaction');
  });
});

test('error: more bytes than the pool limit', async () => {
  const { ledger, store } = await start();
  let bytes = 0;
  const fill = (): void => {
    for (let amount = 1n; ; amount += 1n) {
      pay(ledger, amount);
      const sizes = Array.from(store.pendingTransactions(), (record) => record.bytes.length);
      bytes = sizes.reduce((sum, size) => sum + size, 0);
    }
  };
  expect(fill).toThrow(`${PENDING_BYTES_MAX} bytes`);
  expect(bytes).toBeLessThanOrEqual(PENDING_BYTES_MAX);
  expect(bytes).toBeGreaterThan(PENDING_BYTES_MAX - 500);
  const { operationCount } = ledger.miner.mine();
  expect(operationCount).toBeGreaterThan(10);
  expect(fill).toThrow('the pending pool is full');
  expect(ledger.pool.pendingCount).toBe(operationCount);
});

describe('leaving the store', () => {
  test('behavior: with the block that includes or refuses them', async () => {
    const { ledger, store } = await start();
    pay(ledger, TEST_BALANCE - 20n);
    pay(ledger, 1n, 1);
    expect(storedCount(store)).toBe(2);
    // The sender cannot pay for the first one any more.
    ledger.pool.submitInOwnBlock(sign(ledger, [transfer(0, accountAt(3), 5n)], [keyAt(0)]));
    expect(ledger.pool.pendingCount).toBe(1);
    ledger.miner.mine();
    expect(ledger.pool.pendingCount).toBe(0);
    expect(storedCount(store)).toBe(0);
  });

  test('behavior: with an imported block that includes them', async () => {
    const here = await start();
    const there = await start({ store: openFolder('other') });
    const transaction = sign(here.ledger, [transfer(0, accountAt(1), 1n)], [keyAt(0)]);
    here.ledger.pool.submit(transaction);
    there.ledger.pool.submitInOwnBlock(transaction);
    here.ledger.chain.importBlock(transported(there.ledger, 1));
    expect(here.ledger.pool.pendingCount).toBe(0);
    expect(storedCount(here.store)).toBe(0);
  });

  test('behavior: a transaction that instant production includes immediately is not stored', async () => {
    const { ledger, store } = await start({ mining: 'instant' });
    pay(ledger, 1n);
    expect(ledger.blocks.head().operationCount).toBe(1);
    expect(storedCount(store)).toBe(0);
  });
});

describe('a store that cannot write', () => {
  test('behavior: a transaction is refused, and one after it is not executed on top of it', async () => {
    const { store, failing } = failingStore(openFolder());
    const { ledger } = await start({ store });
    failing.add('addPending');
    expect(() => pay(ledger, TEST_BALANCE - 20n)).toThrow('no space left');
    expect(ledger.pool.pendingCount).toBe(0);
    failing.clear();
    pay(ledger, TEST_BALANCE - 20n);
    expect(ledger.miner.mine().operationCount).toBe(1);
  });

  test('behavior: block production fails, transactions stay pending, and the next attempt succeeds', async () => {
    const { store, failing } = failingStore(openFolder());
    const { ledger } = await start({ store });
    const notified: number[] = [];
    ledger.chain.onBlock(({ number }) => notified.push(number));
    pay(ledger, 7n);
    const root = rootByScan(store);
    failing.add('commitBlock');
    expect(() => ledger.miner.mine()).toThrow('no space left');
    expect(ledger.blocks.head().number).toBe(0);
    expect(ledger.accounts.balanceOf(addressAt(1))).toBe(TEST_BALANCE);
    expect(rootByScan(store)).toEqual(root);
    expect(ledger.pool.pendingCount).toBe(1);
    pay(ledger, 1n, 1);
    failing.clear();
    expect(ledger.miner.mine()).toMatchObject({ number: 1, operationCount: 2 });
    expect(bytesToHex(rootByScan(store))).toBe(ledger.blocks.head().header.vmRoot[0]?.slice(0, 64));
    expect(notified).toEqual([1]);
  });
});

describe('a pause of writes', () => {
  const refusalOf = (action: () => unknown): RefusedError['reason'] => {
    try {
      action();
    } catch (error) {
      return (error as RefusedError).reason;
    }
    throw new RangeError('it was done');
  };

  test('default: writes are refused with the reason, and reads continue', async () => {
    const { ledger, store } = await start({ mining: 'interval' });
    const other = await start({ store: openFolder('other') });
    other.ledger.miner.mine();
    const transaction = sign(ledger, [transfer(0, accountAt(1), 1n)], [keyAt(0)]);
    ledger.chain.pauseWrites('the disk is full');
    const paused = { code: 'writesPaused', reason: 'the disk is full' };
    expect(refusalOf(() => ledger.pool.submit(transaction))).toEqual(paused);
    expect(refusalOf(() => ledger.pool.submitInOwnBlock(transaction))).toEqual(paused);
    expect(refusalOf(() => ledger.miner.mine())).toEqual(paused);
    expect(refusalOf(() => ledger.chain.importBlock(transported(other.ledger, 1)))).toEqual(paused);
    expect(ledger.accounts.balanceOf(addressAt(0))).toBe(TEST_BALANCE);
    expect([ledger.blocks.head().number, storedCount(store)]).toEqual([0, 0]);
    expect(ledger.miner.isMining()).toBe(false);
    ledger.chain.resumeWrites();
    expect(ledger.miner.isMining()).toBe(true);
    ledger.pool.submit(transaction);
    expect(ledger.miner.mine().operationCount).toBe(1);
  });

  test('behavior: with instant production its end includes pending transactions in a block', async () => {
    const { ledger } = await start({ mining: 'instant' });
    ledger.miner.stopMining();
    pay(ledger, 1n);
    ledger.chain.pauseWrites('no room');
    ledger.miner.startMining();
    expect(ledger.blocks.head().number).toBe(0);
    ledger.chain.resumeWrites();
    expect(ledger.blocks.head()).toMatchObject({ number: 1, operationCount: 1 });
  });
});

test('error: more gas than the pool limit', async () => {
  const { ledger } = await start();
  const deploy = (index: number): void => {
    // Gas that a creation offers beyond its use does not count.
    const operation = createContract(0, '00', BigInt(index));
    ledger.pool.submit(sign(ledger, [operation], [keyAt(0)]));
  };
  const used = (): bigint => {
    const { number, operationCount } = ledger.miner.mine();
    const receipts = Array.from({ length: operationCount }, (_, index) =>
      ledger.blocks.receiptOf(number, index),
    );
    return receipts.reduce((sum, receipt) => sum + (receipt?.gasUsed ?? 0n), 0n);
  };
  let index = 0;
  const fill = (): void => {
    for (; ; index += 1) deploy(index);
  };
  expect(fill).toThrow(`and ${PENDING_GAS_MAX} gas, and it evicts`);
  expect(() => pay(ledger, 1n)).toThrow('the pending pool is full');
  const gas = used();
  expect(gas).toBeGreaterThanOrEqual(PENDING_GAS_MAX);
  expect(gas).toBeLessThan(PENDING_GAS_MAX + 60_000n);
  expect(fill).toThrow('the pending pool is full');
});
