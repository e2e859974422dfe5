import { expect, test } from 'vitest';
import { valueBytes } from './value-bytes.ts';

test('default', () => {
  expect([null, true].map(valueBytes)).toEqual([0, 0]);
  expect(valueBytes([])).toBe(64);
  expect(valueBytes(['ab', [1.5], { a: null }])).toBe(64 + 3 * 8 + (32 + 4) + (64 + 8 + 16) + (64 + 64));
});

test('behavior: empty arrays count as many times their text', () => {
  const text = `[${'[],'.repeat(1_000)}{}]`;
  expect(valueBytes(JSON.parse(text))).toBeGreaterThan(20 * text.length);
});
