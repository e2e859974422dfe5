import { describe, expect, test } from 'vitest';
import { TEST_MNEMONIC } from '../../wallet/index.ts';
import { UsageError } from '../command-errors.ts';
import { readCommandLine } from '../command-line.ts';
import { testEnvironment } from '../environment.testing.ts';
import { translate } from './translate.ts';

const GANACHE_WORDS = 'myth like bonus scare over problem client lizard pioneer submit female collect';

/** The settings that differ from the defaults of this program, by `ledgerd config`. */
function settings(...words: readonly string[]): Record<string, unknown> {
  const { environment, output } = testEnvironment();
  readCommandLine(['config', ...words], '1.2.3').run(environment);
  const read = JSON.parse(output()) as { settings: Record<string, { value: unknown; source: string }> };
  const given = Object.entries(read.settings).filter(([, { source }]) => source === 'flag');
  return Object.fromEntries(given.map(([name, { value }]) => [name, value]));
}

function refusalOf(...words: readonly string[]): string {
  try {
    settings(...words);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  throw new Error('accepted');
}

describe('defaults', () => {
  test.each([
    ['anvil', { root: 'ethereum', 'block-gas-limit': 30_000_000 }],
    [
      'hardhat',
      {
        root: 'ethereum',
        accounts: 20,
        'block-gas-limit': 60_000_000,
        'mixed-mining': true,
        'time-step': 1,
      },
    ],
    [
      'ganache',
      {
        root: 'ethereum',
        'chain-id': 1_337,
        'ethereum-balance': '1000',
        mnemonic: '***',
        hardfork: 'shanghai',
        'block-gas-limit': 30_000_000,
      },
    ],
  ])('default: %s', (name, expected) => {
    expect(settings('--as', name)).toEqual(expected);
    expect(settings(`--as=${name}`, '--port', '0')).toEqual({ ...expected, port: 0 });
  });

  test('behavior: without a command, and with start; other commands have no such flag', () => {
    for (const words of [
      ['--as', 'anvil'],
      ['start', '--as', 'anvil'],
      ['start', '--as=anvil'],
    ]) {
      expect(translate(words).words).toEqual([
        'start',
        '--root',
        'ethereum',
        '--block-gas-limit',
        '30000000',
      ]);
    }
    expect(() => readCommandLine(['verify', '--as', 'anvil'], '1.2.3')).toThrow("unknown option '--as'");
  });

  test.each(['anvil', 'hardhat', 'ganache'])('args: %s without a gas limit of blocks', (name) => {
    const given = settings('--as', name, '--disable-block-gas-limit');
    expect(given).toMatchObject({ 'disable-block-gas-limit': true });
    expect(given).not.toHaveProperty('block-gas-limit');
  });

  test.each(['anvil', 'hardhat', 'ganache'])(
    'args: %s with a genesis file, which states the rest',
    (name) => {
      const { words } = translate(['--as', name, '--init', 'genesis.json']);
      expect(words).toEqual(expect.arrayContaining(['--init', 'genesis.json']));
      for (const stated of ['--block-gas-limit', '--chain-id', '--hardfork'])
        expect(words).not.toContain(stated);
    },
  );

  test('behavior: a given flag replaces the default, and a fork its own values', () => {
    expect(settings('--as', 'anvil', '--gas-limit', '0x1c9c381')).toMatchObject({
      'block-gas-limit': 30_000_001,
    });
    expect(translate(['--as', 'ganache', '--fork', 'http://a']).words).toEqual([
      'start',
      '--root',
      'ethereum',
      '--ethereum-balance',
      '1000',
      '--mnemonic',
      GANACHE_WORDS,
      '--fork',
      'http://a',
    ]);
  });
});

describe('flags', () => {
  test.each<[words: string, expected: Record<string, unknown>]>([
    [
      'anvil -a 3 --balance 50 -b 2 -p 0',
      { accounts: 3, 'ethereum-balance': '50', 'block-time': 2, port: 0 },
    ],
    ['anvil --chain-id 5 --base-fee 7 --no-mine', { 'chain-id': 5, 'base-fee': '7', 'no-mining': true }],
    ['anvil --auto-impersonate -p 0', { 'auto-impersonate': true }],
    ['anvil --auto-unlock', { 'auto-impersonate': true }],
    ['anvil --code-size-limit 50000', { 'code-size-limit': 50_000, 'block-gas-limit': 30_000_000 }],
    ['anvil --block-time 2 --mixed-mining', { 'block-time': 2, 'mixed-mining': true }],
    ['hardhat --time-step 0', { 'time-step': 0 }],
    ['anvil --ipc', { ipc: '/tmp/anvil.ipc' }],
    ['anvil --ipcpath /run/mine.ipc -p 0', { ipc: '/run/mine.ipc', port: 0 }],
    ['anvil --no-code-size-limit', { 'disable-code-size-limit': true }],
    ['ganache --chain.allowUnlimitedContractSize', { 'disable-code-size-limit': true }],
    ['ganache --chain.allowUnlimitedInitCodeSize true', { 'disable-code-size-limit': true }],
    [
      "anvil --derivation-path m/44'/60'/1'/0/ --hardfork Cancun",
      { 'derivation-path': "m/44'/60'/1'/0", hardfork: 'cancun' },
    ],
    ['anvil -vvvv --order fifo --state a.json -s 5', { verbosity: 3, order: 'fifo', 'state-interval': 5 }],
    ['anvil --prune-history --silent --threads 4 --steps-tracing', { quiet: true }],
    ['anvil --prune-history 5 --json --allow-origin *', { 'log-format': 'json', cors: ['*'] }],
    ['anvil --max-batch 5', { 'max-batch': 5 }],
    ['anvil -f http://a@5 --retries 2', { 'fork-retries': 2 }],
    ['ganache -p 0 -a 5 -e 12 -b 0 -d', { port: 0, accounts: 5, 'ethereum-balance': '12' }],
    ['ganache --chain.chainId=7 -i 5 --miner.blockTime 3', { 'chain-id': 7, 'block-time': 3 }],
    [
      'ganache -h localhost -k london -l 0x1c9c380 -g 0x77359400',
      { host: 'localhost', hardfork: 'london', 'gas-price': '2000000000' },
    ],
    ['ganache --database.dbPath data --logging.quiet=false -q', { test: true, quiet: true }],
    [
      'ganache -d true --wallet.lock false --chain.allowUnlimitedContractSize=false -b 0.5',
      { mnemonic: '***', 'block-time': 0.5 },
    ],
    [
      "ganache --wallet.hdPath m/44'/60'/1'/0/ --miner.timestampIncrement clock --detach=false",
      { 'derivation-path': "m/44'/60'/1'/0" },
    ],
    [
      'ganache -f http://a --fork.blockNumber latest --fork.requestsPerSecond 0 --fork.deleteCache false',
      { mnemonic: '***', 'ethereum-balance': '1000' },
    ],
    [
      'hardhat --verbosity 3 -v 4 --network a --config b --gas-stats --gas-stats-json c',
      { accounts: 20, verbosity: 4 },
    ],
    ['hardhat --hostname localhost --port 0 --chain-type l1', { host: 'localhost', port: 0 }],
    ['hardhat --fork http://a --fork-block-number 5', { 'fork-block-number': 5, accounts: 20 }],
  ])('args: %s', (words, expected) => {
    expect(settings('--as', ...words.split(' '))).toMatchObject(expected);
  });

  test('behavior: notes tell the meaning, and hide what may be a key', () => {
    const { notes } = translate([
      '--as',
      'anvil',
      '-f',
      'http://user:secret@a',
      '-m',
      TEST_MNEMONIC,
      '--tracing',
      '--fork-header=Key: secret',
    ]);
    expect(notes).toEqual([
      'as anvil 1.7.1: ledgerd start --root ethereum -f … --mnemonic … --fork-header=…',
      '--tracing: no effect: ledgerd traces every transaction on request: debug_traceTransaction',
      "--allow-origin: anvil serves every web page, ledgerd those of this machine; --allow-origin '*' allows all",
    ]);
    expect(translate(['--as', 'ganache', '--wallet.mnemonic', GANACHE_WORDS]).notes.join('\n')).not.toMatch(
      /draws|myth/,
    );
    expect(translate(['start', '--port', '1'])).toEqual({ words: ['start', '--port', '1'], notes: [] });
  });

  test.each([
    ['--as', '--as: expected one of anvil, ganache, hardhat, got ""'],
    ['--as geth', '--as: expected one of anvil, ganache, hardhat, got "geth"'],
    ['--as anvil -p', '-p needs a value'],
    ['--as anvil --network optimism', '--network optimism: ledgerd has one kind of chain with Ethereum'],
    [
      '--as anvil --no-gas-limit --gas-limit 30000000',
      '--disable-block-gas-limit contradicts --block-gas-limit',
    ],
    ['--as anvil --gas-limit many', '--block-gas-limit: expected a whole number from 16777216'],
    ['--as anvil --gas-limit 8000000', 'a block gas limit of 8000000: ledgerd starts with at least 16777216'],
    ['--as ganache -l 0x7a1200', 'a block gas limit of 8000000: ledgerd starts with at least 16777216'],
    ['--as anvil -f http://a --fork-block-number -5', 'does not count from the newest block'],
    ['--as ganache --miner.timestampIncrement 1', 'call anvil_setBlockTimestampInterval'],
    ['--as ganache -n', "unknown option '--wallet.lock': ledgerd starts with unlocked accounts"],
    ['--as anvil --gas-limti 5', "unknown option '--gas-limti'"],
    ['--as ganache --wallet.accounts a,b', "unknown option '--wallet.accounts': call personal_importRawKey"],
  ])('error: %s', (words, message) => {
    expect(refusalOf(...words.split(' '))).toContain(message);
  });
});
