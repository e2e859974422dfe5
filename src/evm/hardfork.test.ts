import { describe, expect, test } from 'vitest';
import { intrinsicGas } from './index.ts';
import { addressOf, word } from './testing/memory-host.testing.ts';

const NO_DATA = new Uint8Array(0);

describe('intrinsicGas', () => {
  test('default', () => {
    expect(intrinsicGas('cancun', { data: NO_DATA, creates: false })).toBe(21_000n);
  });

  test('args: data', () => {
    const data = Uint8Array.of(0, 0, 1, 255, 0);
    expect(intrinsicGas('cancun', { data, creates: false })).toBe(21_000n + 3n * 4n + 2n * 16n);
  });

  test('args: creates', () => {
    const data = new Uint8Array(33).fill(1);
    expect(intrinsicGas('paris', { data, creates: true })).toBe(53_000n + 33n * 16n);
    expect(intrinsicGas('shanghai', { data, creates: true })).toBe(53_000n + 33n * 16n + 2n * 2n);
    expect(intrinsicGas('cancun', { data, creates: true })).toBe(53_000n + 33n * 16n + 2n * 2n);
  });

  test('behavior: from Prague on at least the floor of EIP-7623', () => {
    const data = Uint8Array.of(0, 0, 1, 255, 0);
    expect(intrinsicGas('prague', { data, creates: false })).toBe(21_000n + (3n + 2n * 4n) * 10n);
    expect(intrinsicGas('osaka', { data, creates: false })).toBe(21_000n + (3n + 2n * 4n) * 10n);
    expect(intrinsicGas('osaka', { data: NO_DATA, creates: false })).toBe(21_000n);
    // A creation costs more than the floor until its data is long.
    expect(intrinsicGas('osaka', { data, creates: true })).toBe(53_000n + 3n * 4n + 2n * 16n + 2n);
    const long = new Uint8Array(2_000).fill(1);
    expect(intrinsicGas('osaka', { data: long, creates: true })).toBe(21_000n + 80_000n);
  });

  test('args: accessList', () => {
    const accessList = [
      { address: addressOf(1n), storageKeys: [word(1n), word(2n)] },
      { address: addressOf(2n), storageKeys: [] },
    ];
    expect(intrinsicGas('london', { data: NO_DATA, creates: false, accessList })).toBe(
      21_000n + 2n * 2_400n + 2n * 1_900n,
    );
  });
});
