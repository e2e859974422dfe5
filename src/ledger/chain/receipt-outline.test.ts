import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encode, toAddress, toHash } from '../../protocol/index.ts';
import { outlineOf, StoredReceipt } from './receipt-outline.ts';
import { type OperationReceipt, receiptCodec } from './records.ts';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const address = bytes(20).map(toAddress);
const receipts = fc.record<OperationReceipt>({
  status: fc.constantFrom('success', 'failure'),
  gasUsed: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  contractAddress: fc.option(address, { nil: undefined }),
  logs: fc.array(
    fc.record({
      address,
      topics: fc.array(bytes(32).map(toHash), { maxLength: 4 }),
      data: fc.uint8Array({ maxLength: 200 }),
    }),
    { maxLength: 5 },
  ),
  firstLogIndex: fc.nat(100_000),
  output: fc.uint8Array({ maxLength: 200 }),
});

test('behavior: an outline has the fields of the decoded receipt', () => {
  fc.assert(
    fc.property(receipts, (receipt) => {
      for (const outline of [new StoredReceipt(encode(receiptCodec, receipt)), outlineOf(receipt)]) {
        const { status, gasUsed, contractAddress, firstLogIndex, output, logCount } = outline;
        const logs = [...outline.logs()];
        expect({ status, gasUsed, contractAddress, logs, firstLogIndex, output }).toEqual(receipt);
        expect(logCount).toBe(receipt.logs.length);
      }
    }),
  );
});
