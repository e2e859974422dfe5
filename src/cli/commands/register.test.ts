import { expect, test } from 'vitest';
import { createKeyPair, formatPublicKey, toSeed } from '../../protocol/index.ts';
import { testEnvironment } from '../environment.testing.ts';
import { main } from '../main.ts';

const { publicKey } = createKeyPair(toSeed(new Uint8Array(32).fill(1)));
const KEY = formatPublicKey(publicKey);
const REQUIRED = ['--url', 'http://127.0.0.1:8545', '--name', 'alice'];

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
  [
    [...REQUIRED, '--active-key', 'x', '--echorand-key', KEY],
    '--active-key: expected a public key: ECHO and 32 bytes in base58, got "x"',
  ],
  [[...REQUIRED, '--active-key', KEY], 'give both of --active-key and --echorand-key'],
  [
    [...REQUIRED, '--active-key', KEY, '--echorand-key', KEY, '--seed-file', 'x'],
    '--seed-file: given keys leave no new key',
  ],
  [[...REQUIRED, '--threads', '0'], '--threads: expected a whole number from 1 to 256, got "0"'],
])('error: %j has status 2', async (words, message) => {
  const { environment, output, errors } = testEnvironment();
  expect(await main(['register', ...words], environment)).toBe(2);
  expect(output()).toBe('');
  expect(errors()).toContain(message);
});
