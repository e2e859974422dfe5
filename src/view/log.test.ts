import { expect, test } from 'vitest';
import { hexToBytes, toAddress, toHash } from '../protocol/index.ts';
import { foundLog } from './index.ts';
import { LIVE_SUMMARY } from './view.testing.ts';

test('default: a log that a query found', () => {
  const found = {
    block: LIVE_SUMMARY,
    index: 17,
    operation: 3,
    transactionHash: toHash(hexToBytes('07'.repeat(32))),
    address: toAddress(hexToBytes('0100000000000000000000000000000000000005')),
    topics: [toHash(hexToBytes('ab'.repeat(32)))],
    data: hexToBytes('00ff'),
  };
  expect(foundLog(found)).toEqual({
    removed: false,
    logIndex: '0x11',
    transactionIndex: '0x3',
    transactionHash: `0x${'07'.repeat(32)}`,
    blockHash: `0x${'00'.repeat(12)}00000bb870e5fd1b147a3fa3cd693129cacdf680`,
    blockNumber: '0xbb8',
    address: '0x0100000000000000000000000000000000000005',
    data: '0x00ff',
    topics: [`0x${'ab'.repeat(32)}`],
  });
});
