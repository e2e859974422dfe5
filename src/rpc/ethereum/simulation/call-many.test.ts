import { describe, expect, test } from 'vitest';
import { ethereumAddress, sendBy } from '../../../ledger/ethereum.testing.ts';
import { createAddress, hexToBytes, toPrefixedHex } from '../../../protocol/index.ts';
import { call, ethereumCall } from '../../rpc.testing.ts';
import { LOGGING_CODE, openEthereumChain, word } from '../chain.testing.ts';

const from = toPrefixedHex(ethereumAddress(0));
const TARGET = `0x${'77'.repeat(20)}`;
/** Returns slot 0, and stores the first word of the call data there. */
const SWAPPING = '0x5f545f355f555f5260205ff3';
const CODE = { [TARGET]: { code: SWAPPING } };
const swap = (value: number) => ({ to: TARGET, data: toPrefixedHex(word(value)) });
/** Returns NUMBER, TIMESTAMP, COINBASE, GASLIMIT, BASEFEE and the hash of block 1. */
const CONTEXT = '0x435f524260205241604052456060524860805260014060a05260c05ff3';
const hex = (value: number): string => toPrefixedHex(word(value));

async function simulator() {
  const { ledger, dispatcher } = await openEthereumChain();
  const callMany = (...parameters: readonly unknown[]): unknown =>
    ethereumCall(dispatcher, 'eth_callMany', ...parameters);
  return { ledger, dispatcher, callMany };
}

describe('bundles', () => {
  test('default: each call sees the state of the calls before it, in its bundle and before', async () => {
    const { ledger, callMany } = await simulator();
    const bundles = [{ transactions: [swap(5), swap(6)] }, { transactions: [swap(7)] }];
    const expected = [[{ value: hex(0) }, { value: hex(5) }], [{ value: hex(6) }]];
    expect(callMany(bundles, { blockNumber: 'latest' }, CODE)).toEqual(expected);
    expect(callMany(bundles, { blockNumber: 'latest', transactionIndex: -1 }, CODE, 5_000)).toEqual(expected);
    expect(callMany(bundles, 'latest', CODE)).toEqual(expected);
    expect(callMany(bundles, null, CODE)).toEqual(expected);
    expect(ledger.blocks.head().number).toBe(0);
  });

  test('behavior: failed calls are results, and change nothing', async () => {
    const { callMany } = await simulator();
    const reverting = { [`0x${'78'.repeat(20)}`]: { code: '0x60015f5260205ffd' } };
    const halting = { [`0x${'79'.repeat(20)}`]: { code: '0xfe' } };
    const transactions = [
      ...[swap(5), { to: `0x${'78'.repeat(20)}` }, { to: `0x${'79'.repeat(20)}`, gas: '0x186a0' }],
      ...[{ to: TARGET, gas: '0x5300' }, swap(0)],
    ];
    expect(callMany([{ transactions }], {}, { ...CODE, ...reverting, ...halting })).toEqual([
      [
        { value: hex(0) },
        { error: { message: expect.stringMatching(/^execution reverted/), data: hex(1) } },
        { error: 'invalid opcode' },
        { error: 'out of gas' },
        { value: hex(5) },
      ],
    ]);
  });

  test('behavior: a block is that of the state, then one number and one second later for each bundle', async () => {
    const { ledger, callMany } = await simulator();
    ledger.miner.mine();
    const { number, header } = ledger.blocks.head();
    const transactions = [{ to: TARGET }];
    const hash = `0x${'ab'.repeat(32)}`;
    const blockOverride = { blockNumber: '0x9', timestamp: '0x77777777', coinbase: from, baseFee: '0x5' };
    const results = callMany(
      [
        { transactions },
        { transactions },
        { transactions, blockOverride: { ...blockOverride, blockHash: { 1: hash } } },
        { transactions },
      ],
      { blockNumber: '0x1' },
      { [TARGET]: { code: CONTEXT } },
    ) as { value: string }[][];
    const words = results.map(([result]) => result?.value.slice(2).match(/.{64}/g) ?? []);
    const numbers = words.map((all) => all.slice(0, 2).map((digits) => Number(`0x${digits}`)));
    expect(numbers).toEqual([
      [number, header.timestamp],
      [number + 1, header.timestamp + 1],
      [9, 0x77777777],
      [10, 0x77777778],
    ]);
    expect(words.map(([, , coinbase, , baseFee, blockHash]) => [coinbase, baseFee, blockHash])[3]).toEqual([
      from.slice(2).padStart(64, '0'),
      hex(5).slice(2),
      hash.slice(2),
    ]);
  });

  test('behavior: calls raise nonces, and with a price they pay', async () => {
    const { callMany } = await simulator();
    const [poor, rich] = [`0x${'31'.repeat(20)}`, from];
    const creation = { from: rich, data: toPrefixedHex(hexToBytes('5f5ff3')) };
    // Two creations by one sender have two addresses, of which the second runs its code.
    const second = toPrefixedHex(createAddress(ethereumAddress(0), 1n));
    const creating = { from: rich, data: `0x600c8060095f395ff3${SWAPPING.slice(2)}` };
    const calls = [creation, creating, { ...swap(9), to: second }, { ...swap(8), to: second }];
    expect(callMany([{ transactions: calls }])).toEqual([
      [{ value: '0x' }, { value: SWAPPING }, { value: hex(0) }, { value: hex(9) }],
    ]);
    const priced = { from: poor, to: TARGET, gasPrice: '0x174876e800', gas: '0x5208' };
    expect(callMany([{ transactions: [priced] }])).toMatchObject({
      code: -38014,
      message: expect.stringContaining('insufficient funds for gas * price + value'),
    });
    expect(callMany([{ transactions: [priced] }], {}, { [poor]: { balance: '0xde0b6b3a7640000' } })).toEqual([
      [{ value: '0x' }],
    ]);
  });
});

describe('positions', () => {
  test('behavior: within a block, after some of its transactions', async () => {
    const { ledger, dispatcher } = await openEthereumChain({ mining: 'manual' });
    const contract = createAddress(ethereumAddress(0), 0n);
    const slot = { to: toPrefixedHex(contract), data: toPrefixedHex(word(9)) };
    sendBy(0, ledger, { to: undefined, data: LOGGING_CODE, gas: 200_000n });
    sendBy(0, ledger, { to: contract, data: word(7), gas: 100_000n });
    ledger.miner.mine();
    ledger.miner.mine();
    const sized = { to: TARGET };
    // Returns the size of the contract's code.
    const accounts = { [TARGET]: { code: `0x73${toPrefixedHex(contract).slice(2)}3b5f5260205ff3` } };
    const at = (transactionIndex: number, blockNumber = '0x1') =>
      ethereumCall(
        dispatcher,
        'eth_callMany',
        [{ transactions: [sized, slot] }],
        { blockNumber, transactionIndex },
        accounts,
      );
    expect(at(0)).toEqual([[{ value: hex(0) }, { value: '0x' }]]);
    expect(at(1)).toEqual([[{ value: hex(22) }, { value: '0x' }]]);
    expect(at(2)).toEqual(at(-1));
    expect(at(3)).toMatchObject({ code: -32000, message: 'transaction index 3 out of range for block 1' });
    expect(at(0, '0x0')).toEqual([[{ value: hex(0) }, { value: '0x' }]]);
    expect(at(-1, '0x9')).toMatchObject({ code: -32000, message: 'header not found' });
  });
});

describe('errors', () => {
  test('error: no calls, too much gas, and wrong parameters', async () => {
    const { dispatcher, callMany } = await simulator();
    expect(callMany([])).toMatchObject({ code: -32000, message: 'empty bundles' });
    expect(callMany([{ transactions: [] }])).toMatchObject({ code: -32000, message: 'empty bundles' });
    expect(callMany([{ transactions: [swap(1)], blockOverrides: {} }])).toMatchObject({ code: -32602 });
    expect(callMany([{ transactions: [swap(1)] }], { transactionIndex: -2 })).toMatchObject({ code: -32602 });
    expect(callMany(Array(257).fill({ transactions: [] }))).toMatchObject({ code: -32602 });
    // Takes all gas that it gets, so that nothing is left for the next.
    const endless = { [TARGET]: { code: '0x5b5f56' } };
    expect(callMany([{ transactions: [{ to: TARGET }, { to: TARGET }] }], {}, endless)).toMatchObject({
      code: -38013,
      message: expect.stringContaining('intrinsic gas too low'),
    });
    expect(call(dispatcher, 'eth_callMany', [])).toMatchObject({ code: -32601 });
  });
});
