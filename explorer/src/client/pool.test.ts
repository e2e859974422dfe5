import { expect, test } from 'vitest';
import type { Transaction } from './blocks.ts';
import { type NextBlock, withReasons } from './pool.ts';

const NEXT: NextBlock = { gasLimit: 100n, baseFee: 7n, schedule: { kind: 'manual' } };

function transactionOf(fields: Partial<Transaction>): Transaction {
  return {
    hash: '0x01',
    blockNumber: undefined,
    index: undefined,
    timestamp: undefined,
    from: '0x02',
    to: '0x03',
    value: 0n,
    gas: 21n,
    gasPrice: 9n,
    maxFee: undefined,
    maxPriorityFee: undefined,
    nonce: 0n,
    input: '0x',
    type: 0,
    authorizations: [],
    isSigned: true,
    blobs: [],
    ...fields,
  };
}

test('default: by nonce, each with its reason', () => {
  const transactions = [
    transactionOf({ nonce: 9n }),
    transactionOf({ nonce: 5n }),
    transactionOf({ nonce: 6n, gas: 101n }),
    transactionOf({ nonce: 7n }),
  ];
  expect(
    withReasons(transactions, 5n, NEXT).map(({ transaction, reason }) => [transaction.nonce, reason]),
  ).toEqual([
    [5n, { kind: 'manual' }],
    [6n, { kind: 'gas', gas: 101n, limit: 100n }],
    [7n, { kind: 'nonce', missing: 6n }],
    [9n, { kind: 'nonce', missing: 6n }],
  ]);
});

test('behavior: a fee below the base fee, of either type', () => {
  const transactions = [
    transactionOf({ nonce: 0n, maxFee: 6n }),
    transactionOf({ from: '0x04', nonce: 0n, gasPrice: 5n }),
  ];
  expect(transactions.map((one) => withReasons([one], 0n, NEXT)[0]?.reason)).toEqual([
    { kind: 'fee', fee: 6n, baseFee: 7n },
    { kind: 'fee', fee: 5n, baseFee: 7n },
  ]);
});

test('behavior: native operations have no nonces', () => {
  const transactions = [transactionOf({ isSigned: false, nonce: 3n, gas: 999n })];
  expect(withReasons(transactions, 0n, NEXT)[0]?.reason).toEqual({ kind: 'manual' });
});
