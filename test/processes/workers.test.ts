import { Agent, request } from 'node:http';
import { describe, expect, test, vi } from 'vitest';
import { DEFAULT_CONFIGURATION, type TestNode } from '../../src/node/index.ts';
import { WORKER_CHECK_MS, WORKER_SILENCE_MS_MAX } from '../../src/processes/process-pool.ts';
import { call, children, isLinux, post, start, workersOf } from './nodes.ts';

/** Makes a call by one of an agent's connections; without agent by a new one. */
function callBy(
  agent: Agent | false,
  { url }: TestNode,
  method: string,
  ...params: unknown[]
): Promise<void> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { method: 'POST', agent }, (response) => {
      response.resume().once('end', resolve);
    });
    asking.once('error', reject);
    asking.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  });
}

const ALICE = '0x0000000000000000000000000000000000000400';
const BOB = '0x0000000000000000000000000000000000000401';
/** Init code that calls SHA-256 for ever. */
const ENDLESS = '0x5b60205f5f5f60025afa50600056';
/** Under these it runs until its time is up. */
const SLOW = {
  rpc: { ...DEFAULT_CONFIGURATION.rpc, callGasMax: 10n ** 12n, callTimeMsMax: 300, traceTimeMsMax: 300 },
};
/** Stores a word of the call data, logs it and returns it; without data reverts. */
const CONTRACT = '0x6016600c60003960166000f3366007575f5ffd5b5f35805f555f525f3560205fa100';

const REQUESTS: readonly (readonly [string, ...unknown[]])[] = [
  ['eth_call', { to: ALICE }],
  ['eth_call', { to: ALICE, gasPrice: '0x1', nonce: 7 }, 'latest'],
  ['eth_call', { data: '0xfe' }],
  ['eth_call', { data: '0x5f5ffd' }],
  ['eth_call', { data: '0x6001600055' }],
  ['eth_call', { from: BOB, to: ALICE, value: '0xffffffffffffffffffffffff' }],
  ['eth_call', { to: '0x12' }],
  ['eth_call', { to: ALICE, chainId: 7 }],
  ['eth_call', 5],
  ['eth_call'],
  ['eth_call', {}, {}, {}],
  ['eth_estimateGas', { from: ALICE, to: BOB, value: 9 }],
  ['eth_estimateGas', { from: ALICE, data: CONTRACT }],
  ['eth_estimateGas', { from: ALICE, to: '0x00000000000000000000000000000000000fffff' }],
  ['eth_getLogs', {}],
  ['eth_getLogs', { fromBlock: '0x9', toBlock: '0x1' }],
  ['eth_getLogs', { blockHash: `0x${'00'.repeat(32)}` }],
  ['eth_getBlockByNumber', 'latest', true],
  ['eth_getBlockByNumber', '0x99', true],
  ['eth_getBlockByHash', `0x${'00'.repeat(32)}`, false],
  ['eth_getBlockTransactionCountByHash', `0x${'00'.repeat(32)}`],
  ['eth_getTransactionByBlockNumberAndIndex', 'latest', '0x0'],
];

describe('workers', () => {
  test('default: workers return the same results as the node', async () => {
    const [alone, shared] = [await start({ workers: 0 }), await start()];
    for (const [method, ...params] of REQUESTS) {
      for (const id of [1, 'a', null]) {
        const request = { jsonrpc: '2.0', id, method, params };
        const [expected, answer] = [await post(alone.node, request), await post(shared.node, request)];
        // The two chains have different start times.
        const isBlock = answer.includes('"timestamp"');
        if (isBlock) expect(Object.keys(JSON.parse(answer))).toEqual(Object.keys(JSON.parse(expected)));
        else expect([request, answer]).toEqual([request, expected]);
      }
    }
    const batch = REQUESTS.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params }));
    const responses: { id: number }[] = JSON.parse(await post(shared.node, batch));
    expect(responses.map(({ id }) => id)).toEqual(batch.map(({ id }) => id));
  });

  test('behavior: no response is older than a reported block', async () => {
    const { node } = await start();
    const { result: created } = await call(node, 'eth_sendTransaction', {
      from: ALICE,
      data: CONTRACT,
      gas: 1_000_000,
    });
    const { result: receipt } = await call(node, 'eth_getTransactionReceipt', created);
    const { contractAddress: to } = receipt as { contractAddress: string };
    for (let round = 1; round <= 40; round += 1) {
      const data = `0x${round.toString(16).padStart(64, '0')}`;
      await call(node, 'eth_sendTransaction', { from: ALICE, to, data, gas: 200_000 });
      const { result: head } = await call(node, 'eth_blockNumber');
      // Each begins with another block, so that none of them is known to be short.
      const { result: logs } = await call(node, 'eth_getLogs', { address: to, fromBlock: round + 1 });
      expect(logs).toMatchObject([{ data, blockNumber: head }]);
      const { result: block } = await call(node, 'eth_getBlockByNumber', 'latest', false);
      expect(block).toMatchObject({ number: head });
    }
  });

  test('behavior: address history extends to the head, and excludes blocks that are rolled back', async () => {
    const { node } = await start();
    const read = async (): Promise<unknown> => {
      const { result: page } = await call(node, 'ledger_getOperations', BOB, null, 1);
      const { result: newest } = await call(node, 'ots_searchTransactionsBefore', BOB, 0, 1);
      const { result: oldest } = await call(node, 'ots_searchTransactionsAfter', BOB, 0, 100);
      const { result: block } = await call(node, 'ots_getBlockTransactions', 'latest', 0, 5);
      const { result: sent } = await call(node, 'ots_getTransactionBySenderAndNonce', ALICE, 0);
      type Fields = Readonly<Record<string, unknown>>;
      const blocksOf = (list: unknown): unknown[] =>
        (list as Fields[]).map(({ blockNumber }) => Number(blockNumber));
      return {
        operation: blocksOf((page as { operations: unknown }).operations),
        newest: blocksOf((newest as { txs: unknown }).txs),
        count: (oldest as { txs: unknown[] }).txs.length,
        block: blocksOf((block as { receipts: unknown }).receipts),
        sent: typeof sent,
      };
    };
    const expected = (head: number): unknown => {
      return { operation: [head], newest: [head], count: head, block: [head], sent: 'string' };
    };
    for (let head = 1; head <= 10; head += 1) {
      await call(node, 'eth_sendTransaction', { from: ALICE, to: BOB, value: 1 });
      expect(await read()).toEqual(expected(head));
    }
    await call(node, 'anvil_rollback', 3);
    expect(await read()).toEqual(expected(7));
  });

  test('behavior: no response comes from a reverted block', async () => {
    const { node } = await start();
    const send = async (data: string, to?: string): Promise<unknown> => {
      const { result } = await call(node, 'eth_sendTransaction', { from: ALICE, to, data, gas: 1_000_000 });
      return (await call(node, 'eth_getTransactionReceipt', result)).result;
    };
    const { contractAddress: to } = (await send(CONTRACT)) as { contractAddress: string };
    const base = node.ledger.blocks.head().number;
    const word = (value: number): string => `0x${value.toString(16).padStart(64, '0')}`;
    for (let round = 1; round <= 20; round += 1) {
      // Each begins with another block, so that none of them is known to be short.
      const logs = (): Promise<unknown>[] =>
        [0, 1, 2].map(async (before) => {
          const fromBlock = Math.max(2, base + 1 - (round % 7) - before);
          return (await call(node, 'eth_getLogs', { address: to, fromBlock })).result;
        });
      await send(word(round), to);
      const expected = [{ data: word(round), blockNumber: `0x${(base + 1).toString(16)}` }];
      for (const answer of await Promise.all(logs())) expect(answer).toMatchObject(expected);
      const given = logs();
      node.ledger.chain.revertTo(base);
      await Promise.all(given);
      expect(await Promise.all(logs())).toEqual([[], [], []]);
    }
  });

  test('behavior: workers use the clock of the node', async () => {
    const { node } = await start();
    const { result: before } = await call(node, 'eth_getBlockByNumber', 'latest', false);
    const later = Number((before as { timestamp: string }).timestamp) + 100_000;
    // Halts unless the block's time has come.
    const data = `0x63${later.toString(16).padStart(8, '0')}4210600b57005bfe`;
    expect(await call(node, 'eth_estimateGas', { from: ALICE, data })).toHaveProperty('error');
    await call(node, 'evm_increaseTime', 200_000);
    expect(await call(node, 'eth_estimateGas', { from: ALICE, data })).toHaveProperty('result');
  });

  test.runIf(isLinux)('behavior: long queries do not delay short ones', async () => {
    const { node } = await start(SLOW);
    // No long query ends before the short ones.
    for (const worker of children()) process.kill(worker, 'SIGSTOP');
    const long = Array.from({ length: 6 }, () => call(node, 'eth_call', { data: ENDLESS }));
    expect(await call(node, 'eth_blockNumber')).toMatchObject({ result: '0x0' });
    expect(await call(node, 'eth_getBalance', ALICE)).toHaveProperty('result');
    for (const worker of children()) process.kill(worker, 'SIGCONT');
    for (const answer of await Promise.all(long)) {
      expect(answer).toMatchObject({ error: { code: -32005 } });
    }
  });

  test('behavior: a client with ever new connections does not starve others', async () => {
    const { node } = await start({ ...SLOW, workers: 1 });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const attackersMost = 60;
    let attackersAnswers = 0;
    let isOver = false;
    const attack = async (): Promise<void> => {
      while (!isOver && attackersAnswers < attackersMost) {
        await callBy(false, node, 'eth_call', { data: ENDLESS });
        attackersAnswers += 1;
      }
    };
    const attackers = Array.from({ length: 4 }, attack);
    // Four times its part of the time: the attackers' calls that it may wait for are a third of that.
    for (let count = 0; count < 4; count += 1) await callBy(agent, node, 'eth_call', { data: ENDLESS });
    expect(attackersAnswers).toBeLessThan(attackersMost);
    isOver = true;
    await Promise.all(attackers);
    agent.destroy();
  });

  test.runIf(isLinux).each([
    ['which works on a call', async (node: TestNode) => call(node, 'eth_call', { data: ENDLESS })],
    ['which has nothing to do', async (node: TestNode) => call(node, 'eth_blockNumber')],
  ])('behavior: a worker that is stopped, %s, is replaced', async (_, ask) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { node, notices } = await start({ ...SLOW, workers: 1 });
    const [worker] = children();
    process.kill(worker ?? 0, 'SIGSTOP');
    const answer = ask(node);
    // The response to a later request proves that the node has read the call.
    await call(node, 'eth_blockNumber');
    vi.advanceTimersByTime(WORKER_SILENCE_MS_MAX);
    expect(notices).toEqual([]);
    vi.advanceTimersByTime(2 * WORKER_CHECK_MS);
    expect(notices).toEqual([
      { kind: 'workerLost', processId: worker, reason: expect.stringMatching(/^it was silent for 1\d s$/) },
    ]);
    expect(await answer).toHaveProperty('id', 1);
    while ((await workersOf(node)) < 1) await new Promise(setImmediate);
    expect(children()).not.toContain(worker);
  });

  test.runIf(isLinux)('behavior: idle workers stay alive', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { node, notices } = await start({ workers: 1 });
    for (let silence = 0; silence < 2 * WORKER_SILENCE_MS_MAX; silence += WORKER_CHECK_MS) {
      vi.advanceTimersByTime(WORKER_CHECK_MS);
      // A later response leaves time for the response to the ping.
      await call(node, 'eth_getLogs', { fromBlock: silence });
    }
    expect(notices).toEqual([]);
  });

  test.runIf(isLinux)(
    'behavior: the queries of a lost worker have responses, and another worker replaces it',
    async () => {
      const { node, notices } = await start(SLOW);
      const answer = call(node, 'eth_call', { data: ENDLESS });
      // The response to a later request proves that the node has read the call.
      await call(node, 'eth_blockNumber');
      for (const child of children()) process.kill(child, 'SIGKILL');
      expect(await answer).toMatchObject({ error: { code: -32005 } });
      expect(await call(node, 'eth_estimateGas', { from: ALICE, to: BOB, value: 1 })).toMatchObject({
        result: '0x14',
      });
      while ((await workersOf(node)) < 2) await new Promise(setImmediate);
      const lost = { kind: 'workerLost', processId: expect.any(Number), reason: 'SIGKILL' };
      expect(notices).toEqual([lost, lost]);
      expect(await call(node, 'eth_getLogs', {})).toMatchObject({ result: [] });
    },
  );

  test.runIf(isLinux)('behavior: they end with the node', async () => {
    const before = children();
    const { node } = await start(SLOW);
    expect(children()).toHaveLength(before.length + 2);
    const waiting = call(node, 'eth_call', { data: ENDLESS }).catch(() => undefined);
    await node.close();
    await waiting;
    expect(children()).toEqual(before);
  });
});
