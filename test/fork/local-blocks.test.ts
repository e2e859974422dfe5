import { afterAll, beforeAll, expect, test } from 'vitest';
import { call } from '../rpc-client.js';
import { type ForkedPair, hex, startForkedPair } from './forked-pair.ts';
import { DEADLINE, dataOf, WHALE } from './remote-world.ts';

let pair: ForkedPair;
/** The time stamp of the next block: the clocks of the chains are set. */
let time: number;

beforeAll(async () => {
  pair = await startForkedPair();
  const { timestamp } = await call(pair.remoteUrl, 'eth_getBlockByNumber', 'latest', false);
  time = Number(timestamp) + 1_000;
});

afterAll(() => pair.stop());

/** Sends a transaction to both chains, and compares all that is known about it. */
async function send(transaction: object): Promise<void> {
  const { both } = pair;
  time += 10;
  await both.step('evm_setNextBlockTimestamp', time);
  const hash = await both.step('eth_sendTransaction', { gas: '0x200000', ...transaction });
  await both.step('eth_getTransactionByHash', hash);
  await both.step('eth_getTransactionReceipt', hash);
  await both.step('eth_getRawTransactionByHash', hash);
  await both.step('debug_traceTransaction', hash);
  for (const tracer of ['callTracer', 'prestateTracer'])
    await both.step('debug_traceTransaction', hash, { tracer });
  await both.step('debug_traceTransaction', hash, {
    tracer: 'prestateTracer',
    tracerConfig: { diffMode: true },
  });
  await both.step('trace_transaction', hash);
  await both.step('trace_replayTransaction', hash, ['trace', 'stateDiff', 'vmTrace']);
  await both.step('eth_getBlockByNumber', 'latest', true);
  await both.step('debug_traceBlockByNumber', 'latest', { tracer: 'callTracer' });
  await both.step('trace_block', 'latest');
}

async function sendAll(): Promise<void> {
  const { alice, bob, apple, pear, router, sweep, slots } = pair.world;
  const swap = [10n ** 18n, 0n, [apple.address, pear.address], alice, DEADLINE];
  const all = slots.map(({ address }) => address);
  await pair.both.step('anvil_impersonateAccount', WHALE);
  await send({
    from: WHALE,
    to: apple.address,
    data: dataOf(apple, 'transfer', bob, 5n),
    gasPrice: '0x77359400',
  });
  await send({ from: alice, to: apple.address, data: dataOf(apple, 'approve', router.address, 10n ** 23n) });
  await send({ from: alice, to: router.address, data: dataOf(router, 'swapExactTokensForTokens', ...swap) });
  await send({ from: alice, to: sweep.address, data: dataOf(sweep, 'bump', all, 10n) });
  await send({ from: WHALE, to: bob, value: '0x5' });
  await send({ from: bob, to: pear.address, data: dataOf(pear, 'transfer', alice, 5n) });
}

async function compareRanges(): Promise<void> {
  const { both, world, number } = pair;
  const { apple } = world;
  const whale = `0x${'00'.repeat(12)}${WHALE.slice(2)}`;
  await both.step('eth_getLogs', { fromBlock: '0x0', toBlock: 'latest' });
  await both.step('eth_getLogs', { fromBlock: hex(number - 3), address: apple.address });
  await both.step('eth_getLogs', { fromBlock: hex(number), toBlock: hex(number + 2) });
  await both.step('eth_getLogs', { fromBlock: '0x1', topics: [null, whale] });
  for (const criteria of [
    ...[{ fromBlock: '0x0' }, { fromBlock: hex(number - 3), address: apple.address, topics: [null, whale] }],
    ...[{ fromBlock: '0x2', toBlock: hex(number - 1) }, { fromBlock: hex(number + 1) }, {}],
  ]) {
    await both.filterLogs(criteria);
  }
  await both.step('trace_filter', { fromBlock: '0x1', toBlock: 'latest', count: 3 });
  await both.step('trace_filter', { fromBlock: hex(number), toBlock: 'latest', after: 1, count: 3 });
  await both.step('trace_filter', { fromBlock: hex(number), after: 4 });
  await both.step('trace_filter', { fromBlock: '0x1', toAddress: [apple.address] });
  await both.step('eth_feeHistory', '0x8', 'latest', [10, 50]);
  await both.step('eth_feeHistory', 8, 'latest', []);
  await both.step('eth_feeHistory', '0x2', 'latest');
  await both.step('eth_feeHistory', '0x0', 'latest');
  await both.step('eth_feeHistory', '0x400', hex(number + 2), [1, 0]);
  await both.step('eth_feeHistory', '0x400', hex(number + 2), [0, 1]);
  await both.step('eth_feeHistory', '0x400', hex(number + 2_000), [1]);
}

test('default: transactions on remote contracts, before and after a revert', async () => {
  const { both, world, number } = pair;
  const { apple, bob } = world;
  const balance = { to: apple.address, data: dataOf(apple, 'balanceOf', bob) };
  const snapshot = await both.step('evm_snapshot');
  await sendAll();
  await compareRanges();
  await both.step('eth_call', balance, hex(number + 2));
  await both.step('eth_getBlockReceipts', 'latest');
  await both.step('debug_storageRangeAt', 'latest', 0, apple.address, '0x0', 5);
  expect(both.differences()).toEqual([]);
  await both.step('evm_revert', snapshot);
  await both.step('eth_blockNumber');
  await both.step('eth_getBalance', WHALE, 'latest');
  await both.step('eth_call', balance, 'latest');
  time += 1_000;
  await sendAll();
  await compareRanges();
  expect(both.differences()).toEqual([]);
});

test('default: changed code, slots and nonces, pending transactions, and mined blocks', async () => {
  const { both, world } = pair;
  const { alice, bob, apple, pear, slots } = world;
  const [contract] = slots;
  if (contract === undefined) throw new Error('the world has contracts with slots');
  const slot = (last: string): string => `0x${'00'.repeat(31)}${last}`;
  await both.step('anvil_setStorageAt', apple.address, slot('02'), slot('07'));
  await both.step('eth_call', { to: apple.address, data: dataOf(apple, 'totalSupply') }, 'latest');
  await both.step('anvil_setCode', pear.address, '0x');
  await both.step('eth_getCode', pear.address, 'latest');
  await both.step('anvil_setNonce', WHALE, '0x10');
  await both.step('eth_getTransactionCount', WHALE, 'pending');
  await both.step('anvil_mine', '0x5', '0x10');
  await both.step('hardhat_mine', '0x20', '0x3');
  await both.step('evm_mine', { blocks: 3 });
  await both.step('eth_blockNumber');
  await both.step('evm_setAutomine', false);
  const price = { gas: '0x52080', gasPrice: '0x77359400' };
  const sum = { to: contract.address, data: dataOf(contract, 'sum', 3n) };
  const paid = await both.step('eth_sendTransaction', { from: alice, to: bob, value: '0x1', ...price });
  const bumped = await both.step('eth_sendTransaction', {
    ...{ from: alice, to: contract.address, data: dataOf(contract, 'bump', 3n), ...price },
  });
  await both.step('txpool_content');
  await both.step('eth_getTransactionCount', alice, 'pending');
  for (const block of ['pending', 'latest']) await both.step('eth_call', sum, block);
  await both.step('evm_setNextBlockTimestamp', time + 100_000);
  await both.step('evm_mine');
  for (const hash of [paid, bumped]) await both.step('eth_getTransactionReceipt', hash);
  await both.step('eth_call', sum, 'latest');
  await both.step('evm_setAutomine', true);
  expect(both.differences()).toEqual([]);
});

test('behavior: a transaction that fills a nonce gap is included once, with the next one behind it', async () => {
  const { both, forkedUrl, world } = pair;
  const from = world.bob;
  const nonce = Number(await both.step('eth_getTransactionCount', from, 'latest'));
  const price = { from, gas: '0x52080', gasPrice: '0x77359400' };
  // Its receiver is missing when it can be executed.
  const behind = { ...price, to: `0x${'7b'.repeat(20)}`, value: '0x7', nonce: hex(nonce + 1) };
  const hashes = [
    await both.step('eth_sendTransaction', behind),
    await both.step('eth_sendTransaction', { ...price, to: from, nonce: hex(nonce) }),
  ];
  for (const hash of hashes) {
    const status = async () => (await call(forkedUrl, 'eth_getTransactionReceipt', hash))?.status;
    await expect.poll(status).toBe('0x1');
  }
  expect(await call(forkedUrl, 'eth_getBalance', behind.to, 'latest')).toBe('0x7');
  expect(both.differences()).toEqual([]);
});
