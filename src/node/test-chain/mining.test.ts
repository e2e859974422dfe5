import { afterEach, describe, expect, test } from 'vitest';
import { call as callResult } from '../../../test/rpc-client.js';
import { MINED_BLOCKS_MAX, MINED_BLOCKS_RETURNED_MAX } from '../../rpc/index.ts';
import { DEFAULT_ETHEREUM, describeNotice, type NodeNotice } from '../index.ts';
import { ALICE, call, closeNodes, expectTimeOfDay, head, send, startNode } from './test-chain.testing.ts';

afterEach(closeNodes);

describe('the mode of mining', () => {
  test('default: transactions stay pending with automine off, and turning it on mines them', async () => {
    const node = await startNode();
    await call(node, 'evm_setAutomine', false);
    await send(node);
    expect([node.ledger.blocks.head().number, await call(node, 'eth_mining')]).toEqual([0, false]);
    await call(node, 'evm_setAutomine', true);
    expect([node.ledger.blocks.head().number, await call(node, 'eth_mining')]).toEqual([1, true]);
    await send(node);
    expect(node.ledger.blocks.head().number).toBe(2);
  });

  test('behavior: turning automine off restores the previous interval', async () => {
    const node = await startNode({ blockTime: 3_600 });
    expect(await call(node, 'anvil_getIntervalMining')).toBe(3_600);
    await call(node, 'anvil_setAutomine', true);
    expect([await call(node, 'anvil_getIntervalMining'), await call(node, 'anvil_getAutomine')]).toEqual([
      null,
      true,
    ]);
    await call(node, 'anvil_setAutomine', false);
    expect([await call(node, 'anvil_getIntervalMining'), await call(node, 'anvil_getAutomine')]).toEqual([
      3_600,
      false,
    ]);
  });

  test('behavior: an interval ends automine, and 0 ends the interval', async () => {
    const node = await startNode();
    await call(node, 'evm_setIntervalMining', 0);
    expect(await call(node, 'anvil_getAutomine')).toBe(true);
    await call(node, 'evm_setIntervalMining', 3_600);
    await send(node);
    expect([
      await call(node, 'anvil_getAutomine'),
      await call(node, 'eth_mining'),
      node.ledger.pool.pendingCount,
    ]).toEqual([false, true, 1]);
    await call(node, 'evm_setIntervalMining', 0);
    expect([await call(node, 'eth_mining'), node.ledger.pool.pendingCount]).toEqual([false, 1]);
    await call(node, 'miner_start');
    expect([await call(node, 'anvil_getAutomine'), node.ledger.pool.pendingCount]).toEqual([true, 0]);
  });

  test('behavior: starting the miner restores the mode that was active before it was stopped', async () => {
    const node = await startNode();
    for (const [method, value] of [
      ['evm_setAutomine', true],
      ['evm_setIntervalMining', 60],
    ] as const) {
      await call(node, method, value);
      const before = node.control.state;
      await call(node, 'miner_stop');
      expect([node.control.state.mode, await call(node, 'eth_mining')]).toEqual(['manual', false]);
      await call(node, 'miner_start');
      expect(node.control.state).toEqual(before);
    }
  });

  test('args: both: a transaction has its block at once, and an interval makes others', async () => {
    const node = await startNode({ mixedMining: true, blockTime: 0.05 });
    const state = async (): Promise<unknown[]> => [
      node.control.state.mode,
      await call(node, 'anvil_getAutomine'),
      await call(node, 'anvil_getIntervalMining'),
      await call(node, 'eth_mining'),
    ];
    expect(await state()).toEqual(['mixed', true, 0.05, true]);
    const hash = await send(node);
    const receipt = await call(node, 'eth_getTransactionReceipt', hash);
    const { number } = node.ledger.blocks.head();
    expect(Number(Object(receipt).blockNumber)).toBeLessThanOrEqual(number);
    await new Promise<void>((resolve) => {
      node.ledger.chain.onBlock((block) => {
        if (block.number === number + 3) resolve();
      });
    });
    await call(node, 'evm_setIntervalMining', 3_600);
    expect(await state()).toEqual(['mixed', true, 3_600, true]);
    await send(node);
    expect(node.ledger.pool.pendingCount).toBe(0);
    const snapshot = await call(node, 'evm_snapshot');
    await call(node, 'miner_stop');
    expect(await state()).toEqual(['manual', false, null, false]);
    await call(node, 'miner_start');
    expect(await state()).toEqual(['mixed', true, 3_600, true]);
    await call(node, 'evm_setAutomine', false);
    expect(await state()).toEqual(['interval', false, 3_600, true]);
    await send(node);
    expect(node.ledger.pool.pendingCount).toBe(1);
    await call(node, 'evm_setAutomine', true);
    expect([await state(), node.ledger.pool.pendingCount]).toEqual([['mixed', true, 3_600, true], 0]);
    await call(node, 'evm_setIntervalMining', 0);
    expect(await state()).toEqual(['instant', true, null, true]);
    expect(await call(node, 'evm_revert', snapshot)).toBe(true);
    expect(await state()).toEqual(['mixed', true, 3_600, true]);
  });

  test('args: both, without an interval: one that is set later leaves automine on, as in Hardhat', async () => {
    const node = await startNode({ mixedMining: true });
    expect(node.control.state.mode).toBe('instant');
    await call(node, 'evm_setIntervalMining', 3_600);
    await send(node);
    expect([node.control.state.mode, node.ledger.pool.pendingCount]).toEqual(['mixed', 0]);
    await call(node, 'evm_setAutomine', false);
    await call(node, 'evm_setIntervalMining', 0);
    await call(node, 'evm_setIntervalMining', 60);
    expect(node.control.state.mode).toBe('interval');
  });

  test('args: an interval in milliseconds produces blocks automatically, until it is 0', async () => {
    const node = await startNode();
    const made = new Promise<number>((resolve) => {
      node.ledger.chain.onBlock(({ number }) => {
        if (number === 3) resolve(number);
      });
    });
    await call(node, 'hardhat_setIntervalMining', [1, 5]);
    expect([await call(node, 'anvil_getIntervalMining'), await made]).toEqual([[1, 5], 3]);
    await call(node, 'hardhat_setIntervalMining', [0, 0]);
    expect(node.control.state).toMatchObject({ mode: 'manual', interval: undefined });
  });

  test.each([
    [[5, 1], 'expected the least and the greatest number of milliseconds'],
    [[5], 'expected the least and the greatest number of milliseconds'],
    [[1, 2, 3], 'expected at most 2 numbers, got 3'],
    [[1, 86_400_001], 'expected at most 86400000 milliseconds, got 86400001'],
    [86_401, 'expected at most 86400 seconds, got 86401'],
    [0.5, 'expected a QUANTITY (0x-prefixed hex or a whole number), got a fraction'],
  ])('error: the interval %j', async (interval, problem) => {
    const node = await startNode();
    const { code, message } = (await call(node, 'evm_setIntervalMining', interval)) as {
      code: number;
      message: string;
    };
    expect([code, message]).toEqual([-32602, expect.stringContaining(problem)]);
    expect(node.control.state.mode).toBe('instant');
  });

  test('behavior: an earlier state is restored completely', async () => {
    const node = await startNode();
    await call(node, 'evm_setIntervalMining', 60);
    await call(node, 'evm_setAutomine', false);
    await call(node, 'evm_setNextBlockTimestamp', node.ledger.clock.now() + 500);
    await call(node, 'anvil_setBlockTimestampInterval', 7);
    await call(node, 'evm_setBlockGasLimit', '0xffff');
    const before = node.control.state;
    const id = await call(node, 'evm_snapshot');
    await call(node, 'evm_setAutomine', true);
    await call(node, 'evm_mine');
    await call(node, 'anvil_removeBlockTimestampInterval');
    await call(node, 'evm_setBlockGasLimit', '0x7fffffffffffffff');
    expect(node.control.state).toMatchObject({ gasLimit: undefined, mode: 'instant' });
    await call(node, 'evm_revert', id);
    expect(node.control.state).toEqual(before);
    await send(node);
    expect(node.ledger.pool.pendingCount).toBe(1);
  });
});

describe('forced blocks', () => {
  test('default: hardhat_mine makes so many, with the interval between them', async () => {
    const node = await startNode();
    const { timestamp } = await head(node);
    await call(node, 'evm_setNextBlockTimestamp', timestamp + 1_000);
    const began = performance.now();
    expect(await call(node, 'hardhat_mine', '0x4', '0x3c')).toBeNull();
    expect(await head(node)).toEqual({ number: 4, timestamp: timestamp + 1_180 });
    // The time of day goes on from the newest block.
    await call(node, 'evm_mine');
    expectTimeOfDay((await head(node)).timestamp, timestamp + 1_180, began);
  });

  test('default: evm_mine with a number of blocks', async () => {
    const node = await startNode();
    const timestamp = (await head(node)).timestamp + 100;
    expect(await call(node, 'evm_mine', { timestamp, blocks: '0x3' })).toBeNull();
    expect(node.ledger.blocks.blockByNumber(1)?.header.timestamp).toBe(timestamp);
    expect((await head(node)).number).toBe(3);
  });

  test('default: evm_mine_detailed returns the outcome of each transaction', async () => {
    const node = await startNode({ mining: false });
    const hash = await send(node);
    // Init code that reverts with the text "no".
    const reason = `08c379a0${'20'.padStart(64, '0')}${'2'.padStart(64, '0')}${'6e6f'.padEnd(64, '0')}`;
    const code = `0x6064600c60003960646000fd${reason}`;
    await call(node, 'eth_sendTransaction', { from: ALICE, data: code, gas: '0x186a0' });
    const blocks = await call(node, 'evm_mine_detailed', { blocks: 2 });
    expect(blocks).toMatchObject([
      {
        number: '0x1',
        transactions: [
          { value: '0x1', output: '0x' },
          { output: `0x${reason}`, revertReason: 'execution reverted: no' },
        ],
      },
      { number: '0x2', transactions: [] },
    ]);
    expect(await call(node, 'eth_getTransactionByHash', hash)).toMatchObject({ blockNumber: '0x1' });
  });

  test('behavior: many thousand blocks leave others served', async () => {
    const node = await startNode();
    let isMining = true;
    const mined = call(node, 'anvil_mine', '0x4e20').finally(() => {
      isMining = false;
    });
    const heads: number[] = [];
    while (isMining) {
      heads.push(Number(await call(node, 'eth_blockNumber')));
      if (heads.length % 10 === 1) await send(node);
    }
    expect(await mined).toBeNull();
    const sent = Math.ceil(heads.length / 10);
    expect(node.ledger.blocks.head().number).toBe(20_000 + sent);
    // Others were served all the time, not only before and after it.
    expect(new Set(heads).size).toBeGreaterThan(20);
  });

  test('behavior: series of blocks finish in order, and single blocks do not wait for them', async () => {
    const node = await startNode();
    const ended: number[] = [];
    const series = [2_000, 1_000].map(async (count) => {
      await call(node, 'anvil_mine', count);
      ended.push(count);
    });
    await call(node, 'evm_mine');
    ended.push(1);
    await Promise.all(series);
    expect(ended.at(-1)).toBe(1_000);
    expect(node.ledger.blocks.head().number).toBe(3_001);
  });

  test('behavior: a node that stops in the middle ends a series', async () => {
    const node = await startNode();
    const mined = call(node, 'anvil_mine', MINED_BLOCKS_MAX).catch(() => undefined);
    await call(node, 'eth_blockNumber');
    await node.close();
    expect([undefined, -32000]).toContain(((await mined) as { code?: number } | undefined)?.code);
    expect(node.ledger.blocks.head().number).toBeLessThan(MINED_BLOCKS_MAX);
  });

  test.each([
    ['anvil_mine', ['0xf4241'], MINED_BLOCKS_MAX],
    ['evm_mine', [{ blocks: 1_000_001 }], MINED_BLOCKS_MAX],
    ['evm_mine_detailed', [{ blocks: 101 }], MINED_BLOCKS_RETURNED_MAX],
  ])('error: %s above its limit', async (method, params, most) => {
    const node = await startNode();
    expect(await call(node, method, ...params)).toEqual({
      code: -32005,
      message: `${most + 1} blocks are more than the limit of one call, ${most} blocks`,
    });
    expect(node.ledger.blocks.head().number).toBe(0);
  });

  test('error: times that no block can have', async () => {
    const node = await startNode();
    expect(await call(node, 'anvil_mine', '0xf4240', '0xffff')).toMatchObject({
      code: -32000,
      message: expect.stringContaining('the clock cannot be moved to'),
    });
    expect(await call(node, 'anvil_mine', 1, 2 ** 32)).toMatchObject({ code: -32602 });
    expect(node.ledger.blocks.head().number).toBe(0);
  });
});

describe('the log', () => {
  test('default: blocks and failed calls are logged, unless logging is disabled', async () => {
    const told: (string | number)[] = [];
    const node = await startNode(
      {},
      { onBlock: ({ number }) => told.push(number), onFailedCall: (method) => told.push(method) },
    );
    await call(node, 'evm_mine');
    await call(node, 'hardhat_setLoggingEnabled', false);
    await call(node, 'evm_mine');
    await call(node, 'eth_nothing');
    await call(node, 'hardhat_setLoggingEnabled', true);
    await call(node, 'evm_mine');
    await call(node, 'eth_nothing');
    expect(told).toEqual([1, 3, 'eth_nothing']);
  });
});

describe('unsupported settings', () => {
  test.each([
    ['anvil_setMinGasPrice', 'the price of gas is 1 here: expected 0 or 1, got 2'],
    ['miner_setGasPrice', 'the price of gas is 1 here: expected 0 or 1, got 2'],
    ['hardhat_setNextBlockBaseFeePerGas', 'there is no base fee here: expected 0 or 1, got 2'],
  ])('error: %s other than 0 and 1', async (method, problem) => {
    const node = await startNode();
    expect(await call(node, method, '0x2')).toMatchObject({
      code: -32602,
      message: expect.stringContaining(problem),
    });
  });

  test('behavior: a transaction above the block gas limit stays pending, and is logged once', async () => {
    const told: string[] = [];
    const onNotice = (notice: NodeNotice): void => {
      if (notice.kind === 'gasLimitMet') told.push(describeNotice(notice).message);
    };
    const node = await startNode({}, { onNotice });
    await call(node, 'evm_setBlockGasLimit', '0x186a0');
    const transaction = { from: ALICE, data: '0x5b', gas: '0x30d40' };
    await call(node, 'eth_sendTransaction', transaction);
    await call(node, 'eth_sendTransaction', { ...transaction, value: '0x1' });
    await call(node, 'evm_mine');
    expect(node.ledger.pool.pendingCount).toBe(2);
    expect(told).toEqual([
      'a pending transaction offers 200000 gas, more than the limit of 100000 that evm_setBlockGasLimit set',
    ]);
    await call(node, 'evm_setBlockGasLimit', '0x30d40');
    expect(node.ledger.pool.pendingCount).toBe(0);
    for (const gas of [0n, 2n ** 63n]) {
      expect(await call(node, 'evm_setBlockGasLimit', `0x${gas.toString(16)}`)).toEqual({
        code: -32602,
        message: `invalid parameter 1 (gas): expected 1 to 9223372036854775807 gas, got ${gas}`,
      });
    }
  });
});

/** Init code of a contract that writes logs without topics until 2,000 gas are left. */
const LOGGING = '0x600f600c600039600f6000f35b5f5fa05f5fa06107d05a115f5700';

test.each(['', '/ethereum'])(
  'behavior: at %j a block takes no more transactions once it has 10,000 event logs',
  async (path) => {
    const node = await startNode({ network: 'local', ethereum: DEFAULT_ETHEREUM });
    const ask = (method: string, ...params: readonly unknown[]) =>
      callResult(`${node.url}${path}`, method, ...params);
    const [from] = await ask('eth_accounts');
    const creation = await ask('eth_sendTransaction', { from, data: LOGGING });
    const { contractAddress: to } = await ask('eth_getTransactionReceipt', creation);
    await ask('evm_setAutomine', false);
    const hashes: string[] = [];
    for (const gas of [3_000_000, 3_000_000, 30_000, 30_000]) {
      hashes.push(await ask('eth_sendTransaction', { from, to, gas: `0x${gas.toString(16)}` }));
    }
    const included: string[][] = [];
    for (let blocks = 0; blocks < 2; blocks += 1) {
      await ask('evm_mine');
      included.push((await ask('eth_getBlockByNumber', 'latest', false)).transactions);
    }
    // At the native interface the rest of a hash is the position.
    const ends = (list: readonly string[]): string[] => list.map((hash) => hash.slice(-40));
    expect(included.map(ends)).toEqual([ends(hashes.slice(0, 2)), ends(hashes.slice(2))]);
    const counts = hashes.map(async (hash) => (await ask('eth_getTransactionReceipt', hash)).logs.length);
    const [first = 0, second = 0] = await Promise.all(counts);
    expect([first < 10_000, first + second >= 10_000]).toEqual([true, true]);
  },
);
