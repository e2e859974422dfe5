import { describe, expect, test } from 'vitest';
import { hexToBytes, keccak256, toPrefixedHex } from '../protocol/index.ts';
import { logsBloom } from './index.ts';

/** The bits that are set, counted from the lowest bit of the last byte. */
function bitsOf(bloom: Uint8Array): number[] {
  const value = BigInt(toPrefixedHex(bloom));
  return Array.from({ length: 2048 }, (_, bit) => bit).filter((bit) => (value >> BigInt(bit)) & 1n);
}

/** The three bits of an entry, computed with integers instead of byte views. */
function expectedBits(entry: Uint8Array): number[] {
  const digest = BigInt(toPrefixedHex(keccak256(entry)));
  return [240n, 224n, 208n].map((shift) => Number((digest >> shift) & 0x7ffn));
}

describe('logsBloom', () => {
  test('default', () => {
    const address = hexToBytes('0100000000000000000000000000000000000005');
    const topic = hexToBytes('ab'.repeat(32));
    const bits = new Set([...expectedBits(address), ...expectedBits(topic)]);

    expect(bitsOf(logsBloom([{ address, topics: [topic] }]))).toEqual([...bits].sort((a, b) => a - b));
  });

  test('behavior: the bits of a known log', () => {
    // A published example; its bits were computed by other programs.
    const entry = hexToBytes('0f572e5295c57f15886f9b263e2f6d2d6c7b5ec6');
    expect(bitsOf(logsBloom([{ address: entry, topics: [] }]))).toEqual(
      [1323, 431, 1319].sort((a, b) => a - b),
    );
  });

  test('behavior: no logs set no bits', () => {
    expect(logsBloom([])).toEqual(new Uint8Array(256));
  });
});
