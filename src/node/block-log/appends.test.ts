import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PRODUCER_KEY } from '../../ledger/ledger.testing.ts';
import type { AppendOutcome } from '../block-pipeline.ts';
import { BlockLogUnavailableError } from './block-log.ts';
import { attemptsIn, Cluster, type ClusterNode, INTERVAL_MS, PRODUCERS, submit } from './cluster.testing.ts';

const NEVER = new Promise<never>(() => undefined);

let cluster: Cluster;

beforeEach(() => {
  cluster = new Cluster();
});

afterEach(() => cluster.clean());

/** The number of the last block of the log. */
const logHead = (): number => cluster.log.blocks.length;

/** Lets time pass until a node has begun to append a block, which then goes as told. */
async function onNextAppend(
  node: ClusterNode,
  appending: (append: () => AppendOutcome) => Promise<AppendOutcome>,
): Promise<void> {
  let isAsked = false;
  node.log.appending = async (append) => {
    isAsked = true;
    node.log.appending = async (again) => again();
    return appending(append);
  };
  while (!isAsked) await cluster.time.pass(50);
}

const producersOf = (index: number) => ({ keys: PRODUCERS.slice(index, index + 1) });

describe('an append without a certain answer', () => {
  test('default: one that landed: the block is there once, and its node stores it when it reads it', async () => {
    const [first] = await cluster.startThree();
    await onNextAppend(first, async (append) => {
      append();
      throw new BlockLogUnavailableError('no answer');
    });
    const landed = logHead();
    await cluster.time.pass(1);
    expect(first.ledger.blocks.head().number).toBe(landed);
    await cluster.time.pass(10 * INTERVAL_MS);
    cluster.expectOne();
    expect(first.runtime.status.blockLog?.()?.appends.unavailable).toBe(1);
    expect(new Set(attemptsIn(first))).toEqual(new Set([0]));
  });

  test('behavior: one that did not: the same block is appended again', async () => {
    const [first] = await cluster.startThree();
    await onNextAppend(first, () => Promise.reject(new BlockLogUnavailableError('no answer')));
    const signed = first.disk.signed.block(PRODUCER_KEY.publicKey);
    submit(first, 7n);
    await cluster.time.pass(INTERVAL_MS / 2);
    expect(cluster.log.blocks.at(-1)).toEqual(signed);
    await cluster.time.pass(10 * INTERVAL_MS);
    cluster.expectOne();
    expect([first.ledger.pool.pendingCount, new Set(attemptsIn(first))]).toEqual([0, new Set([0])]);
  });

  test('behavior: reading the log is as good as an answer', async () => {
    const [first] = await cluster.startThree();
    await onNextAppend(first, async (append) => {
      append();
      return NEVER;
    });
    await cluster.time.pass(1);
    expect(first.ledger.blocks.head().number).toBe(logHead());
    await cluster.time.pass(10 * INTERVAL_MS);
    cluster.expectOne();
  });

  test('behavior: reads and submits continue during the append, and another node produces the block', async () => {
    const [first, , third] = await cluster.startThree();
    let answer: () => void = () => undefined;
    await onNextAppend(first, async (append) => {
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return append();
    });
    const { number } = first.ledger.blocks.head();
    expect(first.ledger.chain.isAddingBlock()).toBe(true);
    const { transaction } = submit(first, 7n);
    expect([first.ledger.pool.isPending(transaction), first.ledger.blocks.head().number]).toEqual([
      true,
      number,
    ]);
    await cluster.time.pass(3 * INTERVAL_MS);
    expect(first.ledger.blocks.blockByNumber(number + 1)?.header.attempt).toBe(1);
    answer();
    await cluster.time.pass(10 * INTERVAL_MS);
    cluster.expectOne();
    expect(first.runtime.status.blockLog?.()?.appends.conflicts).toBe(1);
    expect(third.ledger.pool.pendingCount).toBe(0);
  });
});

describe('a node that stops during an append', () => {
  test('default: after its signature: the same block is appended when it is back', async () => {
    const first = await cluster.start({ keys: PRODUCERS });
    await cluster.time.pass(3.5 * INTERVAL_MS);
    await onNextAppend(first, () => NEVER);
    await first.stop();
    const signed = PRODUCERS.map(({ publicKey }) => first.disk.signed.block(publicKey));
    await cluster.time.pass(INTERVAL_MS);
    const again = await cluster.start({ keys: PRODUCERS, disk: first.disk });
    await cluster.time.pass(1);
    expect(logHead()).toBe(4);
    expect(signed).toContainEqual(cluster.log.blocks[3]);
    await cluster.time.pass(5 * INTERVAL_MS);
    expect(again.ledger.blocks.head().number).toBe(logHead());
    cluster.expectOne();
  });

  test('behavior: stopped after signing while others continue: its block is discarded', async () => {
    const [first, second] = await cluster.startThree();
    await onNextAppend(first, () => NEVER);
    const number = logHead() + 1;
    await first.stop();
    await cluster.time.pass(10 * INTERVAL_MS);
    const again = await cluster.start({ ...producersOf(0), disk: first.disk });
    await cluster.time.pass(10 * INTERVAL_MS);
    cluster.expectOne();
    expect(second.ledger.blocks.blockByNumber(number)?.header.attempt).toBe(1);
    expect(attemptsIn(again).slice(-6)).toEqual([0, 0, 0, 0, 0, 0]);
  });

  test('behavior: stopped after its block was appended: the block is imported after the restart', async () => {
    const first = await cluster.start({ keys: PRODUCERS });
    await cluster.time.pass(3.5 * INTERVAL_MS);
    await onNextAppend(first, async (append) => {
      first.log.cut();
      append();
      return NEVER;
    });
    expect([first.ledger.blocks.head().number, logHead()]).toEqual([3, 4]);
    await first.stop();
    const again = await cluster.start({ keys: PRODUCERS, disk: first.disk });
    await cluster.time.pass(1);
    expect(again.ledger.blocks.head().number).toBe(4);
    await cluster.time.pass(5 * INTERVAL_MS);
    cluster.expectOne();
  });
});

test('behavior: two nodes with the same key make one chain', async () => {
  const nodes = [await cluster.start({ keys: PRODUCERS }), await cluster.start({ keys: PRODUCERS })];
  for (const [index, node] of nodes.entries()) {
    // Each makes another block, since each knows another transaction.
    node.log.isOut = index === 1;
    submit(node, BigInt(index + 1));
    node.log.isOut = false;
  }
  await cluster.time.pass(20 * INTERVAL_MS);
  cluster.expectOne();
  expect(logHead()).toBeGreaterThan(15);
  expect(nodes.map(({ ledger }) => ledger.pool.pendingCount)).toEqual([0, 0]);
  expect(nodes.some(({ runtime }) => (runtime.status.blockLog?.()?.appends.conflicts ?? 0) > 0)).toBe(true);
});

test('behavior: a block log outage halts production, and no producer is skipped afterwards', async () => {
  const nodes = await cluster.startThree();
  await cluster.time.pass(5.5 * INTERVAL_MS);
  for (const { log } of nodes) log.cut();
  const before = logHead();
  await cluster.time.pass(30 * INTERVAL_MS);
  expect(logHead()).toBe(before);
  expect(nodes[0].runtime.health().problems).toContainEqual(
    expect.stringMatching(/^the block log memory:\/\/log has not responded for (29|30) s$/),
  );
  expect(nodes[0].runtime.status.mayProduce()).toBe(false);
  for (const { log } of nodes) log.mend();
  await cluster.time.pass(10 * INTERVAL_MS);
  cluster.expectOne();
  expect(logHead()).toBeGreaterThan(before + 8);
  expect(new Set(attemptsIn(nodes[0]))).toEqual(new Set([0]));
  expect(nodes[0].notices.map(({ kind }) => kind)).toEqual(['logAnswers', 'logSilent', 'logAnswers']);
});

test('behavior: a log that rejects only appends is reported, and its node is skipped', async () => {
  const [first, second] = await cluster.startThree();
  first.log.appending = () => Promise.reject(new BlockLogUnavailableError('no answer'));
  await cluster.time.pass(30 * INTERVAL_MS);
  const silent = first.notices.filter(({ kind }) => kind === 'logSilent');
  expect(silent.length).toBeGreaterThan(0);
  expect(silent.length).toBeLessThan(5);
  expect(first.runtime.status.blockLog?.()?.appends.unavailable).toBeGreaterThan(10);
  expect(second.ledger.blocks.head().number).toBeGreaterThan(18);
  cluster.expectOne();
});

test('behavior: a node cut off from the log lags, reports it, and catches up after reconnecting', async () => {
  const [first, , third] = await cluster.startThree();
  await cluster.time.pass(5.5 * INTERVAL_MS);
  third.log.cut();
  await cluster.time.pass(20 * INTERVAL_MS);
  expect(third.runtime.status.blockLog?.()?.silentSeconds).toBeGreaterThan(19);
  third.log.mend();
  await cluster.time.pass(INTERVAL_MS);
  expect(third.ledger.blocks.head()).toEqual(first.ledger.blocks.head());
  await cluster.time.pass(10 * INTERVAL_MS);
  cluster.expectOne();
});

test('behavior: a log that cannot return its head counts as not responding', async () => {
  const nodes = await cluster.startThree();
  await cluster.time.pass(5.5 * INTERVAL_MS);
  for (const { log } of nodes) {
    log.log.head = () => Promise.reject(new BlockLogUnavailableError('most of its servers are gone'));
    log.appending = () => Promise.reject(new BlockLogUnavailableError('most of its servers are gone'));
  }
  for (let seconds = 0; seconds < 20; seconds += 1) {
    for (const { log } of nodes) {
      log.cut();
      log.mend();
    }
    await cluster.time.pass(INTERVAL_MS);
  }
  for (const { runtime } of nodes) {
    expect(runtime.health().problems).toContainEqual(expect.stringContaining('has not responded for'));
    expect(runtime.status.blockLog?.()?.silentSeconds).toBeGreaterThan(18);
  }
});
