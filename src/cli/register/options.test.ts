import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { createKeyPair, formatPublicKey, hexToBytes, toAddress, toSeed } from '../../protocol/index.ts';
import { readCommandLine } from '../command-line.ts';
import { UsageError } from '../errors.ts';

const { publicKey } = createKeyPair(toSeed(new Uint8Array(32).fill(1)));
const KEY = formatPublicKey(publicKey);
const REQUIRED = ['--url', 'http://127.0.0.1:8545', '--name', 'alice'];
const DEFAULTS = {
  url: new URL('http://127.0.0.1:8545'),
  name: 'alice',
  evmAddress: undefined,
  keys: undefined,
  seedFile: undefined,
  threads: availableParallelism(),
};

const read = (...words: string[]) => readCommandLine(['register', ...words], '1.2.3');

test.each<[string[], object]>([
  [[], {}],
  [['--threads', '3'], { threads: 3 }],
  [['--seed-file', 'alice.seed'], { seedFile: 'alice.seed' }],
  [['--active-key', KEY, '--echorand-key', KEY], { keys: { active: publicKey, echorand: publicKey } }],
  [['--evm-address', `0x${'Ab'.repeat(20)}`], { evmAddress: toAddress(hexToBytes('ab'.repeat(20))) }],
])('args: %j', (words, changes) => {
  expect(read(...REQUIRED, ...words)).toEqual({
    kind: 'register',
    registration: { ...DEFAULTS, ...changes },
  });
});

test('args: --help', () => {
  expect(read('--help')).toMatchObject({ kind: 'print', text: expect.stringContaining('--evm-address') });
});

test.each<[string[], string]>([
  [['--name', 'alice'], "required option '--url <url>' not specified"],
  [['--url', 'http://127.0.0.1'], "required option '--name <name>' not specified"],
  [[...REQUIRED, 'surplus'], 'too many arguments'],
  [
    [...REQUIRED, '--url', 'ftp://127.0.0.1'],
    '--url: expected a URL such as http://127.0.0.1:8545, got "ftp',
  ],
  [[...REQUIRED, '--url', 'http://me:secret@127.0.0.1'], '--url: expected a URL'],
  [[...REQUIRED, '--url', 'here'], '--url: expected a URL'],
  [[...REQUIRED, '--name', 'Alice'], '--name: expected 3 to 63 characters'],
  [[...REQUIRED, '--evm-address', 'ab'.repeat(20)], '--evm-address: expected 0x and 40 hexadecimal digits'],
  [[...REQUIRED, '--active-key', 'x', '--echorand-key', KEY], '--active-key: must begin with ECHO, got "x"'],
  [[...REQUIRED, '--active-key', KEY], 'give both of --active-key and --echorand-key'],
  [
    [...REQUIRED, '--active-key', KEY, '--echorand-key', KEY, '--seed-file', 'x'],
    '--seed-file: there is no new key',
  ],
  [[...REQUIRED, '--threads', '0'], '--threads: expected a whole number from 1 to 256, got "0"'],
])('error: %j', (words, message) => {
  expect(() => read(...words)).toThrow(UsageError);
  expect(() => read(...words)).toThrow(message);
});
