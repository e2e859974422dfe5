import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CLOCK_TIME_MAX } from '../../consensus.ts';
import type { Store } from '../../store/index.ts';
import { type Ledger, SYSTEM_TIMING } from '../index.ts';
import {
  accountAt,
  GENESIS_TIME,
  keyAt,
  openTestLedger,
  rootByScan,
  sign,
  transfer,
} from '../ledger.testing.ts';

const ALL_TIME = Number.POSITIVE_INFINITY;

let ledger: Ledger;
let store: Store;
let clock: { time: number };

beforeEach(async () => {
  ({ ledger, store, clock } = await openTestLedger({ mining: 'manual' }));
});

afterEach(async () => {
  await store.close();
});

/** Makes blocks and returns the seconds from the genesis to each of them. */
function times(count: number): number[] {
  return Array.from({ length: count }, () => ledger.miner.mine().header.timestamp - GENESIS_TIME);
}

describe('the time of blocks', () => {
  test('args: a time for the next block alone, and the clock continues from it', () => {
    for (const next of [500, 600]) {
      ledger.clock.setTiming({ ...ledger.clock.timing, nextTimestamp: GENESIS_TIME + next });
      expect([times(1), ledger.clock.now(), ledger.clock.timing.nextTimestamp]).toEqual([
        [next],
        GENESIS_TIME + next,
        undefined,
      ]);
    }
    clock.time += 7;
    expect(times(2)).toEqual([607, 607]);
    // No block is before the newest one.
    ledger.clock.setTiming({ ...ledger.clock.timing, nextTimestamp: GENESIS_TIME + 550 });
    expect([times(2), ledger.clock.timing.nextTimestamp]).toEqual([[607, 607], undefined]);
  });

  test('args: a time before the time of day', () => {
    clock.time += 1_000;
    ledger.clock.setTiming({ ...ledger.clock.timing, nextTimestamp: GENESIS_TIME + 10 });
    expect([times(1), ledger.clock.now(), ledger.clock.timing.ahead]).toEqual([
      [10],
      GENESIS_TIME + 10,
      -990,
    ]);
    clock.time += 5;
    expect(times(1)).toEqual([15]);
  });

  test('args: an interval between blocks, until it is removed', () => {
    ledger.clock.setTiming({ ...ledger.clock.timing, timestampInterval: 12 });
    clock.time += 5;
    expect(times(3)).toEqual([12, 24, 36]);
    ledger.clock.setTiming({ ...ledger.clock.timing, nextTimestamp: GENESIS_TIME + 40 });
    expect(times(2)).toEqual([40, 52]);
    ledger.clock.setTiming(SYSTEM_TIMING);
    clock.time = GENESIS_TIME + 60;
    expect(times(1)).toEqual([60]);
  });

  test('behavior: a block with an explicit time ignores a set time that has passed', () => {
    ledger.clock.setTiming({ ...ledger.clock.timing, nextTimestamp: GENESIS_TIME + 40 });
    ledger.miner.mine(GENESIS_TIME + 20);
    expect(ledger.clock.timing.nextTimestamp).toBe(GENESIS_TIME + 40);
    ledger.miner.mine(GENESIS_TIME + 50);
    expect([ledger.clock.timing.nextTimestamp, times(1)]).toEqual([undefined, [50]]);
  });

  test('behavior: an estimate and pending transactions see the time of the next block', () => {
    ledger.clock.setTiming({ ...ledger.clock.timing, nextTimestamp: GENESIS_TIME + 120 });
    const late = sign(ledger, [transfer(0, accountAt(1), 1n)], [keyAt(0)], { expiration: GENESIS_TIME + 60 });
    ledger.pool.submit(late);
    // An expiration is compared with the head, which is earlier.
    expect(ledger.miner.mine()).toMatchObject({
      operationCount: 1,
      header: { timestamp: GENESIS_TIME + 120 },
    });
  });

  test('args: a time of day', () => {
    ledger.clock.setTime(GENESIS_TIME + 90);
    expect([times(1), ledger.clock.increaseTime(10), ledger.clock.now()]).toEqual([
      [90],
      100,
      GENESIS_TIME + 100,
    ]);
    ledger.clock.setTime(GENESIS_TIME + 95);
    expect(ledger.clock.timing.ahead).toBe(95);
    expect(() => ledger.clock.setTime(CLOCK_TIME_MAX + 1)).toThrow('the clock cannot be moved to');
  });
});

describe('several blocks', () => {
  test('default: mining several blocks equals mining them one by one', async () => {
    const other = await openTestLedger({ mining: 'manual' });
    const notified: number[] = [];
    ledger.chain.onBlock(({ number }) => notified.push(number));
    expect(ledger.miner.mineSeveral(5, ALL_TIME)).toBe(5);
    for (let count = 0; count < 5; count += 1) other.ledger.miner.mine();
    expect(ledger.blocks.head()).toEqual(other.ledger.blocks.head());
    expect(notified).toEqual([1, 2, 3, 4, 5]);
    expect(rootByScan(store)).toEqual(rootByScan(other.store));
    await other.store.close();
  });

  test('args: a time of 0 makes one, and steps move the clock', () => {
    expect([ledger.miner.mineSeveral(5, 0, 60), ledger.miner.mineSeveral(3, ALL_TIME, 60)]).toEqual([1, 3]);
    const made = [1, 2, 3, 4].map((number) => ledger.blocks.blockByNumber(number)?.header.timestamp);
    expect(made).toEqual([60, 120, 180, 240].map((seconds) => GENESIS_TIME + seconds));
    expect([ledger.clock.now(), times(1)]).toEqual([GENESIS_TIME + 240, [240]]);
  });

  test('behavior: the first one includes the pending transactions', () => {
    ledger.pool.submit(sign(ledger, [transfer(0, accountAt(1), 1n)], [keyAt(0)]));
    expect(ledger.miner.mineSeveral(9, ALL_TIME)).toBe(1);
    expect(ledger.blocks.head()).toMatchObject({ number: 1, operationCount: 1 });
    expect([ledger.miner.mineSeveral(9, ALL_TIME), ledger.blocks.head().number]).toEqual([9, 10]);
  });

  test('error: when they cannot be stored none is added, and the chain continues', async () => {
    const failing = await openTestLedger({ mining: 'manual' });
    failing.ledger.miner.mine();
    const inOneCommit = failing.store.inOneCommit.bind(failing.store);
    Object.assign(failing.store, {
      inOneCommit: (blocks: number, action: () => unknown) =>
        inOneCommit(blocks, () => {
          action();
          throw new Error('no space left');
        }),
    });
    failing.ledger.clock.setTiming({ ...SYSTEM_TIMING, nextTimestamp: GENESIS_TIME + 9 });
    expect(() => failing.ledger.miner.mineSeveral(4, ALL_TIME)).toThrow('no space left');
    expect([failing.ledger.blocks.head().number, failing.store.head()]).toEqual([1, 1]);
    expect(failing.ledger.miner.mine()).toMatchObject({
      number: 2,
      header: { timestamp: GENESIS_TIME + 9 },
    });
    await failing.store.close();
  });
});
