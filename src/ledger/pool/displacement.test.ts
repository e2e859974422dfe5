import { describe, expect, test, vi } from 'vitest';
import { bytesToHex, type Hash, senderAddress } from '../../protocol/index.ts';
import { openStore, type Store } from '../../store/index.ts';
import {
  ETHEREUM_BALANCE,
  ethereumAddress,
  ethereumGenesis,
  noncesOf,
  refusalBy,
  sendBy,
} from '../ethereum.testing.ts';
import type { DroppedTransaction, Ledger } from '../index.ts';
import {
  accountAt,
  GENESIS_TIME,
  keyAt,
  openTestLedger,
  sign,
  TEST_BALANCE,
  transfer,
} from '../ledger.testing.ts';
import { FairShares } from './fair-shares.ts';
import { PENDING_TRANSACTIONS_MAX } from './pool-index.ts';
import { QUEUED_MAX, QUEUED_OF_SENDER_MAX } from './pool-limits.ts';

vi.mock('./pool-index.ts', async (original) => ({
  ...(await original<typeof import('./pool-index.ts')>()),
  PENDING_TRANSACTIONS_MAX: 1_100,
}));

const SENDERS = QUEUED_MAX / QUEUED_OF_SENDER_MAX;

/**
 * Opens a ledger without instant production, with a key for each sender and one more. Collects dropped transactions.
 */
async function openOnDemand(store?: Store) {
  const accounts = Array.from({ length: SENDERS + 2 }, (_, index) => ({
    address: ethereumAddress(index),
    balance: ETHEREUM_BALANCE,
  }));
  const genesis = ethereumGenesis({ accounts });
  const opened = await openTestLedger({ genesis, mining: 'manual', ...(store && { store }) });
  const dropped: DroppedTransaction[] = [];
  opened.ledger.pool.onDropped((one) => dropped.push(one));
  return { ...opened, dropped };
}

const storedCount = (store: Store): number => [...store.pendingTransactions()].length;

const codesOf = (dropped: readonly DroppedTransaction[]) => [
  ...new Set(dropped.map(({ error }) => error.reason.code)),
];

function droppedNonces(dropped: readonly DroppedTransaction[]): bigint[] {
  return dropped.flatMap(({ transaction: { operations } }) =>
    operations.flatMap((one) => (one.type === 'ethereumTransaction' ? [one.innerTransaction.nonce] : [])),
  );
}

/** Returns the number of pending and queued operations by the sender's address. */
function countsOf(ledger: Ledger): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { operation } of [...ledger.pool.pendingOperations(), ...ledger.pool.queuedOperations()]) {
    const sender = bytesToHex(senderAddress(operation));
    counts[sender] = (counts[sender] ?? 0) + 1;
  }
  return counts;
}

function pay(ledger: Ledger, from: number, amount: bigint): Hash {
  const transaction = sign(ledger, [transfer(from, accountAt((from + 1) % 4), amount)], [keyAt(from)], {
    expiration: GENESIS_TIME + 600,
  });
  return ledger.pool.submit(transaction).hash;
}

describe('shares', () => {
  test('default: returns the largest holder, and on a tie the one that reached that share first', () => {
    const shares = new FairShares();
    expect([shares.total, shares.largest(), shares.hasClaim('a', 1)]).toEqual([0, undefined, false]);
    for (const holder of ['a', 'b', 'c', 'b', 'c', 'a']) shares.change(holder, 1);
    expect([shares.total, shares.of('a'), shares.largest()]).toEqual([6, 2, 'b']);
    shares.change('a', 1);
    expect([shares.largest(), shares.hasClaim('b', 1), shares.hasClaim('d', 1)]).toEqual(['a', false, true]);
    shares.change('a', -3);
    expect([shares.largest(), shares.of('a'), shares.total]).toEqual(['b', 0, 4]);
    for (const holder of ['b', 'b', 'c', 'c']) shares.change(holder, -1);
    expect([shares.largest(), shares.total]).toEqual([undefined, 0]);
  });

  test('behavior: amounts of one level are equal', () => {
    const shares = new FairShares((amount) => 32 - Math.clz32(amount));
    shares.change('a', 1_000);
    shares.change('b', 1_023);
    expect(shares.largest()).toBe('a');
    shares.change('b', 1);
    expect([shares.largest(), shares.hasClaim('a', 23), shares.hasClaim('a', 24)]).toEqual([
      'b',
      true,
      false,
    ]);
  });
});

describe('transactions behind a nonce gap', () => {
  test('default: senders that fill the queue are evicted for an honest one, the largest first', async () => {
    const { ledger, store, dropped } = await openOnDemand();
    for (let key = 0; key < SENDERS; key += 1) {
      for (let index = 0; index < QUEUED_OF_SENDER_MAX; index += 1) {
        sendBy(key, ledger, { nonce: 10n + BigInt(index), value: 1n });
      }
    }
    expect(ledger.pool.queuedOperations()).toHaveLength(QUEUED_MAX);
    const honest: Hash[] = [];
    for (const nonce of [4n, 2n, 3n, 1n]) honest.push(sendBy(SENDERS, ledger, { nonce }));
    expect(ledger.pool.queuedOperations()).toHaveLength(QUEUED_MAX);
    expect(codesOf(dropped)).toEqual(['displaced']);
    expect(droppedNonces(dropped)).toEqual([10n, 10n, 10n, 10n]);
    expect(storedCount(store)).toBe(QUEUED_MAX);
    honest.push(sendBy(SENDERS, ledger, { nonce: 0n }));
    ledger.pool.refreshPending(Number.POSITIVE_INFINITY);
    const ready = ledger.pool.pendingOperations();
    expect(noncesOf(ready)).toEqual([0n, 1n, 2n, 3n, 4n]);
    expect(countsOf(ledger)[bytesToHex(ethereumAddress(0))]).toBe(QUEUED_OF_SENDER_MAX - 1);
    expect(ledger.miner.mine().operationCount).toBe(5);
    for (const hash of honest) expect(ledger.pool.findOperation(hash)?.kind).toBe('included');

    sendBy(SENDERS, ledger, { nonce: 9n });
    const again = await openOnDemand(store);
    again.ledger.pool.refreshPending(Number.POSITIVE_INFINITY);
    expect(countsOf(again.ledger)).toEqual(countsOf(ledger));
    expect(again.ledger.pool.queuedOperations()).toHaveLength(QUEUED_MAX - 3);
  });

  test('error: a sender with the largest share when the queue is full', async () => {
    const { ledger, dropped } = await openOnDemand();
    for (let key = 0; key < SENDERS; key += 1) {
      for (let index = 0; index < QUEUED_OF_SENDER_MAX; index += 1) {
        sendBy(key, ledger, { nonce: 10n + BigInt(index) });
      }
    }
    expect(refusalBy(0, ledger, { nonce: 1n })).toMatch(/^txpool is full: at most 64 transactions/);
    expect(dropped).toEqual([]);
    const hash = sendBy(SENDERS + 1, ledger, { nonce: 1n });
    expect(ledger.pool.findOperation(hash)?.kind).toBe('pending');
  });
});

describe('the pool', () => {
  test('default: an account that fills the pool loses transactions to others, and cannot add any', async () => {
    const { ledger, store, dropped } = await openOnDemand();
    const hashes: Hash[] = [];
    for (let amount = 1n; amount <= PENDING_TRANSACTIONS_MAX; amount += 1n)
      hashes.push(pay(ledger, 0, amount));
    expect(() => pay(ledger, 0, 20_000n)).toThrow(
      'the pending pool is full: its limits are 1100 transactions',
    );
    expect(dropped).toEqual([]);

    const other = pay(ledger, 1, 1n);
    const ethereum = sendBy(0, ledger);
    expect(ledger.pool.pendingCount).toBe(PENDING_TRANSACTIONS_MAX);
    expect(codesOf(dropped)).toEqual(['displaced']);
    expect(hashes.slice(0, 3).map((hash) => ledger.pool.findOperation(hash)?.kind)).toEqual([
      undefined,
      undefined,
      'pending',
    ]);
    expect(storedCount(store)).toBe(PENDING_TRANSACTIONS_MAX);

    const again = await openOnDemand(store);
    expect(again.ledger.pool.pendingCount).toBe(PENDING_TRANSACTIONS_MAX);
    again.ledger.pool.refreshPending(Number.POSITIVE_INFINITY);
    expect(again.dropped).toEqual([]);
    expect(() => pay(again.ledger, 0, 20_001n)).toThrow('the pending pool is full');
    const third = pay(again.ledger, 2, 1n);
    again.ledger.pool.refreshPending(Number.POSITIVE_INFINITY);
    const { ledger: last } = again;
    expect(last.pool.pendingCount).toBe(PENDING_TRANSACTIONS_MAX);
    while (last.pool.pendingCount > 0) last.miner.mine();
    for (const hash of [other, ethereum, third]) expect(last.pool.findOperation(hash)?.kind).toBe('included');
    expect(last.pool.findOperation(hashes[3] ?? other)?.kind).toBe('included');
  });

  test('behavior: the highest nonces of an Ethereum sender are evicted, and the rest stays valid', async () => {
    const { ledger, dropped } = await openOnDemand();
    for (let nonce = 0n; nonce < PENDING_TRANSACTIONS_MAX; nonce += 1n)
      sendBy(0, ledger, { nonce, maxPriorityFeePerGas: 0n });
    pay(ledger, 1, 1n);
    sendBy(1, ledger, { maxPriorityFeePerGas: 0n });
    expect(droppedNonces(dropped)).toEqual([1_099n, 1_098n]);
    ledger.pool.refreshPending(Number.POSITIVE_INFINITY);
    expect([ledger.pool.pendingCount, ledger.pool.queuedOperations().length]).toEqual([
      PENDING_TRANSACTIONS_MAX,
      0,
    ]);
    expect(ledger.pool.pending.nonceOf(ethereumAddress(0))).toBe(1_098n);
  });

  test('behavior: a refused transaction displaces none', async () => {
    const { ledger, store, dropped } = await openOnDemand();
    for (let amount = 1n; amount <= PENDING_TRANSACTIONS_MAX; amount += 1n) pay(ledger, 0, amount);
    expect(() => pay(ledger, 1, 2n * TEST_BALANCE)).toThrow('insufficient funds');
    expect([dropped.length, ledger.pool.pendingCount, storedCount(store)]).toEqual([
      0,
      PENDING_TRANSACTIONS_MAX,
      PENDING_TRANSACTIONS_MAX,
    ]);
  });

  test('error: a store write failure leaves the pool unchanged', async () => {
    const real = openStore({ durable: false });
    const failing = { on: false };
    const store = new Proxy(real, {
      get(target, name: keyof Store) {
        if (failing.on && name === 'addPending') throw new RangeError('no space left');
        const member: unknown = Reflect.get(target, name);
        return typeof member === 'function' ? member.bind(target) : member;
      },
    });
    const { ledger, dropped } = await openOnDemand(store);
    for (let amount = 1n; amount <= PENDING_TRANSACTIONS_MAX; amount += 1n) pay(ledger, 0, amount);
    failing.on = true;
    expect(() => pay(ledger, 1, 1n)).toThrow('no space left');
    failing.on = false;
    ledger.pool.refreshPending(Number.POSITIVE_INFINITY);
    expect([dropped.length, ledger.pool.pendingCount]).toEqual([0, PENDING_TRANSACTIONS_MAX]);
    expect(storedCount(real)).toBe(PENDING_TRANSACTIONS_MAX);
    await real.close();
  });
});
