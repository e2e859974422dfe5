import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Block } from '../../protocol/index.ts';
import type { Store } from '../../store/index.ts';
import { BlockRejectedError, type Ledger } from '../index.ts';
import { openTestLedger, rootByScan, transported } from '../ledger.testing.ts';

const ALL_TIME = Number.POSITIVE_INFINITY;
const COUNT = 6;

let maker: { readonly ledger: Ledger; readonly store: Store };
let taker: { readonly ledger: Ledger; readonly store: Store };
let blocks: readonly Block[];

beforeEach(async () => {
  maker = await openTestLedger({ mining: 'manual' });
  taker = await openTestLedger({ mining: 'manual' });
  maker.ledger.miner.mineSeveral(COUNT, ALL_TIME, 1);
  blocks = Array.from({ length: COUNT }, (_, index) => transported(maker.ledger, index + 1));
});

afterEach(async () => {
  await maker.store.close();
  await taker.store.close();
});

function expectSame(): void {
  expect(taker.ledger.blocks.head()).toEqual(maker.ledger.blocks.head());
  expect([...taker.store.tables()]).toEqual([...maker.store.tables()]);
  expect(rootByScan(taker.store)).toEqual(rootByScan(maker.store));
}

describe('blocks of another node that are stored together', () => {
  test('default: they equal blocks added one by one, and listeners are notified of each', () => {
    const notified: number[] = [];
    taker.ledger.chain.onBlock(({ number }) => notified.push(number));
    expect(taker.ledger.chain.importBatch(blocks, ALL_TIME)).toBe(COUNT);
    expect(notified).toEqual([1, 2, 3, 4, 5, 6]);
    expectSame();
  });

  test('args: a time of 0 adds one', () => {
    expect([taker.ledger.chain.importBatch(blocks, 0), taker.ledger.blocks.head().number]).toEqual([1, 1]);
    expect(taker.ledger.chain.importBatch(blocks.slice(1), ALL_TIME)).toBe(COUNT - 1);
    expectSame();
  });

  test('error: a forged one: none is added, and the valid ones can be added later', () => {
    const notified: number[] = [];
    taker.ledger.chain.onBlock(({ number }) => notified.push(number));
    const forged = blocks.map((block, index) => (index === 3 ? { ...block, attempt: 7 } : block));
    expect(() => taker.ledger.chain.importBatch(forged, ALL_TIME)).toThrow(BlockRejectedError);
    expect([taker.ledger.blocks.head().number, taker.store.head(), notified]).toEqual([0, 0, []]);
    for (const block of blocks) taker.ledger.chain.importBlock(block);
    expectSame();
  });

  test('error: one that cannot be stored', () => {
    const commit = taker.store.commitBlock.bind(taker.store);
    Object.assign(taker.store, {
      commitBlock: (parts: Parameters<Store['commitBlock']>[0]) => {
        if (parts.number === 4) throw new Error('no space left');
        commit(parts);
      },
    });
    expect(() => taker.ledger.chain.importBatch(blocks, ALL_TIME)).toThrow('no space left');
    expect([taker.ledger.blocks.head().number, taker.store.head()]).toEqual([0, 0]);
    Object.assign(taker.store, { commitBlock: commit });
    expect(taker.ledger.chain.importBatch(blocks, ALL_TIME)).toBe(COUNT);
    expectSame();
  });

  test('error: importing a batch while writes are paused', () => {
    taker.ledger.chain.pauseWrites('a test');
    expect(() => taker.ledger.chain.importBatch(blocks, ALL_TIME)).toThrow('a test');
  });
});
