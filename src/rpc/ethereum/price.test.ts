import { beforeEach, describe, expect, test } from 'vitest';
import { ethereumAddress } from '../../ledger/ethereum.testing.ts';
import { toPrefixedHex } from '../../protocol/index.ts';
import { ethereumAnswer, ethereumCall } from '../rpc.testing.ts';
import { type EthereumChain, openEthereumChain, word } from './chain.testing.ts';

/** Returns GASPRICE and BASEFEE. */
const PRICES = '0x3a5f524860205260405ff3';
/** Fails unless both are 0. */
const NOTHING_PAID = '0x3a4817600757005bfe';
const NOTHING = '00'.repeat(32);
const to = `0x${'ab'.repeat(20)}`;
const from = toPrefixedHex(ethereumAddress(0));
const BASE_FEE = 10_000_000_000;
const MORE = '0x4a817c800';
const overrides = { [to]: { code: PRICES } };

let chain: EthereumChain;

beforeEach(async () => {
  chain = await openEthereumChain();
});

const ask = (method: string, ...parameters: readonly unknown[]): unknown =>
  ethereumCall(chain.dispatcher, method, ...parameters);

/** Both words as a call returns them. */
const prices = (price: number, baseFee: number): string =>
  `${toPrefixedHex(word(price))}${toPrefixedHex(word(baseFee)).slice(2)}`;

describe('a call', () => {
  test.each([
    ['no price', {}, 0, 0],
    ['a price of 0', { gasPrice: '0x0' }, 0, 0],
    ['a fee of 0', { maxFeePerGas: '0x0', maxPriorityFeePerGas: '0x0' }, 0, 0],
    ['a price', { gasPrice: MORE }, 20_000_000_000, BASE_FEE],
    ['a fee and no tip', { maxFeePerGas: MORE }, BASE_FEE, BASE_FEE],
    ['a fee and a tip', { maxFeePerGas: MORE, maxPriorityFeePerGas: '0x5' }, BASE_FEE + 5, BASE_FEE],
    [
      'a fee that the tip reaches',
      { maxFeePerGas: MORE, maxPriorityFeePerGas: MORE },
      2 * BASE_FEE,
      BASE_FEE,
    ],
  ])('args: %s', async (_title, fees, price, baseFee) => {
    const seen = prices(price, baseFee);
    expect(ask('eth_call', { from, to, ...fees }, 'latest', overrides)).toBe(seen);
    const pending = [{ from, to, ...fees }, 'pending', overrides];
    expect(await ethereumAnswer(chain.dispatcher, 'eth_call', ...pending)).toBe(seen);
  });

  test('behavior: the base fee can be overridden', () => {
    const block = { baseFeePerGas: '0x7' };
    expect(ask('eth_call', { to }, 'latest', overrides, block)).toBe(`0x${NOTHING}${NOTHING}`);
    expect(ask('eth_call', { from, to, gasPrice: '0x9' }, 'latest', overrides, block)).toBe(prices(9, 7));
  });
});

test('behavior: an estimate sees price 0, too, unless one is given, and funds then limit its gas', () => {
  const code = { [to]: { code: NOTHING_PAID } };
  expect(Number(ask('eth_estimateGas', { from, to }, 'latest', code))).toBeGreaterThan(21_000);
  expect(ask('eth_estimateGas', { from, to, gasPrice: MORE }, 'latest', code)).toMatchObject({
    code: -32000,
  });
  const poor = { [from]: { balance: `0x${(20_999n * 20_000_000_000n).toString(16)}` } };
  expect(ask('eth_estimateGas', { from, to, maxFeePerGas: MORE }, 'latest', poor)).toEqual({
    code: -32000,
    message: 'gas required exceeds allowance (20999)',
  });
  expect(ask('eth_estimateGas', { from, to }, 'latest', poor)).toBe('0x5208');
});

test('behavior: an access list is computed with the fees filled in', () => {
  const code = { [to]: { code: '0x3a545000' } };
  expect(ask('eth_createAccessList', { from, to }, 'latest', code)).toMatchObject({
    accessList: [{ address: to, storageKeys: [toPrefixedHex(word(BASE_FEE))] }],
  });
  expect(ask('eth_createAccessList', { from, to, gasPrice: '0x0' }, 'latest', code)).toMatchObject({
    accessList: [{ address: to, storageKeys: [`0x${NOTHING}`] }],
  });
});

test('behavior: simulated blocks have a base fee only with validation or with an override', () => {
  const simulate = (request: object, more: object, blockOverrides?: object): unknown =>
    ask('eth_simulateV1', {
      blockStateCalls: [{ calls: [{ from, to, ...request }], stateOverrides: overrides, blockOverrides }],
      ...more,
    });
  const answer = (price: number, baseFee: number) => [
    { baseFeePerGas: `0x${baseFee.toString(16)}`, calls: [{ returnData: prices(price, baseFee) }] },
  ];
  expect(simulate({}, {})).toMatchObject(answer(0, 0));
  expect(simulate({ gasPrice: '0x9' }, {})).toMatchObject(answer(9, 0));
  expect(simulate({ gasPrice: '0x9' }, {}, { baseFeePerGas: '0x7' })).toMatchObject(answer(9, 7));
  expect(simulate({ maxFeePerGas: MORE }, { validation: true })).toMatchObject(answer(BASE_FEE, BASE_FEE));
});
