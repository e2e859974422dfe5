import { describe, expect, test } from 'vitest';
import { isUnlocked, UNLOCK_SECONDS_MAX, unlockUntil } from './keyring.ts';

describe('isUnlocked', () => {
  test.each([
    ['behavior: locked', undefined, 0, false],
    ['default: before the end', 1_000, 999, true],
    ['behavior: at the end', 1_000, 1_000, false],
    ['behavior: until locked', Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER, true],
  ])('%s', (_title, until, now, expected) => {
    expect(isUnlocked(until, now)).toBe(expected);
  });
});

describe('unlockUntil', () => {
  test.each<[string, number | undefined, number | undefined, number]>([
    ['default: 300 s', undefined, undefined, 307_000],
    ['args: a duration', undefined, 5, 12_000],
    ['args: the greatest duration', undefined, UNLOCK_SECONDS_MAX, UNLOCK_SECONDS_MAX * 1_000 + 7_000],
    ['args: 0 is until locked', undefined, 0, Number.POSITIVE_INFINITY],
    ['behavior: a named duration replaces a longer one', Number.POSITIVE_INFINITY, 5, 12_000],
    [
      'behavior: the default does not shorten a longer one',
      Number.POSITIVE_INFINITY,
      undefined,
      Number.POSITIVE_INFINITY,
    ],
    ['behavior: the default extends a shorter one', 8_000, undefined, 307_000],
  ])('%s', (_title, before, seconds, expected) => {
    expect(unlockUntil(before, 7_000, seconds)).toBe(expected);
  });

  test.each([-1, 1.5, Number.NaN, UNLOCK_SECONDS_MAX + 1])('error: %d seconds', (seconds) => {
    expect(() => unlockUntil(undefined, 0, seconds)).toThrow(
      `unlock duration ${seconds}: expected whole seconds from 0 to 4294967295`,
    );
  });
});
