import { describe, expect, test } from 'vitest';
import type { BlockSummary } from '../ledger/index.ts';
import { LOG_MESSAGE_CHARACTERS_MAX } from '../limits.ts';
import { toBlockId } from '../protocol/index.ts';
import { blockLine, failureLine, printable } from './log.ts';
import { plain } from './paint.ts';

const ID = '0000000c00112233445566778899aabbccddeeff';

function block(operationCount: number, feesCollected: bigint): BlockSummary {
  const facts = { number: 12, id: toBlockId(Buffer.from(ID, 'hex')), operationCount, feesCollected };
  // The line needs no more of a block than this.
  return facts as unknown as BlockSummary;
}

describe('blockLine', () => {
  test('default', () => {
    expect(blockLine(block(2, 51_234n), plain)).toBe(
      `block 12  0x${'0'.repeat(24)}${ID}  2 operations  gas 51234\n`,
    );
  });

  test('behavior: one operation', () => {
    expect(blockLine(block(1, 20n), plain)).toMatch(/ {2}1 operation {2}gas 20\n$/);
  });
});

describe('failureLine', () => {
  test('default', () => {
    expect(failureLine('eth_sign', 'account 0x01 is locked', plain)).toBe(
      'failed eth_sign: account 0x01 is locked\n',
    );
  });

  test('behavior: neither text can break the line or command the terminal', () => {
    expect(failureLine('a\nb', '\x1b[2Jc\u202ed', plain)).toBe('failed a\\u000ab: \\u001b[2Jc\\u202ed\n');
  });
});

test('behavior: an overlong message is cut', () => {
  const line = printable('x'.repeat(LOG_MESSAGE_CHARACTERS_MAX + 1));
  expect(line).toBe(`${'x'.repeat(LOG_MESSAGE_CHARACTERS_MAX)}…`);
});
