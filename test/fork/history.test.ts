import { afterAll, beforeAll, expect, test } from 'vitest';
import { call } from '../rpc-client.js';
import { type ForkedPair, hex, startForkedPair } from './forked-pair.ts';
import { DEADLINE, dataOf, type RemoteWorld, WHALE } from './remote-world.ts';

const UNKNOWN = `0x${'12'.repeat(32)}`;

/** Returns the coinbase, PREVRANDAO, the base fees, the gas limit, the time and the number of its block. */
const CONTEXT = '0x415f5244602052486040524a606052456080524260a0524360c05260e05ff3';

let pair: ForkedPair;

beforeAll(async () => {
  pair = await startForkedPair();
  const { both, remoteUrl } = pair;
  const { timestamp } = await call(remoteUrl, 'eth_getBlockByNumber', 'latest', false);
  // Before there is a block of this chain, the newest one is that of the fork.
  await both.step('eth_getBlockByNumber', 'latest', true);
  await both.step('eth_feeHistory', '0x3', 'latest', [10, 50]);
  await both.step('eth_getBlockReceipts', 'latest');
  for (const block of ['latest', hex(pair.number)]) {
    await both.step('eth_call', { data: CONTEXT, gasPrice: '0x77359400', from: pair.world.alice }, block);
    await both.step('debug_traceCall', { data: CONTEXT, gasPrice: '0x77359400' }, block, {});
    await both.step('eth_simulateV1', { blockStateCalls: [{ calls: [{ data: CONTEXT }] }] }, block);
  }
  await both.step('evm_setNextBlockTimestamp', Number(timestamp) + 100);
  await both.step('evm_mine');
  // The time of the pending block, which would else follow two clocks.
  await both.step('evm_setNextBlockTimestamp', Number(timestamp) + 200);
});

afterAll(() => pair.stop());

/** Names of the newest block, of the first one, and numbers before, at, and after the fork. */
function blocks(): string[] {
  const numbers = [-1, 0, 1, 2].map((distance) => hex(pair.number + distance));
  return ['latest', 'pending', 'safe', 'finalized', 'earliest', '0x3', ...numbers];
}

/** Calls of contracts and transfers, some of which revert. */
function messages({ alice, bob, apple, pear, router, sweep, slots }: RemoteWorld): object[] {
  const swap = [10n ** 18n, 0n, [apple.address, pear.address], alice, DEADLINE];
  const all = slots.map(({ address }) => address);
  const transfer = { to: apple.address, data: dataOf(apple, 'transfer', bob, 5n) };
  return [
    { ...transfer, from: WHALE },
    { ...transfer, from: bob },
    { from: alice, to: WHALE, value: '0x5' },
    { from: alice, to: router.address, data: dataOf(router, 'swapExactTokensForTokens', ...swap) },
    { from: alice, to: sweep.address, data: dataOf(sweep, 'bump', all, 10n) },
  ];
}

test('default: blocks and states by number have the history of the remote chain', async () => {
  const { both, world } = pair;
  const { apple, alice } = world;
  const data = dataOf(apple, 'balanceOf', WHALE);
  for (const block of blocks()) {
    await both.step('eth_getBalance', WHALE, block);
    await both.step('eth_getTransactionCount', alice, block);
    await both.step('eth_getCode', apple.address, block);
    await both.step('eth_getStorageAt', apple.address, '0x2', block);
    await both.step('eth_getStorageValues', { [apple.address]: ['0x2'] }, block);
    await both.step('eth_call', { to: apple.address, data }, block);
    await both.step('eth_getBlockByNumber', block, true);
    await both.step('eth_getBlockByNumber', block, false);
    await both.step('eth_getHeaderByNumber', block);
    await both.step('eth_getBlockReceipts', block);
    await both.step('eth_getBlockTransactionCountByNumber', block);
    await both.step('eth_getTransactionByBlockNumberAndIndex', block, '0x0');
    await both.step('eth_getRawTransactionByBlockNumberAndIndex', block, '0x0');
    await both.step('eth_getUncleCountByBlockNumber', block);
    await both.step('eth_getUncleByBlockNumberAndIndex', block, '0x0');
    await both.step('debug_traceBlockByNumber', block, { tracer: 'callTracer' });
    await both.step('trace_block', block);
    await both.step('trace_replayBlockTransactions', block, ['trace']);
    await both.step('trace_blockOpcodeGas', block);
    await both.step('eth_callMany', [{ transactions: [{ to: apple.address, data }] }], {
      blockNumber: block,
    });
    await both.step('eth_feeHistory', '0x5', block, [10, 50]);
  }
  expect(both.differences()).toEqual([]);
});

test('default: remote transactions have their receipts, raw forms and traces', async () => {
  const { both, world } = pair;
  for (const hash of [world.hashes[0], world.hashes[3], world.hashes.at(-1), UNKNOWN]) {
    await both.step('eth_getTransactionByHash', hash);
    await both.step('eth_getTransactionReceipt', hash);
    await both.step('eth_getRawTransactionByHash', hash);
    await both.step('debug_getRawTransaction', hash);
    await both.step('trace_transaction', hash);
    await both.step('trace_get', hash, ['0x0']);
    await both.step('trace_replayTransaction', hash, ['trace', 'stateDiff']);
    await both.step('trace_transactionOpcodeGas', hash);
    await both.step('debug_traceTransaction', hash);
    await both.step('debug_traceTransaction', hash, { tracer: 'callTracer' });
    await both.step('debug_traceTransaction', hash, { tracer: 'prestateTracer' });
  }
  expect(both.differences()).toEqual([]);
});

test('default: remote blocks and states are found by hash', async () => {
  const { both, world, remoteUrl, number } = pair;
  const { apple } = world;
  const message = { to: apple.address, data: dataOf(apple, 'balanceOf', WHALE) };
  const hashes = [UNKNOWN];
  for (const at of [hex(number), '0x5']) {
    hashes.push((await call(remoteUrl, 'eth_getBlockByNumber', at, false)).hash);
  }
  for (const hash of hashes) {
    await both.step('eth_getBlockByHash', hash, true);
    await both.step('eth_getHeaderByHash', hash);
    await both.step('eth_getBlockTransactionCountByHash', hash);
    await both.step('eth_getUncleCountByBlockHash', hash);
    await both.step('eth_getTransactionByBlockHashAndIndex', hash, '0x0');
    await both.step('eth_getRawTransactionByBlockHashAndIndex', hash, '0x0');
    await both.step('debug_traceBlockByHash', hash, { tracer: 'callTracer' });
    await both.step('trace_blockOpcodeGas', hash);
    await both.step('eth_getLogs', { blockHash: hash });
    for (const name of [hash, { blockHash: hash }, { blockHash: hash, requireCanonical: true }]) {
      await both.step('eth_getBalance', WHALE, name);
      await both.step('eth_call', message, name);
      await both.step('eth_getBlockReceipts', name);
    }
  }
  expect(both.differences()).toEqual([]);
});

test('default: ranges of logs and traces end, begin or cross at the fork', async () => {
  const { both, world, number } = pair;
  for (const criteria of [
    ...[{}, { fromBlock: '0x0' }, { fromBlock: '0x0', toBlock: 'latest' }, { toBlock: '0x4' }],
    { fromBlock: hex(number), toBlock: hex(number) },
    { fromBlock: hex(number + 1), toBlock: hex(number) },
    { fromBlock: '0x3', toBlock: '0x2' },
    { fromBlock: '0x1', toBlock: hex(number + 50) },
    { fromBlock: 'earliest', toBlock: 'latest', address: world.apple.address },
    { fromBlock: '0x1', topics: 5 },
    { fromBlock: 'bogus' },
  ]) {
    await both.step('eth_getLogs', criteria);
  }
  for (const criteria of [
    { fromBlock: '0x1', toBlock: 'latest', count: 3 },
    { fromBlock: '0x1', toBlock: 'latest', after: 2, count: 3 },
    { fromBlock: '0x1', toBlock: 'latest', toAddress: [WHALE] },
    { fromBlock: '0x1', count: 'x' },
  ]) {
    await both.step('trace_filter', criteria);
  }
  expect(both.differences()).toEqual([]);
});

test('default: the logs of a filter end, begin or cross at the fork', async () => {
  const { forkedUrl, remoteUrl, number, world } = pair;
  const whale = `0x${'00'.repeat(12)}${WHALE.slice(2)}`;
  for (const criteria of [
    ...[{}, { fromBlock: 'earliest' }, { fromBlock: '0x2', toBlock: '0x9' }, { fromBlock: hex(number + 1) }],
    { fromBlock: hex(number - 4), toBlock: hex(number + 50) },
    { fromBlock: '0x1', address: world.apple.address, topics: [null, [], whale] },
  ]) {
    const logs = [forkedUrl, remoteUrl].map(async (url) =>
      call(url, 'eth_getFilterLogs', await call(url, 'eth_newFilter', criteria)),
    );
    const [here, there] = await Promise.all(logs);
    expect(here).toEqual(there);
  }
  const filter = await call(forkedUrl, 'eth_newFilter', { fromBlock: '0x0', address: world.apple.address });
  expect(await call(forkedUrl, 'eth_getFilterLogs', filter)).not.toEqual([]);
  // A poll has the logs of new blocks only.
  expect(await call(forkedUrl, 'eth_getFilterChanges', filter)).toEqual([]);
  const blocks = await call(forkedUrl, 'eth_newBlockFilter');
  await expect(call(forkedUrl, 'eth_getFilterLogs', blocks)).rejects.toThrow('filter not found');
  await expect(call(forkedUrl, 'eth_getFilterLogs', '0x1')).rejects.toThrow('filter not found');
});

test('default: calls, estimates, simulations and traces at any block', async () => {
  const { both, world, number } = pair;
  const { apple, bob } = world;
  const slot = `0x${'00'.repeat(31)}02`;
  for (const message of messages(world)) {
    for (const block of ['latest', 'pending', hex(number), hex(number - 1)]) {
      await both.step('eth_call', message, block);
      await both.step('eth_estimateGas', message, block);
      await both.step('eth_createAccessList', message, block);
      await both.step('debug_traceCall', message, block, { tracer: 'callTracer' });
      await both.step('debug_traceCall', message, block, {
        tracer: 'prestateTracer',
        tracerConfig: { diffMode: true },
      });
      await both.step('debug_traceCall', message, block, {});
      await both.step('trace_call', message, ['trace', 'stateDiff', 'vmTrace'], block);
      const blockStateCalls = [{ calls: [message, message] }, { calls: [message] }];
      await both.step('eth_simulateV1', { blockStateCalls, traceTransfers: true }, block);
      await both.step(
        'trace_callMany',
        [
          [message, ['trace']],
          [message, ['stateDiff']],
        ],
        block,
      );
      await both.step('eth_call', message, block, { [apple.address]: { stateDiff: { [slot]: slot } } });
      await both.step('eth_call', message, block, { [apple.address]: { state: {} } });
      await both.step('eth_call', message, block, {}, { number: '0x1000', time: '0x70000000' });
      await both.step('eth_estimateGas', message, block, { [bob]: { balance: '0x0' } });
    }
  }
  expect(both.differences()).toEqual([]);
});

test('default: methods of Otterscan have the history of both chains', async () => {
  const { both, world, remoteUrl, number } = pair;
  const { alice, bob, apple, hashes } = world;
  await both.step('eth_sendTransaction', { from: alice, to: bob, value: '0x7' });
  await both.step('eth_sendTransaction', { from: bob, to: alice, value: '0x8' });
  const [pool] = await call(remoteUrl, 'eth_getLogs', { fromBlock: '0x0', address: world.factory.address });
  const created = `0x${pool.data.slice(26, 66)}`;
  for (const block of blocks()) await both.step('ots_hasCode', apple.address, block);
  for (const block of ['latest', hex(number + 1), hex(number + 50)]) {
    await both.step('ots_getBlockDetails', block);
    await both.step('ots_getBlockTransactions', block, 0, 5);
  }
  await both.step('ots_getBlockDetailsByHash', UNKNOWN);
  for (const one of [...hashes, UNKNOWN]) {
    await both.step('ots_getTransactionError', one);
    await both.step('ots_traceTransaction', one);
    await both.step('ots_getInternalOperations', one);
  }
  for (const nonce of [0, 3, hashes.length - 1, hashes.length, 500]) {
    await both.step('ots_getTransactionBySenderAndNonce', alice, nonce);
    await both.step('eth_getTransactionBySenderAndNonce', alice, hex(nonce));
  }
  for (const address of [apple.address, created, alice]) await both.step('ots_getContractCreator', address);
  for (const end of ['Before', 'After']) {
    for (const block of [0, 1, 3, number, number + 1, number + 2, number + 9]) {
      for (const size of [1, 3, 25]) await both.step(`ots_searchTransactions${end}`, alice, block, size);
    }
  }
  await both.step('ots_searchTransactionsBefore', alice, 'x', 5);
  await both.step('ots_searchTransactionsBefore', alice, 0, 5_000);
  expect(both.differences()).toEqual([]);
});

test('default: Otterscan gets remote blocks with their fees, and pages of their transactions', async () => {
  const { remoteUrl, forkedUrl, number } = pair;
  for (const at of ['0x3', hex(number)]) {
    const { transactions, ...header } = await call(remoteUrl, 'eth_getBlockByNumber', at, true);
    const receipts = await call(remoteUrl, 'eth_getBlockReceipts', at);
    const [{ gasUsed, effectiveGasPrice }] = receipts;
    const block = { ...header, logsBloom: null, transactionCount: 1, transactions: [] };
    const details = await call(forkedUrl, 'ots_getBlockDetails', at);
    expect(details).toMatchObject({ block, totalFees: hex(BigInt(gasUsed) * BigInt(effectiveGasPrice)) });
    expect(await call(forkedUrl, 'ots_getBlockDetailsByHash', header.hash)).toEqual(details);
    const { fullblock, ...page } = await call(forkedUrl, 'ots_getBlockTransactions', at, 0, 5);
    const input = transactions[0].input.slice(0, 10);
    expect(fullblock).toEqual({ ...block, transactions: [{ ...transactions[0], input }] });
    expect(page).toEqual({ receipts: [{ ...receipts[0], logs: null, logsBloom: null }] });
    const next = await call(forkedUrl, 'ots_getBlockTransactions', at, 1, 5);
    expect(next).toEqual({ fullblock: block, receipts: [] });
  }
  for (const [method, ...rest] of [
    ['ots_getBlockTransactions', 'x', 5],
    ['ots_getBlockTransactions', 0, 5_000],
    ['eth_getTransactionByBlockNumberAndIndex', 'x'],
  ] as const) {
    const wrong = call(forkedUrl, method, '0x3', ...rest);
    await expect(wrong).rejects.toThrow(/invalid argument 1 \((page|index)\)|invalid argument 2 \(size\)/);
  }
});

test('default: the logs of a filter are those of both chains', async () => {
  const { remoteUrl, forkedUrl, world, number } = pair;
  const topics = [[`0x${'ab'.repeat(32)}`, null]];
  for (const criteria of [
    { fromBlock: '0x1', address: world.apple.address },
    { fromBlock: '0x1', toBlock: hex(number - 1) },
    { fromBlock: hex(number + 1), toBlock: 'latest' },
    { fromBlock: 'earliest', toBlock: 'latest', topics },
    {},
  ]) {
    const id = await call(forkedUrl, 'eth_newFilter', criteria);
    const expected = await call(forkedUrl, 'eth_getLogs', criteria);
    expect(await call(forkedUrl, 'eth_getFilterLogs', id)).toEqual(expected);
    expect(await call(forkedUrl, 'eth_getFilterChanges', id)).toEqual([]);
  }
  const found = await call(remoteUrl, 'eth_getLogs', { fromBlock: '0x1', address: world.apple.address });
  expect(found.length).toBeGreaterThan(2);
  const pending = await call(forkedUrl, 'eth_newBlockFilter');
  await expect(call(forkedUrl, 'eth_getFilterLogs', pending)).rejects.toThrow('filter not found');
  await expect(call(forkedUrl, 'eth_getFilterLogs', '0x1')).rejects.toThrow('filter not found');
});

test('error: a block or transaction of the remote chain after the fork is none of this chain', async () => {
  const { remoteUrl, forkedUrl, world } = pair;
  const hash = await call(remoteUrl, 'eth_sendTransaction', {
    from: world.alice,
    to: world.bob,
    value: '0x1',
  });
  const { blockHash } = await call(remoteUrl, 'eth_getTransactionReceipt', hash);
  expect(await call(forkedUrl, 'eth_getTransactionByHash', hash)).toBeNull();
  expect(await call(forkedUrl, 'eth_getBlockByHash', blockHash, false)).toBeNull();
  await expect(call(forkedUrl, 'debug_traceTransaction', hash)).rejects.toThrow('transaction not found');
  await expect(call(forkedUrl, 'eth_getBalance', world.bob, { blockHash })).rejects.toThrow('not found');
});
