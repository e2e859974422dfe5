import { describe, expect, test } from 'vitest';
import type { BlockSummary } from '../../ledger/index.ts';
import { checksumAddress, invariant, toAddress, toBlockId, toHash } from '../../protocol/index.ts';
import { plain } from '../text.ts';
import { PRINTED_MESSAGE_CHARACTERS_MAX, printable } from './printable.ts';
import { blockLines, failureLine, internalFailureLines, noticeLine } from './text-log.ts';

const ID = '0000000c00112233445566778899aabbccddeeff';

function block(operationCount: number, feesCollected: bigint): BlockSummary {
  const facts = { number: 12, id: toBlockId(Buffer.from(ID, 'hex')), operationCount, feesCollected };
  // The line needs no more of a block than this.
  return facts as unknown as BlockSummary;
}

describe('blockLines', () => {
  test('default', () => {
    expect(blockLines(block(2, 51_234n), undefined, plain)).toBe(
      `block 12  0x${'0'.repeat(24)}${ID}  2 operations  gas 51234\n`,
    );
  });

  test('behavior: one operation', () => {
    expect(blockLines(block(1, 20n), undefined, plain)).toMatch(/ {2}1 operation {2}gas 20\n$/);
  });

  test('args: a chain with Ethereum, and more transactions than are described', () => {
    const [from, created] = [3, 4].map((byte) => toAddress(new Uint8Array(20).fill(byte)));
    invariant(from !== undefined && created !== undefined, 'both are there');
    const common = { hash: toHash(new Uint8Array(32).fill(0xab)), from, to: from, created: undefined };
    const transactions = () => [
      { ...common, gas: 21_000n, isFailure: false },
      { ...common, to: undefined, created, gas: 53_000n, isFailure: false },
      { ...common, gas: 26_000n, isFailure: true },
    ];
    const [, ...lines] = blockLines(block(5, 20n), { gas: 100_000n, transactions }, plain).split('\n');
    const start = `  0x${'ab'.repeat(32)}  from ${checksumAddress(from)}  `;
    expect(lines).toEqual([
      `${start}to ${checksumAddress(from)}  gas 21000`,
      `${start}created ${checksumAddress(created)}  gas 53000`,
      `${start}to ${checksumAddress(from)}  gas 26000  failed`,
      '  and 2 more',
      '',
    ]);
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
  const line = printable('x'.repeat(PRINTED_MESSAGE_CHARACTERS_MAX + 1));
  expect(line).toBe(`${'x'.repeat(PRINTED_MESSAGE_CHARACTERS_MAX)}…`);
});

describe('noticeLine', () => {
  test('default', () => {
    const notice = { kind: 'productionPaused', reason: 'the disk is full' } as const;
    expect(noticeLine(notice, plain)).toMatch(/^error .*: the disk is full\n$/);
  });

  test('behavior: control characters in text from another node are escaped', () => {
    const notice = { kind: 'followedSilent', url: 'http://a', reason: 'a\n\x1b[2J' } as const;
    expect(noticeLine(notice, plain)).toMatch(
      /^warn cannot fetch blocks from http:\/\/a: a\\u000a\\u001b\[2J\n$/,
    );
  });
});

describe('internalFailureLines', () => {
  test('default: reports the failed task, the stack and the cause', () => {
    const error = new Error('no block', { cause: new TypeError('no\nkey') });
    const lines = internalFailureLines('block production', error).split('\n');
    expect(lines[0]).toBe('ledgerd: internal failure in block production: Error: no block');
    expect(lines[1]).toMatch(/^ {4}at .*lines\.test\.ts/);
    const cause = lines.indexOf('  caused by TypeError: no\\u000akey');
    expect(cause).toBeGreaterThan(1);
    expect(lines[cause + 1]).toMatch(/^ {4}at /);
  });

  test('args: no error', () => {
    expect(internalFailureLines('eth_call', 'a text')).toBe(
      'ledgerd: internal failure in eth_call: string: a text\n',
    );
  });
});
