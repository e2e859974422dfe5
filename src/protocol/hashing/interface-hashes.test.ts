import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  blockHashOf,
  blockIdOfHash,
  bytesToHex,
  hexToBytes,
  pendingTransactionHash,
  processedTransactionHash,
  splitTransactionHash,
  toBlockId,
  toHash,
  toOperationHash,
} from '../index.ts';

const native = '0bb70ca6b57b1a868a06ad0882694d70c41f1234';
const operationHash = toOperationHash(hexToBytes(native));

describe('block hash', () => {
  test('default', () => {
    const hash = blockHashOf(toBlockId(hexToBytes(native)));
    expect(bytesToHex(hash)).toBe(`${'00'.repeat(12)}${native}`);
    expect(bytesToHex(blockIdOfHash(hash) ?? new Uint8Array())).toBe(native);
  });

  test('behavior: no id if any of the twelve leading bytes is non-zero', () => {
    for (let index = 0; index < 12; index++) {
      const hash = blockHashOf(toBlockId(hexToBytes(native)));
      hash[index] = 1;
      expect(blockIdOfHash(hash)).toBeUndefined();
    }
  });
});

describe('transaction hash', () => {
  test('default: pending', () => {
    const hash = pendingTransactionHash(operationHash);
    expect(bytesToHex(hash)).toBe(`${'00'.repeat(12)}${native}`);
    expect(splitTransactionHash(hash)).toStrictEqual({ kind: 'pending', operationHash });
  });

  test('default: processed', () => {
    const hash = processedTransactionHash(0xbb8, 0x0102, operationHash);
    expect(bytesToHex(hash)).toBe(`0000000000000bb800000102${native}`);
    expect(splitTransactionHash(hash)).toStrictEqual({
      kind: 'processed',
      block: 0xbb8,
      index: 0x102,
      operationHash,
    });
  });

  test('behavior: there and back', () => {
    const uint32 = fc.integer({ min: 0, max: 0xffff_ffff });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 0xffff_ffff }), uint32, (block, index) => {
        const parts = splitTransactionHash(processedTransactionHash(block, index, operationHash));
        expect(parts).toStrictEqual({ kind: 'processed', block, index, operationHash });
      }),
    );
  });

  test('behavior: undefined if one of the first four bytes is non-zero', () => {
    expect(splitTransactionHash(toHash(hexToBytes(`00000001${'00'.repeat(8)}${native}`)))).toBeUndefined();
  });
});
