import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, describe, expect, test } from 'vitest';
import { DEFAULT_CONFIGURATION, DEFAULT_ETHEREUM, DEFAULT_NODE_CONFIGURATION } from '../../node/index.ts';
import { UsageError } from '../command-errors.ts';
import { configurationOf } from './configuration.ts';
import { addSettingOptions } from './flags.ts';
import { resolveSettings, type Settings } from './resolve.ts';

const folder = mkdtempSync(join(tmpdir(), 'ledgerd-settings-'));
afterAll(() => rmSync(folder, { recursive: true }));

const WORDS = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
const SOME_FOLDER = ['--data-dir', '/nowhere'];
const { rpc, server } = DEFAULT_CONFIGURATION;
const ORIGIN =
  'an origin such as http://localhost:3000, one with * for labels before a host (https://*.example.org), ' +
  'for a host or for a port, or * for every origin, also that of files ("null")';

function settings(words: readonly string[], variables: Readonly<Record<string, string>> = {}): Settings {
  const command = new Command().exitOverride();
  const flags = addSettingOptions(command);
  command.parse([...words], { from: 'user' });
  return resolveSettings(flags(), { variables });
}

const configuration = (...given: Parameters<typeof settings>) => configurationOf(settings(...given));

function refusal(...given: Parameters<typeof settings>): string {
  try {
    settings(...given);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  return 'accepted';
}

/** Writes a file of settings and gives its path. */
function fileOf(content: unknown, name = 'settings.json'): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

describe('mode', () => {
  test('default: test mode in a temporary folder', () => {
    expect(configuration([])).toEqual(DEFAULT_CONFIGURATION);
  });

  test('args: --data-dir: the node of a chain', () => {
    expect(configuration(SOME_FOLDER)).toEqual({ ...DEFAULT_NODE_CONFIGURATION, dataDir: '/nowhere' });
  });

  test('args: --data-dir --test: a persistent test chain', () => {
    expect(configuration([...SOME_FOLDER, '--test'])).toEqual({
      ...DEFAULT_CONFIGURATION,
      dataDir: '/nowhere',
    });
  });

  test.each<[string[], string]>([
    [[...SOME_FOLDER, '--accounts', '3'], '--accounts belongs to test mode: give --test'],
    [[...SOME_FOLDER, '--no-mining'], '--no-mining belongs to test mode: give --test'],
    [['--keys', 'k'], '--keys belongs to node mode: give --data-dir, and no --test'],
    [
      [...SOME_FOLDER, '--test', '--block-interval', '1'],
      '--block-interval belongs to node mode: give --data-dir, and no --test',
    ],
  ])('error: %j', (words, message) => {
    expect(refusal(words)).toBe(message);
  });
});

test.each<[string[], object]>([
  [['--port', '0'], { port: 0 }],
  [['--port=65535'], { port: 65_535 }],
  [['--ipc', '/run/node.ipc'], { ipc: '/run/node.ipc' }],
  [['--port', '1', '--port', '2'], { port: 2 }],
  [['--host', '127.0.0.2'], { host: '127.0.0.2' }],
  [['--host', '[::1]'], { host: '::1' }],
  [['--host', 'LocalHost'], { host: 'localhost' }],
  [['--accounts', '1'], { accounts: 1 }],
  [['--balance', '1_000_000'], { balance: 1_000_000n }],
  [['--balance', '0'], { balance: 0n }],
  [['--accounts', '1', '--balance', '9223372036854775807'], { accounts: 1, balance: 2n ** 63n - 1n }],
  [['--block-time', '0.25'], { blockTime: 0.25 }],
  [['--no-mining'], { mining: false }],
  [['--block-time', '5', '--mixed-mining'], { blockTime: 5, mixedMining: true }],
  [['--time-step', '1'], { timeStep: 1 }],
  [['--no-explorer'], { explorer: false }],
  [['--hardfork', 'london'], { hardfork: 'london' }],
  [['--network', 'main'], { network: 'main' }],
  [['--ethereum'], { network: 'local', ethereum: DEFAULT_ETHEREUM }],
  [
    ['--ethereum', '--state-trie'],
    { network: 'local', ethereum: { ...DEFAULT_ETHEREUM, hasStateTrie: true } },
  ],
  [
    ['--ethereum', '--code-size-limit', '64KiB'],
    { network: 'local', ethereum: { ...DEFAULT_ETHEREUM, codeSizeLimit: 65_536 } },
  ],
  [
    ['--ethereum', '--disable-code-size-limit', '--disable-block-gas-limit'],
    {
      network: 'local',
      ethereum: {
        ...DEFAULT_ETHEREUM,
        blockGasLimit: BigInt(Number.MAX_SAFE_INTEGER),
        codeSizeLimit: 2 ** 31 - 1,
      },
    },
  ],
  [
    ['--ethereum', '--network', 'dev', '--mnemonic', WORDS, '--derivation-path', "m/44'/60'"],
    { network: 'dev', ethereum: { ...DEFAULT_ETHEREUM, mnemonic: WORDS, derivationPath: "m/44'/60'" } },
  ],
  [['--allow-unprotected-transactions'], { allowUnprotected: true }],
  [['--seed', 'mine'], { seed: 'mine' }],
  [['--plugin=history'], { history: true }],
  [['--no-history'], { history: false }],
  [['--allow-host', 'node.example', '--allow-host', 'other'], { allowedHosts: ['node.example', 'other'] }],
  [
    ['--cors', 'https://a.example', '--cors', 'http://B:*', '--cors', 'https://*.c.example', '--cors', '*'],
    { allowedOrigins: ['https://a.example', 'http://b:*', 'https://*.c.example', '*'] },
  ],
  [['--unsafe-expose-test-mode', '--host', '0.0.0.0'], { unsafeExpose: true, host: '0.0.0.0' }],
  [
    ['--max-body', '2048', '--max-batch', '5'],
    { server: { ...server, bodyBytesMax: 2_048 }, rpc: { ...rpc, batchRequestsMax: 5 } },
  ],
  [['--max-held', '64MiB'], { server: { ...server, heldBytesMax: 2 ** 26 } }],
  [
    ['--max-body', '1MiB', '--max-headers', '8KiB'],
    { server: { ...server, bodyBytesMax: 2 ** 20, headerBytesMax: 8_192 } },
  ],
  [['--call-gas', '1000000', '--max-logs', '7'], { rpc: { ...rpc, callGasMax: 1_000_000n, logsMax: 7 } }],
  [['--call-timeout', '0.25'], { rpc: { ...rpc, callTimeMsMax: 250 } }],
  [['--call-timeout', '1.001'], { rpc: { ...rpc, callTimeMsMax: 1_001 } }],
  [['--workers', '3'], { workers: 3 }],
  [['--busy-poll', '0'], { server: { ...server, busyPollMicroseconds: 0 } }],
  [
    ['--filter-timeout', '60', '--rate-limit', '9'],
    { rpc: { ...rpc, filterTimeoutSeconds: 60 }, server: { ...server, callsPerSecondMax: 9 } },
  ],
  [
    ['--max-connections', '7', '--headers-timeout', '1', '--request-timeout', '2'],
    { server: { ...server, connectionsMax: 7, headersTimeoutMs: 1_000, requestTimeoutMs: 2_000 } },
  ],
  [['--min-block-timeout', '9'], { server: { ...server, blockWaitMs: 9_000 } }],
  [
    ['--idle-timeout', '3', '--shutdown-timeout', '4'],
    { server: { ...server, keepAliveTimeoutMs: 3_000, closeGraceMs: 4_000 } },
  ],
])('args: %j', (words, changes) => {
  expect(configuration(words)).toEqual({ ...DEFAULT_CONFIGURATION, ...changes });
});

test.each<[string[], object]>([
  [['--genesis', 'g.json', '--keys', 'k'], { genesisFile: 'g.json', keysFolder: 'k' }],
  [['--block-interval', '0.5'], { blockInterval: 0.5 }],
  [['--max-lag', '10', '--node-number', '3'], { maxLag: { unit: 'blocks', most: 10 }, nodeNumber: 3 }],
  [['--max-lag', '30s'], { maxLag: { unit: 'seconds', most: 30 } }],
  [['--follow', 'http://a:1', '--follow', 'https://b/x'], { follow: ['http://a:1/', 'https://b/x'] }],
  [['--min-free-space', '500MiB'], { minFreeBytes: 500 * 2 ** 20 }],
  [['--min-free-space', '0'], { minFreeBytes: 0 }],
  [['--plugin', 'history'], { history: true }],
  [['--host', '0.0.0.0'], { host: '0.0.0.0' }],
])('args: node mode: %j', (words, changes) => {
  expect(configuration([...SOME_FOLDER, ...words])).toEqual({
    ...DEFAULT_NODE_CONFIGURATION,
    dataDir: '/nowhere',
    ...changes,
  });
});

test.each<[string[], string]>([
  [['--port', '65536'], '--port: expected a whole number from 0 to 65535, got "65536"'],
  [['--port', '-1'], '--port: expected a whole number from 0 to 65535, got "-1"'],
  [['--port', '8e3'], '--port: expected a whole number from 0 to 65535, got "8e3"'],
  [['--port', '0x10'], '--port: expected a whole number from 0 to 65535, got "0x10"'],
  [['--port', ''], '--port: expected a whole number from 0 to 65535, got ""'],
  [['--port', 'x', '--port', '1'], 'accepted'],
  [['--port', '9'.repeat(50)], `--port: expected a whole number from 0 to 65535, got "${'9'.repeat(40)}"…`],
  [
    ['--host', 'http://localhost'],
    '--host: expected a host name or IP address without scheme and port, got "http://localhost"',
  ],
  [
    ['--host', 'localhost:80'],
    '--host: expected a host name or IP address without scheme and port, got "localhost:80"',
  ],
  [['--accounts', '0'], '--accounts: expected a whole number from 1 to 1000, got "0"'],
  [['--balance', '1__0'], '--balance: expected native units from 0 to 9223372036854775807, got "1__0"'],
  [['--balance', '1.5'], '--balance: expected native units from 0 to 9223372036854775807, got "1.5"'],
  [
    ['--accounts', '2', '--balance', '9223372036854775807'],
    '--balance: 2 accounts of 9223372036854775807 units exceed the largest sum of balances, ' +
      '9223372036854775807: give fewer accounts or a smaller balance',
  ],
  [
    ['--block-time', '0'],
    '--block-time: expected seconds from 0.001 to 86400 with at most three decimals, got "0"',
  ],
  [['--data-dir', ''], '--data-dir: expected a text of 1 to 4096 characters, got ""'],
  [
    ['--hardfork', 'berlin'],
    '--hardfork: expected one of london, paris, shanghai, cancun, prague, osaka, got "berlin"',
  ],
  [['--network', 'Main'], '--network: expected one of main, test, dev, default, local, got "Main"'],
  [['--mnemonic', WORDS], '--mnemonic needs --ethereum'],
  [['--state-trie'], '--state-trie needs --ethereum'],
  [['--code-size-limit', '9'], '--code-size-limit needs --ethereum'],
  [['--disable-code-size-limit'], '--disable-code-size-limit needs --ethereum'],
  [['--disable-block-gas-limit'], '--disable-block-gas-limit needs --ethereum'],
  [
    ['--ethereum', '--code-size-limit', '9', '--disable-code-size-limit'],
    '--disable-code-size-limit contradicts --code-size-limit: give one of the two',
  ],
  [
    ['--ethereum', '--code-size-limit', '0'],
    '--code-size-limit: expected bytes from 1 to 2147483647, such as 1 or 1MiB, got "0"',
  ],
  [['--base-fee', '1'], '--base-fee needs --ethereum'],
  [['--native-accounts'], '--native-accounts needs --ethereum'],
  [['--no-priority-fee'], '--no-priority-fee needs --ethereum'],
  [['--disable-min-priority-fee'], '--disable-min-priority-fee needs --ethereum'],
  [['--derivation-path', 'm'], '--derivation-path needs --ethereum'],
  [['--ethereum', '--mnemonic', 'a b'], '--mnemonic: must have 12, 15, 18, 21 or 24 words, not 2'],
  [
    ['--ethereum', '--derivation-path', 'x'],
    "--derivation-path: must begin with m, such as in m/44'/60'/0'/0",
  ],
  [
    ['--ethereum', '--accounts', '92', '--balance', '100_254_043_878_856_258'],
    '--balance: 92 accounts of 100254043878856258 units, and as many keys of 1000000000000, exceed the largest sum ' +
      'of balances, 9223372036854775807: give fewer accounts or a smaller balance',
  ],
  [
    [...SOME_FOLDER, '--ethereum'],
    '--ethereum belongs to test mode: give --test, or create a chain by ledgerd init --ethereum',
  ],
  [['--seed', ''], '--seed: expected a text of 1 to 1024 characters'],
  [['--plugin', 'wallet'], '--plugin: expected history, got "wallet"'],
  [['--plugin=history', '--no-history'], '--no-history contradicts --plugin history: give one of the two'],
  [['--cors', 'http://a/'], `--cors: expected ${ORIGIN}, got "http://a/"`],
  [['--cors', 'https://a-*.example.org'], `--cors: expected ${ORIGIN}, got "https://a-*.example.org"`],
  [['--cors', 'null'], `--cors: expected ${ORIGIN}, got "null"`],
  [['--max-body', '1'], '--max-body: expected bytes from 1024 to 268435456, such as 1024 or 1MiB, got "1"'],
  [
    ['--max-body', '1MB'],
    '--max-body: expected bytes from 1024 to 268435456, such as 1024 or 1MiB, got "1MB"',
  ],
  [['--call-gas', '20999'], '--call-gas: expected a whole number from 21000 to 1000000000000, got "20999"'],
  [['--max-logs', '100001'], '--max-logs: expected a whole number from 1 to 100000, got "100001"'],
  [
    [...SOME_FOLDER, '--block-interval', '0.05'],
    '--block-interval: expected seconds from 0.1 to 86400 with at most three decimals, got "0.05"',
  ],
  [
    [...SOME_FOLDER, '--follow', 'http://me:hidden@a'],
    '--follow: expected a URL such as http://127.0.0.1:8545, got "http://***@a"',
  ],
  [
    [...SOME_FOLDER, ...Array.from({ length: 65 }, (_, index) => `--follow=http://node-${index}`)],
    '--follow: at most 64 nodes can be followed, got 65',
  ],
  [['--log-level', 'trace'], '--log-level: expected one of error, warn, info, debug, got "trace"'],
])('error: %j', (words, message) => {
  expect(refusal(words)).toBe(message);
});

describe('environment', () => {
  test('default: a variable for every setting', () => {
    const variables = {
      LEDGERD_PORT: '9000',
      LEDGERD_ALLOW_HOST: 'a.example, b.example',
      LEDGERD_NO_MINING: 'true',
      LEDGERD_QUIET: 'false',
      LEDGERD_SEED: '',
      PATH: '/bin',
    };
    const expected = { port: 9_000, allowedHosts: ['a.example', 'b.example'], mining: false };
    expect(configuration([], variables)).toEqual({ ...DEFAULT_CONFIGURATION, ...expected });
  });

  test.each(['true', 'false', ''])('behavior: LEDGERD_NO_NATIVE_ADDONS=%s is no setting', (value) => {
    expect(configuration([], { LEDGERD_NO_NATIVE_ADDONS: value })).toEqual(DEFAULT_CONFIGURATION);
  });

  test('behavior: a flag overrides an environment variable', () => {
    expect(configuration(['--port', '1'], { LEDGERD_PORT: '2' })).toMatchObject({ port: 1 });
  });

  test.each([
    [{ LEDGERD_PROT: '1' }, 'LEDGERD_PROT: no setting has this variable'],
    [{ LEDGERD_PORT: 'x' }, 'LEDGERD_PORT: expected a whole number from 0 to 65535, got "x"'],
    [{ LEDGERD_NO_NATIVE_ADDONS: '1' }, 'LEDGERD_NO_NATIVE_ADDONS: expected true or false, got "1"'],
    [{ LEDGERD_QUIET: '1' }, 'LEDGERD_QUIET: expected true or false, got "1"'],
    [{ LEDGERD_KEYS: 'k' }, 'LEDGERD_KEYS belongs to node mode: give --data-dir, and no --test'],
  ])('error: %j', (variables, message) => {
    expect(refusal([], variables)).toBe(message);
  });

  test('error: an invalid environment variable is rejected even if a valid flag overrides it', () => {
    expect(refusal(['--port', '1'], { LEDGERD_PORT: 'x' })).toContain('LEDGERD_PORT: expected');
  });
});

describe('file', () => {
  const content = {
    port: 9_000,
    'allow-host': ['a.example'],
    'no-mining': true,
    balance: '1_000',
    seed: 'mine',
  };

  test('default: a key for every setting', () => {
    expect(configuration(['--config', fileOf(content)])).toEqual({
      ...DEFAULT_CONFIGURATION,
      port: 9_000,
      allowedHosts: ['a.example'],
      mining: false,
      balance: 1_000n,
      seed: 'mine',
    });
  });

  test('args: LEDGERD_CONFIG', () => {
    expect(configuration([], { LEDGERD_CONFIG: fileOf(content) })).toMatchObject({ port: 9_000 });
  });

  test('args: ledgerd.json in the data folder', () => {
    const file = fileOf({ 'block-interval': 0.5, genesis: 'chain.json' }, 'ledgerd.json');
    const { mode, file: read, values } = settings(['--data-dir', folder]);
    rmSync(file);
    expect({ mode, read }).toEqual({ mode: 'node', read: file });
    expect(values).toMatchObject({ 'block-interval': 0.5, genesis: join(folder, 'chain.json') });
  });

  test('args: a data folder, counted from the folder of the file', () => {
    expect(settings(['--config', fileOf({ 'data-dir': 'data' })])).toMatchObject({
      mode: 'node',
      values: { 'data-dir': join(folder, 'data') },
    });
  });

  test('behavior: the environment and flags go before it', () => {
    const words = ['--config', fileOf({ port: 1, accounts: 1, seed: 'file' })];
    const variables = { LEDGERD_PORT: '2', LEDGERD_ACCOUNTS: '2' };
    expect(configuration([...words, '--port', '3'], variables)).toMatchObject({
      port: 3,
      accounts: 2,
      seed: 'file',
    });
  });

  test.each<[string, unknown, string]>([
    ['an unknown key', { prot: 1 }, '"prot": there is no such setting'],
    ['no whole number', { port: 1.5 }, '"port": expected a whole number from 0 to 65535, got 1.5'],
    ['a truth for a number', { port: true }, '"port": expected a whole number from 0 to 65535, got true'],
    ['null', { port: null }, '"port": expected a whole number from 0 to 65535, got null'],
    [
      'a number for a text',
      { host: 1 },
      '"host": expected a host name or IP address without scheme and port, got 1',
    ],
    [
      'a number that JSON rounds',
      '{"balance":9007199254740993}',
      '"balance": expected native units from 0 to 9223372036854775807, got 9007199254740992',
    ],
    ['a text for a list', { cors: 'http://a' }, '"cors": expected a list, got "http://a"'],
    ['a text for a switch', { quiet: 'true' }, '"quiet": expected true or false, got "true"'],
    ['a secret', { seed: 12_345 }, '"seed": expected a text of 1 to 1024 characters'],
    ['a long value', { port: { a: 'x'.repeat(99) } }, `got {"a":"${'x'.repeat(34)}…`],
    ['a setting of the other mode', { keys: 'k' }, '"keys" belongs to node mode'],
    ['no object', [1], 'expected an object with the names of settings'],
    ['no JSON', '{\n"seed": "hidden" "port"', 'is not JSON'],
  ])('error: %s', (_title, content, message) => {
    const path = fileOf(content);
    const said = refusal(['--config', path]);
    expect(said).toContain(path);
    expect(said).toContain(message);
    expect(said).not.toMatch(/hidden|12345/);
  });

  test('error: a file that is not there', () => {
    const path = join(folder, 'missing.json');
    expect(refusal(['--config', path])).toContain(`${path}: cannot be read: ENOENT`);
  });
});
