import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createKeyPair, formatPublicKey, toSeed } from '../../protocol/index.ts';
import { testEnvironment } from '../environment.testing.ts';
import { main } from '../main.ts';

const KEY = formatPublicKey(createKeyPair(toSeed(new Uint8Array(32).fill(1))).publicKey);

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerd-init-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

async function init(words: readonly string[], variables: Readonly<Record<string, string>> = {}) {
  const { environment, output, errors } = testEnvironment(variables);
  const status = await main(['init', ...words], environment);
  return { status, output: output(), errors: errors() };
}

/** The parts of a genesis file that flags determine. */
interface GenesisFile {
  readonly network: object;
  readonly parameters: object;
  readonly accounts: readonly { readonly id: string; readonly name: string; readonly balance: string }[];
}

function genesis(): GenesisFile {
  return JSON.parse(readFileSync(join(folder, 'new', 'genesis.json'), 'utf8')) as GenesisFile;
}

test('default: creates a genesis and three keys, and prints no secret', async () => {
  const { status, output, errors } = await init(['--data-dir', join(folder, 'new')]);
  expect({ status, errors }).toEqual({ status: 0, errors: '' });
  expect(genesis().network).toEqual({ name: 'default', chainId: 255, networkId: 255 });
  expect(genesis().parameters).toEqual({ hardfork: 'osaka', blockInterval: 3 });
  const supply = genesis().accounts.reduce((sum, { balance }) => sum + BigInt(balance), 0n);
  expect(supply).toBe(10n ** 18n);
  expect(output).toMatch(/^History +on$/m);
  const keys = join(folder, 'new', 'keys');
  const files = readdirSync(keys).map((name) => join(keys, name));
  expect(files).toHaveLength(3);
  for (const file of files) {
    expect(output).toContain(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { seed, publicKey, account } = JSON.parse(readFileSync(file, 'utf8'));
    expect(seed).toMatch(/^[0-9a-f]{64}$/);
    expect(output).not.toContain(seed);
    expect(output).toContain(publicKey);
    expect(output).toContain(account);
  }
  expect(output).toContain(
    `The node does not need ${join(keys, 'treasury.json')}: move it off this machine.\n`,
  );
});

test('behavior: the printed command to start works in a shell, also with spaces in the path', async () => {
  const { output } = await init(['--data-dir', join(folder, "my node's")]);
  expect(output).toContain(`\nStart the node: ledgerd start --data-dir '${folder}/my node'\\''s'\n`);
});

test('args: every flag, and the folder of LEDGERD_DATA_DIR', async () => {
  const words = [
    '--network',
    'mine',
    '--chain-id',
    '7001',
    '--hardfork',
    'prague',
    '--supply',
    '1_000_000_000',
  ];
  const more = [
    '--no-history',
    '--block-interval',
    '0.5',
    '--account',
    `alice=${KEY}:600`,
    '--account',
    `bob=${KEY}:7`,
  ];
  const { status, output, errors } = await init([...words, ...more], {
    LEDGERD_DATA_DIR: join(folder, 'new'),
  });
  expect({ status, errors }).toEqual({ status: 0, errors: '' });
  expect(genesis().network).toEqual({ name: 'mine', chainId: 7_001, networkId: 7_001 });
  expect(genesis().parameters).toEqual({ hardfork: 'prague', blockInterval: 0.5 });
  expect(genesis().accounts).toContainEqual(expect.objectContaining({ name: 'alice', balance: '600' }));
  expect(genesis().accounts.reduce((sum, { balance }) => sum + BigInt(balance), 0n)).toBe(10n ** 9n);
  expect(output).toMatch(/^History +off$/m);
  expect(output).toMatch(/^1\.2\.1026 +bob, 7 units\n +ECHO\w+\n +its key is held elsewhere$/m);
});

test('args: --producers: creates a folder per node and prints which files to copy where', async () => {
  const { status, output, errors } = await init(['--data-dir', join(folder, 'new'), '--producers', '3']);
  expect({ status, errors }).toEqual({ status: 0, errors: '' });
  for (const number of [1, 2, 3]) {
    const path = join(folder, 'new', `node-${number}`);
    expect(output).toMatch(new RegExp(`^Node ${number} +${path} \\(1\\.2\\.10\\d\\d\\)$`, 'm'));
    const key = join(path, 'keys', `producer-${number}.json`);
    expect(output).toContain(key);
    expect(output).not.toContain(JSON.parse(readFileSync(key, 'utf8')).seed);
  }
  expect(output).toContain(
    `No node needs ${join(folder, 'new', 'treasury.json')}: move it off this machine.\n`,
  );
  expect(output).toMatch(
    /^1\.2\.1022 +registrar, 1000000 units\n.*\n +its key is in the folder of every node$/m,
  );
  expect(output).toContain('ledgerd start --data-dir FOLDER --block-log nats://HOST1:4222,');
});

test.each<[string[], string]>([
  [[], '--data-dir: name the data folder'],
  [['--network', 'mine'], '--network mine: give it a --chain-id'],
  [['--chain-id', '0'], '--chain-id: expected a whole number from 1'],
  [['--account', `alice=${KEY}`], '--account: expected NAME=PUBLICKEY:BALANCE'],
  [['--account', `Alice=${KEY}:1`], '--account: expected NAME=PUBLICKEY:BALANCE'],
  [['--account', 'alice=key:1'], '--account: expected NAME=PUBLICKEY:BALANCE'],
  [['--producers', '0'], '--producers: expected a whole number from 1 to 100'],
  [['--producers', '101'], '--producers: expected a whole number from 1 to 100'],
  [['--block-interval', '0'], '--block-interval: expected seconds from 0.1 to 86400'],
  [['--data-dir', '/proc/no', '--supply', '1', '--account', `alice=${KEY}:2`], 'exceed the supply of 1'],
])('error: %j has status 2', async (words, message) => {
  const { status, output, errors } = await init(words);
  expect({ status, output }).toEqual({ status: 2, output: '' });
  expect(errors).toContain(message);
});

test('error: a folder with a chain is left alone, with status 3', async () => {
  const words = ['--data-dir', join(folder, 'new')];
  await init(words);
  const before = readFileSync(join(folder, 'new', 'genesis.json'), 'utf8');
  const { status, output, errors } = await init(words);
  expect({ status, output }).toEqual({ status: 3, output: '' });
  expect(errors).toMatch(/^ledgerd: cannot create a chain: the data folder [^\n]+ is not empty[^\n]*\n$/);
  expect(readFileSync(join(folder, 'new', 'genesis.json'), 'utf8')).toBe(before);
});
