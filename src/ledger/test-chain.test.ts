import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bytesToHex } from '../protocol/index.ts';
import { META_KEYS, openStore, type Store } from '../store/index.ts';
import { completeJob, type Job } from '../time/job.ts';
import { SYSTEM_TIMING } from './chain/clock.ts';
import { type DroppedTransaction, type Ledger, type SnapshotPart, TestChain, verifyState } from './index.ts';
import { accountAt, addressAt, keyAt, openTestLedger, sign, transfer } from './ledger.testing.ts';
import { ChainSnapshots, SNAPSHOTS_MAX } from './pool/chain-snapshots.ts';

let store: Store;
let ledger: Ledger;
let chain: TestChain;
let clock: { time: number };

beforeEach(async () => {
  ({ ledger, store, clock } = await openTestLedger({ mining: 'manual' }));
  chain = new TestChain(ledger, store);
});

afterEach(() => store.close());

const send = (amount: bigint, from = 0) =>
  ledger.pool.submit(sign(ledger, [transfer(from, accountAt(1), amount)], [keyAt(from)]));

/** Facts about the file, not about its content. */
const BESIDE = [META_KEYS.reorgCount, META_KEYS.snapshot, META_KEYS.restored].map((name) =>
  Buffer.from(name).toString('hex'),
);

/** Returns the content of the store except the snapshots and the reorganisation count. */
function content(): string[] {
  return [...store.tables()]
    .filter(
      ({ table, key }) => table !== 'snapshots' && !(table === 'meta' && BESIDE.includes(bytesToHex(key))),
    )
    .map(({ table, key, value }) => `${table} ${bytesToHex(key)} ${bytesToHex(value)}`);
}

describe('a snapshot', () => {
  test('default: chain, pool, clock and mining are restored, and the id is deleted', () => {
    send(1n);
    ledger.miner.mine();
    send(2n);
    ledger.clock.increaseTime(100);
    const before = {
      content: content(),
      settings: ledger.miner.settings,
      pending: ledger.pool.pendingOperations(),
    };
    const id = chain.takeSnapshot();
    ledger.miner.mine();
    send(3n);
    ledger.miner.mine();
    send(4n, 2);
    ledger.clock.increaseTime(1_000);
    ledger.miner.stopMining();
    expect(chain.revertToSnapshot(id, false)).toBe(true);
    expect({
      content: content(),
      settings: ledger.miner.settings,
      pending: ledger.pool.pendingOperations(),
    }).toEqual(before);
    expect([chain.revertToSnapshot(id, false), chain.snapshots]).toEqual([false, []]);
    ledger.miner.mine();
    expect([ledger.blocks.head().operationCount, ledger.blocks.head().header.timestamp]).toEqual([
      1,
      clock.time + 100,
    ]);
  });

  test('args: keep: it can be reverted to again, and later ones are deleted', () => {
    const balance = ledger.accounts.balanceOf(addressAt(1));
    const [first, later] = [chain.takeSnapshot(), chain.takeSnapshot()];
    for (let round = 0; round < 3; round += 1) {
      send(1n);
      ledger.miner.mine();
      expect(chain.revertToSnapshot(first, true)).toBe(true);
      expect([ledger.blocks.head().number, ledger.accounts.balanceOf(addressAt(1))]).toEqual([0, balance]);
    }
    expect(chain.snapshots).toEqual([{ id: first, block: 0 }]);
    expect(chain.revertToSnapshot(later, true)).toBe(false);
  });

  test('behavior: snapshots share pending transactions, also after reverts and between both', () => {
    const sizes = (): number[] => Array.from(store.chainSnapshots(), ({ bytes }) => bytes.length);
    for (let amount = 1n; amount <= 20n; amount += 1n) send(amount);
    const first = chain.takeSnapshot();
    const before = content();
    send(21n);
    const second = chain.takeSnapshot();
    const between = content();
    const third = chain.takeSnapshot();
    const [whole = 0, one = 0, none = 0] = sizes();
    expect([one < whole / 2, none < one]).toEqual([true, true]);
    ledger.pool.dropPending(() => true);
    // They get sequences of the dropped ones.
    send(30n);
    const fourth = chain.takeSnapshot();
    const after = content();
    for (const [id, expected] of [
      [fourth, after],
      [third, between],
      [second, between],
    ] as const) {
      expect(chain.revertToSnapshot(id, true)).toBe(true);
      expect(content()).toEqual(expected);
    }
    chain.takeSnapshot();
    expect(sizes().at(-1)).toBe(none);
    expect(chain.revertToSnapshot(second, false)).toBe(true);
    chain.takeSnapshot();
    expect(sizes().at(-1)).toBe(one);
    expect(chain.revertToSnapshot(first, false)).toBe(true);
    expect(content()).toEqual(before);
    chain.takeSnapshot();
    expect(sizes()).toEqual([whole]);
  });

  test('error: more bytes than the limit', () => {
    send(1n);
    const snapshots = new ChainSnapshots(store, 2_000);
    const add = (): number => snapshots.add(new Map([['part', 'x'.repeat(1_200)]]), 0);
    const id = add();
    expect(add).toThrow(
      'the snapshots of the chain would have more than 2000 bytes, which is the limit: revert',
    );
    expect(Array.from(store.chainSnapshots(), (one) => one.id)).toEqual([id]);
  });

  test('behavior: it survives a restart, and no id is used twice', async () => {
    const path = mkdtempSync(join(tmpdir(), 'ledgerd-test-'));
    const open = async (): Promise<void> => {
      await store.close();
      store = openStore({ path, durable: false });
      ({ ledger } = await openTestLedger({ store, mining: 'manual' }));
      chain = new TestChain(ledger, store);
    };
    await open();
    send(1n);
    const id = chain.takeSnapshot();
    ledger.miner.mine();
    await open();
    expect(chain.snapshots).toEqual([{ id, block: 0 }]);
    expect(chain.revertToSnapshot(id, false)).toBe(true);
    expect([ledger.blocks.head().number, ledger.pool.pendingCount]).toEqual([0, 1]);
    chain.reset();
    expect(chain.takeSnapshot()).toBe(id + 1);
    rmSync(path, { recursive: true });
  });

  test('behavior: a revert reports the pending transactions that it drops', () => {
    const dropped: DroppedTransaction[] = [];
    ledger.pool.onDropped((drop) => dropped.push(drop));
    send(1n);
    const id = chain.takeSnapshot();
    send(2n);
    chain.revertToSnapshot(id, false);
    expect(dropped.map(({ error }) => error.reason)).toEqual([{ code: 'chainReverted' }]);
    expect(ledger.pool.pendingCount).toBe(1);
    expect(() => send(1n)).toThrow('already known: the transaction is pending');
    send(2n);
    ledger.miner.mine();
    expect(ledger.blocks.head().operationCount).toBe(2);
  });

  test('args: parts: each restores its part of the snapshot, or the initial one', () => {
    let value: unknown;
    const part: SnapshotPart = {
      name: 'value',
      capture: () => value,
      restore: (held) => {
        value = held;
      },
    };
    chain = new TestChain(ledger, store, { parts: [part] });
    const first = chain.takeSnapshot();
    value = { of: ['test'] };
    const second = chain.takeSnapshot();
    value = 3;
    chain.revertToSnapshot(second, false);
    expect(value).toEqual({ of: ['test'] });
    chain.revertToSnapshot(first, false);
    expect(value).toBeUndefined();
  });

  test('error: the maximum number of snapshots exists', () => {
    for (let count = 0; count < SNAPSHOTS_MAX; count += 1) chain.takeSnapshot();
    expect(() => chain.takeSnapshot()).toThrow(
      `the chain has ${SNAPSHOTS_MAX} snapshots, which is the limit`,
    );
    expect(chain.revertToSnapshot(SNAPSHOTS_MAX, false)).toBe(true);
    expect(chain.takeSnapshot()).toBe(SNAPSHOTS_MAX + 1);
  });
});

describe('reverting in slices', () => {
  /** Returns the head, its reorganisation count and the content of the store except the number of the next snapshot. */
  const now = (): unknown => [ledger.blocks.head(), ledger.pool.pendingCount, content()];

  /** Opens a chain of a few blocks. Its revert plans stop after one record until `release` is called. */
  function openSlow(): { readonly first: number; readonly release: () => void } {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const planRevert = store.planRevert.bind(store);
    store.planRevert = (revert) => {
      const plan = planRevert(revert);
      const read = plan.read.bind(plan);
      plan.read = () => read(1);
      return plan;
    };
    const run = async <T>(job: Job<T>): Promise<T> => {
      const { done, value } = job.next(0);
      if (done === true) return value;
      await released;
      return completeJob(job);
    };
    chain = new TestChain(ledger, store, { run });
    ledger.miner.mine();
    const first = chain.takeSnapshot();
    return { first, release };
  }

  test('default: a revert in slices has the same result as a single revert', async () => {
    const { first, release } = openSlow();
    const before = now();
    send(1n);
    ledger.miner.mine();
    ledger.miner.mine();
    const reverted = chain.revertToSnapshot(first, true);
    expect(ledger.blocks.head().number).toBe(3);
    release();
    expect(await reverted).toBe(true);
    expect(now()).toEqual(before);
    await verifyState(store);
  });

  test('behavior: blocks and snapshots added meanwhile are reverted too', async () => {
    const { first, release } = openSlow();
    const before = now();
    ledger.miner.mine();
    const reverted = chain.revertToSnapshot(first, true);
    send(5n);
    ledger.miner.mine();
    chain.takeSnapshot();
    release();
    expect(await reverted).toBe(true);
    expect([now(), chain.snapshots]).toEqual([before, [{ id: first, block: 1 }]]);
  });

  test('behavior: another revert meanwhile, and other blocks with the same numbers', async () => {
    const { first, release } = openSlow();
    const before = now();
    ledger.miner.mine();
    const later = chain.takeSnapshot();
    send(5n);
    ledger.miner.mine();
    const [deep, gone] = [chain.revertToSnapshot(first, true), chain.revertToSnapshot(later, false)];
    ledger.chain.revertTo(1);
    send(7n);
    ledger.miner.mine();
    release();
    expect([await deep, await gone, chain.snapshots]).toEqual([true, false, [{ id: first, block: 1 }]]);
    expect(now()).toEqual(before);
    await verifyState(store);
  });

  /** Makes jobs run a step at a time, each after `step` was called. */
  function openStepped(): () => Promise<void> {
    const waiting: (() => void)[] = [];
    const run = async <T>(job: Job<T>): Promise<T> => {
      for (;;) {
        await new Promise<void>((resolve) => void waiting.push(resolve));
        const { done, value } = job.next(0);
        if (done === true) return value;
      }
    };
    chain = new TestChain(ledger, store, { run });
    return async () => {
      waiting.shift()?.();
      await new Promise((resolve) => void setImmediate(resolve));
    };
  }

  test('behavior: pending transactions are read in steps, between which a snapshot may be removed', async () => {
    const step = openStepped();
    for (let amount = 1n; amount <= 3n; amount += 1n) send(amount);
    const [first, second] = [chain.takeSnapshot(), chain.takeSnapshot()];
    const before = content();
    ledger.miner.mine();
    const ends: unknown[] = [];
    for (const id of [second, first]) {
      void Promise.resolve(chain.revertToSnapshot(id, true)).then((result) => ends.push([id, result]));
    }
    for (let count = 0; count < 3; count += 1) await step();
    expect(ends).toEqual([]);
    ledger.chain.revertTo(0, { snapshotsFrom: second, pending: [] });
    for (let count = 0; count < 12; count += 1) await step();
    expect(ends).toEqual([
      [second, false],
      [first, true],
    ]);
    expect(content()).toEqual(before);
  });

  test('behavior: a reorganisation in steps, which ends if the chain is reverted meanwhile', async () => {
    const step = openStepped();
    for (let count = 0; count < 4; count += 1) ledger.miner.mine();
    const former = ledger.blocks.head().id;
    const whole = Promise.resolve(chain.reorganize(3, () => []));
    for (const number of [2, 3, 4]) {
      await step();
      expect(ledger.blocks.head().number).toBe(number);
    }
    await whole;
    expect(ledger.blocks.head().id).not.toEqual(former);
    const ended = expect(chain.reorganize(3, () => [])).rejects.toThrow('the chain was reverted meanwhile');
    await step();
    ledger.chain.revertTo(1);
    await step();
    await ended;
    expect(ledger.blocks.head().number).toBe(1);
  });

  test('behavior: rollBack reverts no more blocks than requested', async () => {
    const { release } = openSlow();
    ledger.miner.mine();
    ledger.miner.mine();
    const rolled = chain.rollBack(1);
    ledger.chain.revertTo(1);
    release();
    await rolled;
    expect(ledger.blocks.head().number).toBe(1);
  });

  test('behavior: reset', async () => {
    const { release } = openSlow();
    const reset = chain.reset();
    ledger.miner.mine();
    release();
    await reset;
    expect([ledger.blocks.head().number, chain.snapshots]).toEqual([0, []]);
  });
});

describe('rolling back', () => {
  test('default: rollBack keeps pending transactions, the clock, and snapshots of the remaining blocks', () => {
    chain.takeSnapshot();
    ledger.miner.mine();
    chain.takeSnapshot();
    ledger.miner.mine();
    send(1n);
    ledger.clock.increaseTime(9);
    chain.rollBack(2);
    expect([ledger.blocks.head().number, ledger.pool.pendingCount, ledger.clock.timing.ahead]).toEqual([
      0, 1, 9,
    ]);
    expect(chain.snapshots).toEqual([{ id: 1, block: 0 }]);
    chain.rollBack(0);
    expect(chain.snapshots).toHaveLength(1);
  });

  test('behavior: reset restores the genesis and the initial settings', () => {
    const before = content();
    const { mining } = ledger.miner;
    const { instanceId } = chain;
    chain.takeSnapshot();
    send(1n);
    ledger.miner.mine();
    send(2n);
    ledger.clock.increaseTime(50);
    ledger.miner.startMining();
    chain.reset();
    expect(content()).toEqual(before);
    expect([ledger.miner.settings, chain.snapshots]).toEqual([
      expect.objectContaining({ timing: SYSTEM_TIMING, mining }),
      [],
    ]);
    expect(chain.instanceId).not.toEqual(instanceId);
  });

  test('error: blocks without undo records', async () => {
    const opened = await openTestLedger({ store: openStore({ durable: false, undoBlocks: 2 }) });
    const shorter = new TestChain(opened.ledger, opened.store);
    const head = 60;
    for (let count = 0; count < head; count += 1) opened.ledger.miner.mine();
    const oldest = opened.ledger.history.oldestState;
    expect(oldest).toBeGreaterThan(0);
    const message = `the chain cannot be reverted to block ${oldest - 1}: block ${oldest} is the oldest `;
    expect(() => shorter.rollBack(head - oldest + 1)).toThrow(message);
    expect(() => shorter.reset()).toThrow(/^the chain cannot be reverted to block 0: /);
    shorter.rollBack(head - oldest);
    expect(opened.ledger.blocks.head().number).toBe(oldest);
    await opened.store.close();
  });
});
