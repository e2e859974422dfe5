import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { accountId, bytesToHex, formatPublicKey } from '../../protocol/index.ts';
import { formatKeyFile, generateKeys, readKeyFolder } from './key-file.ts';

const KEYS = generateKeys();
const SECRET = bytesToHex(KEYS.seed);
const TEXT = formatKeyFile({ account: accountId(1_023), name: 'producer', keys: KEYS });

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerd-keys-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(name: string, text = TEXT, mode = 0o600): string {
  const path = join(folder, name);
  writeFileSync(path, text, { mode });
  return path;
}

/** Everything of an error that could reach a log, its causes included. */
function failure(): { readonly message: string; readonly all: string } {
  try {
    readKeyFolder(folder);
  } catch (error) {
    if (error instanceof Error) return { message: error.message, all: inspect(error, { depth: 9 }) };
  }
  return expect.unreachable('the folder was read');
}

describe('formatKeyFile', () => {
  test('default: the content of the key file', () => {
    expect(JSON.parse(TEXT)).toEqual({
      account: '1.2.1023',
      name: 'producer',
      publicKey: formatPublicKey(KEYS.publicKey),
      seed: SECRET,
    });
  });
});

describe('generateKeys', () => {
  test('default: another key each time', () => {
    expect(generateKeys().publicKey).not.toEqual(generateKeys().publicKey);
  });
});

describe('readKeyFolder', () => {
  test('default: the keys of all files that end in .json, by name', () => {
    const second = generateKeys();
    put('second.json', formatKeyFile({ account: accountId(1_022), name: 'registrar', keys: second }));
    const path = put('first.json');
    put('README', 'not a key', 0o644);
    const found = readKeyFolder(folder);
    expect(found?.map(({ account, name }) => ({ account, name }))).toEqual([
      { account: 1_023, name: 'producer' },
      { account: 1_022, name: 'registrar' },
    ]);
    expect(found?.[0]?.path).toBe(path);
    expect(found?.[1]?.keys.publicKey).toEqual(second.publicKey);
  });

  test('behavior: no folder is no error', () => {
    expect(readKeyFolder(join(folder, 'none'))).toBeUndefined();
  });

  test('behavior: a link to a secret file', () => {
    mkdirSync(join(folder, 'mounted'));
    symlinkSync(put('mounted/key'), join(folder, 'producer.json'));
    expect(readKeyFolder(folder)).toHaveLength(1);
  });

  test.each([
    [0o640, '640'],
    [0o604, '604'],
    [0o620, '620'],
    [0o777, '777'],
  ])('error: a file of mode %o', (mode, shown) => {
    const path = put('producer.json');
    chmodSync(path, mode);
    const { message, all } = failure();
    expect(message).toBe(
      `users other than its owner can read or write the key file ${path} (mode ${shown}): chmod 600 makes it secret, ` +
        'but its key may be known already',
    );
    expect(all).not.toContain(SECRET);
  });

  test('error: a folder that others can write to', () => {
    chmodSync(folder, 0o770);
    expect(failure().message).toBe(
      `users other than its owner can write to the key folder ${folder} (mode 770): chmod 700`,
    );
  });

  test.each<[string, string, string]>([
    ['nothing', '', 'it is not JSON'],
    ['a cut file', TEXT.slice(0, -4), 'it is not JSON'],
    ['the bare key', SECRET, 'it is not JSON'],
    [
      'the key as a text',
      JSON.stringify(SECRET),
      'it must be an object of account, name, publicKey, seed and',
    ],
    [
      'the key as a name',
      TEXT.replace('"seed"', `"${SECRET}"`),
      '"seed" must be 64 lower-case hexadecimal digits',
    ],
    ['a further key', TEXT.replace('{', `{"more":"${SECRET}",`), 'it must be an object of account, name'],
    ['no seed', TEXT.replace(SECRET, ''), '"seed" must be 64 lower-case hexadecimal digits'],
    ['a seed that is cut', TEXT.replace(SECRET, SECRET.slice(1)), '"seed" must be 64 lower-case'],
    [
      'the key in place of the account',
      TEXT.replace('1.2.1023', SECRET),
      '"account" must be an account such as',
    ],
    ['another account', TEXT.replace('1.2.1023', '1.3.0'), '"account" must be an account such as "1.2.1023"'],
    [
      'a public key of another seed',
      TEXT.replace(formatPublicKey(KEYS.publicKey), formatPublicKey(generateKeys().publicKey)),
      '"publicKey" must be the public key of the seed',
    ],
    [
      'the key in place of the public key',
      TEXT.replace(/ECHO\w+/, SECRET),
      '"publicKey" must be the public key',
    ],
  ])('error: %s, without a part of the key in the error', (_title, text, reason) => {
    const path = put('producer.json', text);
    const { message, all } = failure();
    expect(message).toContain(`${path} is no key file: ${reason}`);
    expect(all).not.toContain(SECRET.slice(0, 8));
    expect(all).not.toContain(SECRET.slice(8, 16));
  });

  test('error: something that is no file', () => {
    mkdirSync(join(folder, 'producer.json'), { mode: 0o700 });
    expect(failure().message).toBe(
      `${join(folder, 'producer.json')} is no key file: it is not a regular file`,
    );
  });

  test.runIf(process.platform !== 'win32')('error: a pipe without a writer', () => {
    execFileSync('mkfifo', ['-m', '600', join(folder, 'producer.json')]);
    expect(failure().message).toContain('is no key file: it is not a regular file');
  });

  test('error: a file that is too large', () => {
    put('producer.json', ' '.repeat(100_000));
    expect(failure().message).toContain('is no key file: it has 100000 bytes');
  });

  test('error: a file instead of the folder', () => {
    const path = put('producer.json');
    expect(() => readKeyFolder(path)).toThrow(`the key folder ${path} cannot be read: ENOTDIR`);
    expect(readFileSync(path, 'utf8')).toBe(TEXT);
  });
});
