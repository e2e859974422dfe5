import { expect, test } from 'vitest';
import { duration, hashCount, progressDisplay } from './progress.ts';

/** What a display writes for these seconds at a million hashes a second. */
function shown(isTerminal: boolean, difficulty: number, ...seconds: number[]): string {
  let text = '';
  const display = progressDisplay(isTerminal, (written) => {
    text += written;
  });
  for (const at of seconds) display.update({ hashes: at * 1e6, seconds: at, difficulty });
  display.end();
  return text;
}

test('default: a line on a terminal, drawn over and cleared in the end', () => {
  expect(shown(true, 20, 1, 1.05, 2)).toBe(
    '\r\x1b[K[##############----------] 1,000,000 hashes, 1.00 MH/s, 1.0 s expected' +
      '\r\x1b[K[####################----] 2,000,000 hashes, 1.00 MH/s, 1.0 s expected' +
      '\r\x1b[K',
  );
});

test('args: no terminal', () => {
  expect(shown(false, 30, 1, 9.9, 10, 15, 20.5)).toBe(
    '10,000,000 hashes, 1.00 MH/s, 17.9 min expected\n20,500,000 hashes, 1.00 MH/s, 17.9 min expected\n',
  );
});

test('args: nothing tried yet', () => {
  expect(shown(true, 20, 0)).toBe('\r\x1b[K[------------------------] 0 hashes, 0.00 MH/s\r\x1b[K');
});

test.each([
  [0.04, '0.0 s'],
  [59, '59.0 s'],
  [90, '1.5 min'],
  [5_400, '1.5 h'],
  [86_400 * 1_234, '1,234 days'],
])('args: duration of %d s', (seconds, text) => {
  expect(duration(seconds)).toBe(text);
});

test('args: hashes', () => {
  expect(hashCount(1_048_576)).toBe('1,048,576 hashes');
});
