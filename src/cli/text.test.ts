import { describe, expect, test } from 'vitest';
import { coloured, paintFor, plain } from './text.ts';

describe('paintFor', () => {
  test.each([
    ['default: a terminal', true, undefined, coloured],
    ['behavior: an empty NO_COLOR counts as unset', true, '', coloured],
    ['behavior: NO_COLOR', true, '1', plain],
    ['behavior: no terminal', false, undefined, plain],
  ])('%s', (_title, isTerminal, noColor, expected) => {
    expect(paintFor(isTerminal, noColor)).toBe(expected);
  });
});

test('default: a colour begins before the text and ends after it', () => {
  expect(coloured('red', 'x')).toBe('\x1b[31mx\x1b[0m');
  expect(plain('red', 'x')).toBe('x');
});
