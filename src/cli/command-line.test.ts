import { describe, expect, test } from 'vitest';
import { DEFAULT_CONFIGURATION } from '../node/index.ts';
import { readCommandLine } from './command-line.ts';
import { UsageError } from './errors.ts';

const read = (...words: string[]) => readCommandLine(words, '1.2.3');

function usageError(...words: string[]): string {
  try {
    read(...words);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  return 'accepted';
}

function help(...words: string[]): string {
  const request = read(...words);
  return request.kind === 'print' ? request.text : 'no help';
}

test('default', () => {
  expect(read()).toEqual({ kind: 'start', configuration: DEFAULT_CONFIGURATION, quiet: false });
  expect(read('start')).toEqual(read());
});

test.each<[string[], object]>([
  [['--port', '0'], { port: 0 }],
  [['--port=65535'], { port: 65_535 }],
  [['--host', '127.0.0.2'], { host: '127.0.0.2' }],
  [['--host', '[::1]'], { host: '::1' }],
  [['--host', 'LocalHost'], { host: 'localhost' }],
  [['--accounts', '1'], { accounts: 1 }],
  [['--balance', '1_000_000'], { balance: 1_000_000n }],
  [['--balance', '0'], { balance: 0n }],
  [['--accounts', '1', '--balance', '9223372036854775807'], { accounts: 1, balance: 2n ** 63n - 1n }],
  [['--block-time', '5'], { blockTime: 5 }],
  [['--no-mining'], { mining: false }],
  [['--data-dir', './chain'], { dataDir: './chain' }],
  [['--hardfork', 'london'], { hardfork: 'london' }],
  [['--hardfork', 'prague'], { hardfork: 'prague' }],
  [['--hardfork', 'osaka'], { hardfork: 'osaka' }],
  [['--network', 'main'], { network: 'main' }],
  [['--seed', 'mine'], { seed: 'mine' }],
  [['--plugin=history'], { history: true }],
  [['--no-history'], { history: false }],
  [['--allow-host', 'node.example', '--allow-host', 'other'], { allowedHosts: ['node.example', 'other'] }],
  [
    ['--cors', 'https://a.example', '--cors', 'http://b:3000'],
    { allowedOrigins: ['https://a.example', 'http://b:3000'] },
  ],
  [['--unsafe-expose-test-mode', '--host', '0.0.0.0'], { unsafeExpose: true, host: '0.0.0.0' }],
  [
    ['--max-body', '2048', '--max-batch', '5', '--call-gas', '1000000', '--max-logs', '7'],
    {
      limits: {
        ...DEFAULT_CONFIGURATION.limits,
        bodyBytes: 2048,
        batchRequests: 5,
        callGas: 1_000_000n,
        logs: 7,
      },
    },
  ],
  [['--filter-timeout', '60'], { limits: { ...DEFAULT_CONFIGURATION.limits, filterTimeout: 60 } }],
])('args: %j', (words, changes) => {
  const expected = { kind: 'start', configuration: { ...DEFAULT_CONFIGURATION, ...changes }, quiet: false };
  expect(read(...words)).toEqual(expected);
  expect(read('start', ...words)).toEqual(expected);
});

test('args: --quiet', () => {
  expect(read('--quiet')).toMatchObject({ kind: 'start', quiet: true });
});

test.each<[string[], string]>([
  [['--port', '65536'], '--port: expected a whole number from 0 to 65535, got "65536"'],
  [['--port', '-1'], '--port: expected a whole number from 0 to 65535, got "-1"'],
  [['--port', '8e3'], '--port: expected a whole number from 0 to 65535, got "8e3"'],
  [['--port', '0x10'], '--port: expected a whole number from 0 to 65535, got "0x10"'],
  [['--port', ''], '--port: expected a whole number from 0 to 65535, got ""'],
  [['--port'], "option '--port <number>' argument missing"],
  [
    ['--host', 'http://localhost'],
    '--host: expected a host name or IP address without scheme and port, got "http://localhost"',
  ],
  [
    ['--host', 'localhost:80'],
    '--host: expected a host name or IP address without scheme and port, got "localhost:80"',
  ],
  [['--host', ''], '--host: expected a host name or IP address without scheme and port, got ""'],
  [['--accounts', '0'], '--accounts: expected a whole number from 1 to 1000, got "0"'],
  [['--accounts', '1001'], '--accounts: expected a whole number from 1 to 1000, got "1001"'],
  [['--balance', '1__0'], '--balance: expected native units from 0 to 9223372036854775807, got "1__0"'],
  [['--balance', '1.5'], '--balance: expected native units from 0 to 9223372036854775807, got "1.5"'],
  [
    ['--balance', '9223372036854775808'],
    '--balance: expected native units from 0 to 9223372036854775807, got "9223372036854775808"',
  ],
  [
    ['--accounts', '2', '--balance', '9223372036854775807'],
    '--balance: 2 accounts of 9223372036854775807 units exceed the largest sum of balances, ' +
      '9223372036854775807: give fewer accounts or a smaller balance',
  ],
  [['--block-time', '0'], '--block-time: expected a whole number from 1 to 86400, got "0"'],
  [['--block-time', '1.5'], '--block-time: expected a whole number from 1 to 86400, got "1.5"'],
  [['--data-dir', ''], '--data-dir: expected a text of 1 to 4096 characters, got ""'],
  [
    ['--hardfork', 'berlin'],
    '--hardfork: expected one of london, paris, shanghai, cancun, prague, osaka, got "berlin"',
  ],
  [['--network', 'Main'], '--network: expected one of main, test, dev, default, got "Main"'],
  [['--seed', ''], '--seed: expected a text of 1 to 1024 characters, got ""'],
  [['--plugin', 'wallet'], '--plugin: expected history, got "wallet"'],
  [['--plugin=history', '--no-history'], '--no-history contradicts --plugin history: give one of the two'],
  [['--cors', '*'], '--cors: expected an origin such as http://localhost:3000, got "*"'],
  [['--cors', 'http://a/'], '--cors: expected an origin such as http://localhost:3000, got "http://a/"'],
  [['--max-body', '1'], '--max-body: expected a whole number from 1024 to 268435456, got "1"'],
  [['--max-batch', '0'], '--max-batch: expected a whole number from 1 to 100000, got "0"'],
  [['--call-gas', '20999'], '--call-gas: expected a whole number from 21000 to 1000000000000, got "20999"'],
  [['--max-logs', '100001'], '--max-logs: expected a whole number from 1 to 100000, got "100001"'],
  [['--filter-timeout', '0'], '--filter-timeout: expected a whole number from 1 to 86400, got "0"'],
  [['--prot', '1'], "unknown option '--prot' (Did you mean --port?)"],
  [['--quiet=1'], "unknown option '--quiet=1' (Did you mean --quiet?)"],
  [['--seed', 'a', 'surplus'], 'unexpected argument "surplus"'],
  [['stat'], 'unexpected argument "stat"'],
  [['start', 'now'], 'unexpected argument "now"'],
])('error: %j', (words, message) => {
  expect(usageError(...words)).toBe(message);
});

test('error: an overlong value is cut', () => {
  expect(usageError('--port', '9'.repeat(50))).toBe(
    `--port: expected a whole number from 0 to 65535, got "${'9'.repeat(40)}"…`,
  );
});

describe('help', () => {
  test('default: every flag with its default, and the examples', () => {
    const text = help('--help');
    for (const flag of [
      'host',
      'port',
      'accounts',
      'balance',
      'block-time',
      'no-mining',
      'data-dir',
      'hardfork',
    ]) {
      expect(text).toContain(`  --${flag}`);
    }
    for (const flag of [
      'network',
      'seed',
      'plugin',
      'no-history',
      'allow-host',
      'cors',
      'quiet',
      'max-body',
    ]) {
      expect(text).toContain(`  --${flag}`);
    }
    for (const shown of [
      '(default: 8545)',
      '(default: 100000000000000000)',
      '(default: 127.0.0.1)',
      '(default: osaka)',
      'london, paris, shanghai, cancun, prague, osaka',
      'Examples:',
    ]) {
      expect(text).toContain(shown);
    }
  });

  test('args: start --help and help start', () => {
    expect(help('start', '--help')).toContain('Usage: ledgerd start [options]');
    expect(help('help', 'start')).toBe(help('start', '--help'));
  });

  test('behavior: the examples stand there once', () => {
    expect(help('--help').split('Examples:')).toHaveLength(2);
    expect(help('start', '--help').split('Examples:')).toHaveLength(2);
  });
});

test('args: --version', () => {
  expect(read('--version')).toEqual({ kind: 'print', text: 'ledgerd 1.2.3\n' });
});
