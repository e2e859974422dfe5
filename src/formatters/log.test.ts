import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hexToBytes, toAddress, toBlockId, toHash } from '../protocol/index.ts';
import { LIVE_SUMMARY } from './formatters.testing.ts';
import { logsText, toLog } from './index.ts';

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
  expect(toLog(found)).toEqual({
    removed: false,
    logIndex: '0x11',
    transactionIndex: '0x3',
    transactionHash: `0x${'07'.repeat(32)}`,
    blockHash: `0x${'00'.repeat(12)}00000bb870e5fd1b147a3fa3cd693129cacdf680`,
    blockNumber: '0xbb8',
    blockTimestamp: '0x5df7ba9d',
    address: '0x0100000000000000000000000000000000000005',
    data: '0x00ff',
    topics: [`0x${'ab'.repeat(32)}`],
  });
});

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const hash = bytes(32).map(toHash);
const position = fc
  .record({
    number: fc.nat(2 ** 32 - 1),
    id: bytes(20).map(toBlockId),
    timestamp: fc.nat(2 ** 32 - 1),
    operation: fc.nat(10_000),
    transactionHash: hash,
  })
  .map(({ number, id, timestamp, ...rest }) => {
    const header = { ...LIVE_SUMMARY.header, timestamp };
    return { block: { ...LIVE_SUMMARY, number, id, header }, ...rest };
  });
const log = fc.record({
  index: fc.nat(100_000),
  address: bytes(20).map(toAddress),
  topics: fc.array(hash, { maxLength: 4 }),
  data: fc.uint8Array({ maxLength: 100 }),
});
const found = fc
  .array(fc.tuple(position, fc.array(log, { maxLength: 3 })), { maxLength: 4 })
  .map((operations) => operations.flatMap(([common, logs]) => logs.map((one) => ({ ...common, ...one }))));

test('logsText: behavior: the text of the log objects', () => {
  fc.assert(
    fc.property(found, (logs) => {
      expect(logsText(logs)).toBe(JSON.stringify(logs.map(toLog)));
    }),
  );
  expect(logsText([])).toBe('[]');
});
