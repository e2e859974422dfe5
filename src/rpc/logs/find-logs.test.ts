import { expect, test } from 'vitest';
import type { BlockSummary, FoundLog } from '../../ledger/index.ts';
import { toAddress, toBlockId, toHash } from '../../protocol/index.ts';
import { call, stubDispatcher, stubLedger } from '../rpc.testing.ts';

const MEBIBYTE = 1024 * 1024;

/** Returns a node that finds two logs with this much data each. */
function nodeWith(bytes: number) {
  const log: FoundLog = {
    block: { number: 1, id: toBlockId(new Uint8Array(20)), header: { timestamp: 0 } } as BlockSummary,
    index: 0,
    operation: 0,
    transactionHash: toHash(new Uint8Array(32)),
    address: toAddress(new Uint8Array(20)),
    topics: [],
    data: new Uint8Array(bytes),
  };
  const head = () => ({ number: 1 }) as BlockSummary;
  return stubDispatcher({
    ledger: stubLedger({ blocks: { head, logs: () => ({ logs: [log, log], complete: true }) } }),
  });
}

test('default', () => {
  expect(call(nodeWith(32), 'eth_getLogs')).toHaveLength(2);
});

test('error: a search beyond its limit', () => {
  const head = () => ({ number: 9 }) as BlockSummary;
  const node = stubDispatcher({
    ledger: stubLedger({ blocks: { head, logs: () => ({ logs: [], complete: false, abortedAt: 7 }) } }),
  });
  expect(call(node, 'eth_getLogs', { fromBlock: '0x0' })).toEqual({
    code: -32005,
    message:
      'the search for logs exceeds the limit of work for one query at block 0x7: ' +
      'request a narrower range of blocks',
  });
});

test('error: more data than a response may have', () => {
  expect(call(nodeWith(32 * MEBIBYTE + 1), 'eth_getLogs')).toEqual({
    code: -32005,
    message:
      'the logs carry 67108866 bytes of data, more than the limit of 67108864 for one response: ' +
      'request a narrower range of blocks',
  });
});
