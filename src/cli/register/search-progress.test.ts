import { expect, test } from 'vitest';
import { describeSearch, hashCount } from './register.ts';

test('default: reports hashes, hash rate, expected time and the probability of success', () => {
  const { share, text } = describeSearch({ hashes: 2_000_000, seconds: 2, difficulty: 20 });
  expect(text).toBe('2,000,000 hashes, 1.00 MH/s, 1.0 s expected');
  expect(share).toBeCloseTo(0.8515, 4);
});

test('args: zero hashes', () => {
  expect(describeSearch({ hashes: 0, seconds: 0, difficulty: 20 })).toEqual({
    share: 0,
    text: '0 hashes, 0.00 MH/s',
  });
});

test('args: hashes', () => {
  expect(hashCount(1_048_576)).toBe('1,048,576 hashes');
});
