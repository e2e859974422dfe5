import { describe, expect, test } from 'vitest';
import type { IncludedOperation } from '../ledger/index.ts';
import { contractAddress, contractId, toPrefixedHex } from '../protocol/index.ts';
import { CREATION, included, RECEIPT, TRANSFER } from './formatters.testing.ts';
import { logsBloom, toReceipt, toTransaction } from './index.ts';
import { type LogPosition, toLogs } from './log.ts';

function positionIn({ block, index, hash }: IncludedOperation): LogPosition {
  return { block, operation: index, transactionHash: hash };
}

const BLOCK_HASH = '0x00000000000000000000000000000bb870e5fd1b147a3fa3cd693129cacdf680';

describe('toReceipt', () => {
  test('default', () => {
    const operation = included(TRANSFER);
    expect(toReceipt(operation, RECEIPT)).toEqual({
      type: '0x0',
      transactionHash: toTransaction(operation).hash,
      transactionIndex: '0x0',
      blockHash: BLOCK_HASH,
      blockNumber: '0xbb8',
      from: '0x0000000000000000000000000000000000000018',
      to: '0x0000000000000000000000000000000000000254',
      cumulativeGasUsed: '0x53fc',
      gasUsed: '0x53fc',
      effectiveGasPrice: '0x1',
      contractAddress: null,
      logs: toLogs(positionIn(operation), RECEIPT),
      logsBloom: toPrefixedHex(logsBloom(RECEIPT.logs)),
      status: '0x1',
    });
  });

  test('behavior: a failed creation without an address', () => {
    const failed = { ...RECEIPT, status: 'failure', logs: [] } as const;
    expect(toReceipt(included(CREATION), failed)).toMatchObject({
      status: '0x0',
      to: null,
      contractAddress: null,
      logs: [],
      logsBloom: `0x${'00'.repeat(256)}`,
    });
  });

  test('behavior: the address of a created contract', () => {
    const created = { ...RECEIPT, contractAddress: contractAddress(contractId(5)) };
    expect(toReceipt(included(CREATION), created).contractAddress).toBe(
      '0x0100000000000000000000000000000000000005',
    );
  });
});

describe('toLogs', () => {
  test('default', () => {
    const operation = included(TRANSFER);
    const common = {
      removed: false,
      transactionIndex: '0x0',
      transactionHash: toTransaction(operation).hash,
      blockHash: BLOCK_HASH,
      blockNumber: '0xbb8',
      blockTimestamp: '0x5df7ba9d',
    };
    expect(toLogs(positionIn(operation), RECEIPT)).toEqual([
      {
        ...common,
        logIndex: '0x2',
        address: '0x0100000000000000000000000000000000000005',
        data: '0x00ff',
        topics: [`0x${'ab'.repeat(32)}`, `0x${'cd'.repeat(32)}`],
      },
      {
        ...common,
        logIndex: '0x3',
        address: '0x0100000000000000000000000000000000000006',
        data: '0x',
        topics: [],
      },
    ]);
  });
});
