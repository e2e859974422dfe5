import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { CLOCK_TIME_MAX } from '../../consensus.ts';
import { DEFAULT_ETHEREUM, type NodeNotice, type TestNode } from '../index.ts';
import {
  BOB,
  call,
  callEthereum,
  closeNodes,
  expectTimeOfDay,
  head,
  send,
  startNode,
} from './test-chain.testing.ts';

afterEach(closeNodes);

describe('a least step of time stamps, as in Hardhat', () => {
  const times = async (node: TestNode): Promise<number[]> => {
    const { number } = await head(node);
    return Array.from({ length: number + 1 }, (_, block) => {
      return node.ledger.blocks.blockByNumber(block)?.header.timestamp ?? Number.NaN;
    });
  };
  const strictlyIncrease = (values: readonly number[]): boolean =>
    values.every((value, index) => index === 0 || value > (values[index - 1] ?? value));

  test('default: 0: quick blocks have equal times', async () => {
    const node = await startNode();
    const { timestamp } = await head(node);
    await call(node, 'evm_setNextBlockTimestamp', timestamp + 5_000);
    await call(node, 'hardhat_mine', 3);
    expect(strictlyIncrease(await times(node))).toBe(false);
  });

  test('args: 1: each block is later, however it is made, and the clock keeps up', async () => {
    const node = await startNode({ timeStep: 1 });
    for (let block = 0; block < 3; block += 1) await send(node);
    await call(node, 'evm_mine', { blocks: 3 });
    await call(node, 'hardhat_mine', 300);
    await call(node, 'anvil_mine', 2, 7);
    await call(node, 'evm_mine_detailed', { blocks: 2 });
    const made = await times(node);
    expect([made.length, strictlyIncrease(made)]).toEqual([311, true]);
    const newest = (await head(node)).timestamp;
    await call(node, 'evm_increaseTime', 100);
    await call(node, 'evm_mine');
    expect((await head(node)).timestamp).toBeGreaterThanOrEqual(newest + 100);
  });

  test('args: 1: the pending block is later, too', async () => {
    const node = await startNode({ timeStep: 1, network: 'local', ethereum: DEFAULT_ETHEREUM });
    for (const block of [1, 2]) {
      await call(node, 'evm_mine');
      const pending = Object(await callEthereum(node, 'eth_getBlockByNumber', 'pending', false));
      expect([pending.number, Number(pending.timestamp)]).toEqual([
        `0x${block + 1}`,
        (await head(node)).timestamp + 1,
      ]);
    }
  });

  test('args: 1: intervals of time stamps, snapshots and restarts keep it', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'ledgerd-test-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true }));
    const first = await startNode({ timeStep: 1, dataDir });
    const snapshot = await call(first, 'evm_snapshot');
    await call(first, 'anvil_setBlockTimestampInterval', 0);
    await call(first, 'evm_mine', { blocks: 3 });
    expect(strictlyIncrease(await times(first))).toBe(true);
    expect(await call(first, 'evm_revert', snapshot)).toBe(true);
    await call(first, 'evm_mine', { blocks: 3 });
    expect(strictlyIncrease(await times(first))).toBe(true);
    await first.close();
    const second = await startNode({ timeStep: 1, dataDir });
    await call(second, 'evm_mine', { blocks: 3 });
    expect(strictlyIncrease(await times(second))).toBe(true);
  });

  test.each([1, 10])('error: a time less than %i s after the latest block', async (timeStep) => {
    const node = await startNode({ timeStep });
    const { timestamp } = await head(node);
    const message = expect.stringContaining(
      `expected ${timestamp + timeStep}, ${timeStep} s after the time of the latest block, to`,
    );
    for (const method of ['evm_setNextBlockTimestamp', 'evm_mine', 'evm_mine_detailed']) {
      const early = timestamp + timeStep - 1;
      expect(await call(node, method, early)).toMatchObject({ code: -32602, message });
    }
    await call(node, 'evm_mine', timestamp + timeStep);
    expect((await head(node)).timestamp).toBe(timestamp + timeStep);
  });

  test('behavior: at the end of time blocks have equal times', async () => {
    const node = await startNode({ timeStep: 1 });
    await call(node, 'evm_mine', CLOCK_TIME_MAX);
    await call(node, 'evm_mine');
    expect((await head(node)).timestamp).toBe(CLOCK_TIME_MAX);
  });
});

describe('the time stamp of the next block', () => {
  test('default: it applies to one block, however it is produced, and time continues from it', async () => {
    const node = await startNode();
    const start = (await head(node)).timestamp;
    const began = performance.now();
    await call(node, 'evm_setNextBlockTimestamp', start + 5_000);
    await send(node);
    expect((await head(node)).timestamp).toBe(start + 5_000);
    await send(node);
    expectTimeOfDay((await head(node)).timestamp, start + 5_000, began);
  });

  test('args: it may equal the time of the newest block, and be before the time of day', async () => {
    const node = await startNode();
    await call(node, 'evm_increaseTime', 1_000);
    const { timestamp } = await head(node);
    const began = performance.now();
    await call(node, 'evm_setNextBlockTimestamp', `0x${timestamp.toString(16)}`);
    await call(node, 'evm_mine');
    expect((await head(node)).timestamp).toBe(timestamp);
    await call(node, 'evm_mine');
    expectTimeOfDay((await head(node)).timestamp, timestamp, began);
  });

  test('args: numbers as decimal text, as suites for the peers send them', async () => {
    const node = await startNode();
    const { timestamp } = await head(node);
    expect(await call(node, 'evm_increaseTime', '60')).toBe('0x3c');
    expect(await call(node, 'evm_setNextBlockTimestamp', String(timestamp + 500))).toBeNull();
    expect(await call(node, 'hardhat_mine', '2', '10')).toBeNull();
    expect(await head(node)).toEqual({ number: 2, timestamp: timestamp + 510 });
    expect(await call(node, 'evm_mine', String(timestamp + 900))).toBeNull();
    expect(await call(node, 'anvil_rollback', '1')).toBeNull();
    expect(await call(node, 'evm_setTime', String(timestamp + 1_000))).toEqual(expect.any(Number));
  });

  test.each([
    ['decimal text', '10', 10n],
    ['decimal text with zeros in front', '0010', 10n],
    ['a JSON number', 10, 10n],
    ['hex', '0xa', 10n],
    ['hex with zeros in front', '0x0A', 10n],
    ['hex with more zeros than there is room for', `0x${'a'.padStart(100, '0')}`, 10n],
    ['hex with a large X', '0XA', 10n],
    ['0x for zero', '0x', 0n],
  ])('args: numbers of whatever is set as anvil and Hardhat take them: %s', async (_, given, number) => {
    const node = await startNode();
    const answer = `0x${number.toString(16)}`;
    expect(await call(node, 'evm_increaseTime', given)).toBe(answer);
    expect(await call(node, 'anvil_setNonce', BOB, given)).toBeNull();
    expect(await call(node, 'eth_getTransactionCount', BOB)).toBe(answer);
    expect(await call(node, 'hardhat_setBalance', BOB, given)).toBeNull();
    expect(await call(node, 'eth_getBalance', BOB, 'latest')).toBe(answer);
    const word = `0x${'7'.padStart(64, '0')}`;
    expect(await call(node, 'anvil_setStorageAt', BOB, given, word)).toBe(true);
    expect(await call(node, 'eth_getStorageAt', BOB, answer, 'latest')).toBe(word);
  });

  test.each([
    ['', 'an empty string'],
    [' 10', 'a string that is neither'],
    ['1e1', 'a string that is neither'],
    ['a', 'a string that is neither'],
    ['0xg', 'a string that is neither'],
    ['-1', 'a negative number'],
    [-1, 'a negative number'],
    [10.5, 'a fraction'],
    [true, 'true'],
    [[10], 'an array'],
    [`2${'0'.repeat(77)}`, 'a number of more than 32 bytes'],
    [`0x1${'0'.repeat(64)}`, 'a number of more than 32 bytes'],
  ])('error: what neither of them takes, and an empty text: %j', async (given, got) => {
    const node = await startNode();
    for (const [method, ...before] of [
      ['evm_increaseTime'],
      ['anvil_setNonce', BOB],
      ['anvil_setBalance', BOB],
    ]) {
      expect(await call(node, String(method), ...before, given)).toMatchObject({
        code: -32602,
        message: expect.stringMatching(new RegExp(`^invalid parameter \\d.*: expected .*, got ${got}$`)),
      });
    }
  });

  test('behavior: gas estimates and executed contracts see the time', async () => {
    const node = await startNode();
    const { timestamp } = await head(node);
    await call(node, 'evm_setNextBlockTimestamp', timestamp + 77);
    // Code that stops at the time that was set, and reverts at any other.
    const time = (timestamp + 77).toString(16).padStart(8, '0');
    const data = `0x63${time}4214600b57fe5b`;
    const transaction = { from: '0x0000000000000000000000000000000000000400', data };
    expect(await call(node, 'eth_estimateGas', transaction)).toMatch(/^0x/);
    const hash = await call(node, 'eth_sendTransaction', transaction);
    expect(await call(node, 'eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' });
  });

  test('error: before the newest block or above the maximum, with both bounds', async () => {
    const node = await startNode();
    const { timestamp } = await head(node);
    for (const wrong of [timestamp - 1, CLOCK_TIME_MAX + 1]) {
      expect(await call(node, 'anvil_setNextBlockTimestamp', wrong)).toEqual({
        code: -32602,
        message:
          `invalid parameter 1 (timestamp): expected ${timestamp}, the time of the latest block, to ` +
          `${CLOCK_TIME_MAX}, got ${wrong}`,
      });
    }
  });
});

test('error: each method reports invalid values in the error style of its path', async () => {
  const node = await startNode({ network: 'local', ethereum: DEFAULT_ETHEREUM });
  const { timestamp } = await head(node);
  const early = timestamp - 1;
  const time = `expected ${timestamp}, the time of the latest block, to ${CLOCK_TIME_MAX}, got ${early}`;
  const depth = 'expected at most 0, the number of the latest block, got 5';
  const cases: readonly (readonly [method: string, given: unknown, name: string, message: string])[] = [
    ['evm_mine', early, 'timestamp', time],
    ['evm_mine', { timestamp: early }, 'timestamp', `timestamp: ${time}`],
    ['anvil_mine_detailed', early, 'timestamp', time],
    ['evm_mine_detailed', { timestamp: early }, 'timestamp', `timestamp: ${time}`],
    ['evm_setNextBlockTimestamp', early, 'timestamp', time],
    ['evm_setTime', early, 'time', time],
    ['anvil_rollback', 5, 'depth', depth],
    ['anvil_reorg', 5, 'depth', depth],
    ['anvil_reorg', { depth: 5 }, 'depth', `depth: ${depth}`],
  ];
  for (const [method, given, name, message] of cases) {
    const answers = await Promise.all([call(node, method, given), callEthereum(node, method, given)]);
    expect([method, ...answers]).toEqual([
      method,
      { code: -32602, message: `invalid parameter 1 (${name}): ${message}` },
      { code: -32602, message: `invalid argument 0 (${name}): ${message}` },
    ]);
  }
});

describe('a machine with a wrong clock', () => {
  const RIGHT = Date.parse('2030-01-01T00:00:00Z');

  test.each([
    ['before all time', '1969-01-01T00:00:00Z', undefined],
    ['behind the newest block', '1990-01-01T00:00:00Z', undefined],
    ['ahead', '2090-01-01T00:00:00Z', Date.parse('2090-01-01T00:00:00Z') / 1_000],
    ['beyond what blocks can say', '2500-01-01T00:00:00Z', CLOCK_TIME_MAX],
  ])(
    'behavior: %s: the chain continues, both then and after the clock is corrected',
    async (_, wrong, time) => {
      vi.useFakeTimers({ toFake: ['Date'], now: RIGHT });
      onTestFinished(() => void vi.useRealTimers());
      const dataDir = mkdtempSync(join(tmpdir(), 'ledgerd-clock-'));
      onTestFinished(() => rmSync(dataDir, { recursive: true }));
      const told: number[] = [];
      const onNotice = (notice: NodeNotice): void => {
        if (notice.kind === 'clockBehind') told.push(notice.seconds);
      };
      const before = await startNode({ dataDir });
      await send(before);
      await closeNodes();
      vi.setSystemTime(Date.parse(wrong));
      const node = await startNode({ dataDir }, { onNotice });
      for (let sent = 0; sent < 3; sent += 1) await includedSend(node);
      const expected = time ?? RIGHT / 1_000;
      expect(await head(node)).toEqual({ number: 4, timestamp: expected });
      expect(told).toEqual(time === undefined ? [expected - Math.max(0, Date.parse(wrong) / 1_000)] : []);
      await closeNodes();
      vi.setSystemTime(RIGHT + 5_000);
      const again = await startNode({ dataDir });
      await includedSend(again);
      expect(await head(again)).toEqual({ number: 5, timestamp: time ?? RIGHT / 1_000 + 5 });
    },
  );

  test('behavior: a time set meanwhile is preserved across a restart', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: RIGHT });
    onTestFinished(() => void vi.useRealTimers());
    const dataDir = mkdtempSync(join(tmpdir(), 'ledgerd-clock-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true }));
    const node = await startNode({ dataDir });
    vi.setSystemTime(Date.parse('2500-01-01T00:00:00Z'));
    await call(node, 'evm_setTime', RIGHT / 1_000 + 60);
    await includedSend(node);
    expect(await head(node)).toEqual({ number: 1, timestamp: RIGHT / 1_000 + 60 });
    await closeNodes();
    vi.setSystemTime(RIGHT);
    const again = await startNode({ dataDir });
    await includedSend(again);
    expect(await head(again)).toEqual({ number: 2, timestamp: RIGHT / 1_000 + 60 });
  });
});

/** Sends a unit, which is in a block then. */
async function includedSend(node: TestNode): Promise<void> {
  expect(await call(node, 'eth_getTransactionReceipt', await send(node))).toMatchObject({ status: '0x1' });
}

describe('the interval of time stamps', () => {
  test('default: each block is that many seconds after its parent, until the interval is removed', async () => {
    const node = await startNode();
    const start = (await head(node)).timestamp;
    await call(node, 'anvil_setBlockTimestampInterval', 600);
    await call(node, 'anvil_mine', '0x3');
    await send(node);
    expect((await head(node)).timestamp).toBe(start + 2_400);
    expect(await call(node, 'anvil_removeBlockTimestampInterval')).toBe(true);
    expect(await call(node, 'anvil_removeBlockTimestampInterval')).toBe(false);
    const began = performance.now();
    for (let block = 5; block < 8; block += 1) {
      await call(node, 'evm_mine');
      expectTimeOfDay((await head(node)).timestamp, start + 2_401, began);
    }
  });

  test('behavior: an interval that leaves the time behind the clock moves no clock', async () => {
    const node = await startNode();
    const { timestamp } = await head(node);
    await call(node, 'anvil_setBlockTimestampInterval', 1);
    await call(node, 'evm_increaseTime', 1_000);
    const began = performance.now();
    await call(node, 'evm_mine');
    await call(node, 'anvil_removeBlockTimestampInterval');
    await call(node, 'evm_mine');
    expectTimeOfDay((await head(node)).timestamp, timestamp + 1_000, began);
  });

  test('args: an interval of 0 keeps the time constant', async () => {
    const node = await startNode();
    const start = (await head(node)).timestamp;
    await call(node, 'anvil_setBlockTimestampInterval', 0);
    await call(node, 'evm_increaseTime', 1_000);
    await call(node, 'anvil_mine', '0x3');
    expect((await head(node)).timestamp).toBe(start);
  });
});

describe('the time of day', () => {
  test('args: seconds, milliseconds, QUANTITY and dates', async () => {
    const node = await startNode();
    const seconds = (await head(node)).timestamp + 86_400;
    const forms = [
      seconds,
      seconds * 1_000 + 999,
      `0x${seconds.toString(16)}`,
      new Date(seconds * 1_000),
      new Date(seconds * 1_000).toISOString().replace('.000Z', '+00:00'),
    ];
    let began = performance.now();
    for (const form of forms) {
      began = performance.now();
      await call(node, 'evm_setTime', form);
      expectTimeOfDay(node.ledger.clock.now(), seconds, began);
    }
    await call(node, 'evm_mine');
    expectTimeOfDay((await head(node)).timestamp, seconds, began);
  });

  test('behavior: it can go back to the newest block, and the total of adjustments is then 0', async () => {
    const node = await startNode();
    await call(node, 'evm_increaseTime', 1_000);
    const { timestamp } = await head(node);
    const moved = Number(await call(node, 'evm_setTime', timestamp));
    expect(moved).toBeLessThanOrEqual(-1_000);
    expect(await call(node, 'evm_increaseTime', 0)).toBe('0x0');
    expect(await call(node, 'evm_setTime', timestamp - 1)).toMatchObject({
      code: -32602,
      message: expect.stringContaining(`expected ${timestamp}, the time of the latest block`),
    });
  });

  test.each([['2030-01-31'], ['tomorrow'], ['2030-13-31T00:00:00Z'], [''], [null], [-1], ['0x']])(
    'error: the time %j',
    async (time) => {
      const node = await startNode();
      expect(await call(node, 'evm_setTime', time)).toMatchObject({
        code: -32602,
        message: expect.stringMatching(/^invalid parameter 1 \(time\): expected /),
      });
    },
  );

  test('behavior: the wall time of the newest block does not depend on its timestamp', async () => {
    const node = await startNode();
    const before = Date.now();
    await call(node, 'evm_mine', node.ledger.clock.now() + 1_000_000);
    const wall = Number(await call(node, 'anvil_getLastBlockWallTime'));
    expect(wall).toBeGreaterThanOrEqual(before);
    expect(wall).toBeLessThanOrEqual(Date.now());
    expect(await call(node, 'anvil_getGenesisTime')).toBe(node.description.genesisTime);
  });
});
