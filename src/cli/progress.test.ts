import { describe, expect, test } from 'vitest';
import { countDisplay, duration, grouped, progressDisplay } from './progress.ts';

/** A standard error that records its text. */
function screen(hasTerminal: boolean) {
  let text = '';
  return {
    hasTerminal,
    printError: (written: string) => {
      text += written;
    },
    text: () => text,
  };
}

describe('progressDisplay', () => {
  /** Returns the output of a display at these seconds of a task of ten seconds. */
  function shown(hasTerminal: boolean, ...seconds: number[]): string {
    const on = screen(hasTerminal);
    const display = progressDisplay(on);
    for (const at of seconds) display.update(at, () => ({ share: at / 10, text: `${at} of 10` }));
    display.end();
    return on.text();
  }

  test('default: a line on a terminal, drawn over and cleared in the end', () => {
    expect(shown(true, 1, 1.05, 5, 10)).toBe(
      '\r\x1b[K[##----------------------] 1 of 10' +
        '\r\x1b[K[############------------] 5 of 10' +
        '\r\x1b[K[########################] 10 of 10' +
        '\r\x1b[K',
    );
  });

  test('args: no terminal', () => {
    expect(shown(false, 1, 9.9, 10, 15, 20.5)).toBe('10 of 10\n20.5 of 10\n');
  });

  test('args: an unknown share shows only the text', () => {
    const on = screen(true);
    progressDisplay(on).update(1, () => ({ share: undefined, text: 'some' }));
    expect(on.text()).toBe('\r\x1b[Ksome');
  });
});

describe('countDisplay', () => {
  function shown(done: number, total: number | undefined): string {
    const on = screen(true);
    let now = 5_000;
    const display = countDisplay(on, 'blocks', () => now);
    now += 2_000;
    display.update(done, total);
    return on.text();
  }

  test('default: how many, how fast, and how long it takes', () => {
    expect(shown(3_000, 12_000)).toBe(
      '\r\x1b[K[######------------------] 3,000 of 12,000 blocks, 1,500 a second, 6.0 s left',
    );
  });

  test('args: no total', () => {
    expect(shown(3_000, undefined)).toBe('\r\x1b[K3,000 blocks, 1,500 a second');
  });

  test('args: zero done, or zero in total', () => {
    expect(shown(0, 10)).toBe('\r\x1b[K[------------------------] 0 of 10 blocks, 0 a second');
    expect(shown(0, 0)).toBe('\r\x1b[K0 of 0 blocks, 0 a second');
  });
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

test('args: a number with its thousands apart', () => {
  expect(grouped(1_048_576.4)).toBe('1,048,576');
});
