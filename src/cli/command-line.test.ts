import { describe, expect, test } from 'vitest';
import { UsageError } from './command-errors.ts';
import { readCommandLine } from './command-line.ts';
import { testEnvironment } from './environment.testing.ts';

/** Returns the output of a command line that only prints a text. */
function printed(...words: string[]): string {
  const { environment, output } = testEnvironment();
  readCommandLine(words, '1.2.3').run(environment);
  return output();
}

describe('help', () => {
  /** Returns a help without its line breaks. */
  const joined = (...words: string[]) => printed(...words).replaceAll(/\s+/g, ' ');

  test('default: the commands, the settings of start, and the examples', () => {
    const text = printed('--help');
    for (const command of ['start', 'init', 'config', 'register']) {
      expect(text).toMatch(new RegExp(`^  ${command} `, 'm'));
    }
    expect(text).toContain('--block-interval <seconds>');
    expect(text.split('Examples:')).toHaveLength(2);
    expect(printed('help')).toBe(text);
  });

  test('args: start: every setting with its default, under its heading', () => {
    const text = joined('start', '--help');
    expect(text).toContain('Usage: ledgerd start [options]');
    for (const part of [
      '--host <host>',
      '(default: 8545)',
      '(default: 100000000000000000)',
      '(default: 5MiB)',
      '(default: 20; test mode: 8)',
      'london, paris, shanghai, cancun, prague, osaka (default: osaka)',
      'Node mode (with --data-dir):',
      'Log:',
    ]) {
      expect(text).toContain(part);
    }
    expect(joined('help', 'start')).toBe(text);
  });

  test.each(['config', 'init', 'register'])('args: %s', (command) => {
    expect(printed(command, '--help')).toContain(`Usage: ledgerd ${command} [options]`);
  });
});

test('args: --version', () => {
  for (const flag of ['--version', '-V']) expect(printed(flag)).toBe('ledgerd 1.2.3\n');
});

test.each<[string[], string]>([
  [['--prot', '1'], "unknown option '--prot' (Did you mean --port?)"],
  [['--quiet=1'], "unknown option '--quiet=1' (Did you mean --quiet?)"],
  [['--port'], "option '--port <number>' argument missing"],
  [['--seed', 'a', 'surplus'], 'unexpected argument "surplus"'],
  [['stat'], 'unexpected argument "stat" (Did you mean start?)'],
  [['--port', '0', 'rolback'], 'unexpected argument "rolback" (Did you mean rollback?)'],
  [['start', 'init'], 'unexpected argument "init"'],
  [['start', 'now'], 'unexpected argument "now"'],
  [['config', 'now'], 'too many arguments'],
  [['help', 'nonsense'], 'help: there is no command "nonsense"'],
])('error: %j', (words, message) => {
  expect(() => readCommandLine(words, '1.2.3')).toThrow(UsageError);
  expect(() => readCommandLine(words, '1.2.3')).toThrow(message);
});
