import { describe, expect, test } from 'vitest';
import type { BlockSummary } from '../../ledger/index.ts';
import { bytesToHex } from '../../protocol/index.ts';
import { call, stubDispatcher, stubLedger } from '../rpc.testing.ts';

const ID = '000000050000000000000000000000000000abcd';
const HASH = `0x${'00'.repeat(12)}${ID}`;
const UNKNOWN = `0x${'00'.repeat(12)}${'00'.repeat(19)}01`;

/** Block 5, the head, has three operations and block 0 has none; counting needs no more of a block. */
function summary(number: number, operationCount: number): BlockSummary {
  return { number, operationCount } as BlockSummary;
}

const dispatcher = stubDispatcher({
  ledger: stubLedger({
    blocks: {
      head: () => summary(5, 3),
      blockByNumber: (number) => (number === 0 ? summary(0, 0) : number === 5 ? summary(5, 3) : undefined),
      blockById: (id) => (bytesToHex(id) === ID ? summary(5, 3) : undefined),
      operationAt: () => undefined,
    },
    pool: { findOperation: () => undefined, pendingOperations: () => [], queuedOperations: () => [] },
  }),
});

describe('blocks by hash', () => {
  test('default', () => {
    expect(call(dispatcher, 'eth_getBlockTransactionCountByHash', HASH)).toBe('0x3');
  });

  test('behavior: null for an unknown hash', () => {
    for (const hash of [UNKNOWN, `0x01${HASH.slice(4)}`, `0x${'ff'.repeat(32)}`]) {
      expect(call(dispatcher, 'eth_getBlockTransactionCountByHash', hash)).toBeNull();
      expect(call(dispatcher, 'eth_getBlockByHash', hash, true)).toBeNull();
      expect(call(dispatcher, 'eth_getTransactionByBlockHashAndIndex', hash, '0x0')).toBeNull();
    }
  });
});

describe('blocks by number or tag', () => {
  test.each([
    ['latest', '0x3'],
    ['earliest', '0x0'],
    ['pending', '0x0'],
    ['0x5', '0x3'],
    ['0x0005', '0x3'],
    [5, '0x3'],
    [0, '0x0'],
  ])('args: %j', (selector, count) => {
    expect(call(dispatcher, 'eth_getBlockTransactionCountByNumber', selector)).toBe(count);
  });

  test('behavior: null beyond the head', () => {
    for (const number of [6, '0xffffffff', '0x100000005', `0x${'f'.repeat(64)}`]) {
      expect(call(dispatcher, 'eth_getBlockTransactionCountByNumber', number)).toBeNull();
      expect(call(dispatcher, 'eth_getBlockByNumber', number, false)).toBeNull();
      expect(call(dispatcher, 'eth_getTransactionByBlockNumberAndIndex', number, 0)).toBeNull();
    }
  });
});

describe('transactions', () => {
  test('behavior: null for an index that the block does not have', () => {
    for (const index of [3, '0x3', '0x100000000', `0x${'f'.repeat(64)}`]) {
      expect(call(dispatcher, 'eth_getTransactionByBlockNumberAndIndex', 'latest', index)).toBeNull();
      expect(call(dispatcher, 'eth_getTransactionByBlockHashAndIndex', HASH, index)).toBeNull();
    }
  });

  test('behavior: null for an unknown hash', () => {
    expect(call(dispatcher, 'eth_getTransactionByHash', UNKNOWN)).toBeNull();
    expect(call(dispatcher, 'eth_getTransactionReceipt', UNKNOWN)).toBeNull();
    expect(call(dispatcher, 'eth_pendingTransactions')).toEqual([]);
  });
});
