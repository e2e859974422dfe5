import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { accountId } from '../protocol/index.ts';
import { deriveTestAccounts } from './keys.ts';
import { type StoredAccount, walletFileAt } from './wallet-file.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerd-wallet-'));
  path = join(folder, 'wallet.json');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const stored: StoredAccount[] = deriveTestAccounts('wallet file', 2).map(({ seed }, index) => ({
  id: accountId(1_034 + index),
  seed,
  passphrase: index === 0 ? '' : 'ünïcode "quoted"\n',
}));

const key = (digit: string) => digit.repeat(64);
const file = (accounts: unknown) => JSON.stringify({ version: 2, epoch: 0, accounts });

describe('walletFileAt', () => {
  test('default: loads the saved value', () => {
    walletFileAt(path).save(stored);
    expect(walletFileAt(path).load()).toEqual(stored);
  });

  test('behavior: after a block revert the file is stale until it is saved', () => {
    let reorgCount = 5;
    const storage = walletFileAt(path, () => reorgCount);
    storage.save(stored);
    expect(storage.isBehind()).toBe(false);
    reorgCount = 6;
    expect(storage.isBehind()).toBe(true);
    storage.save(stored);
    expect(storage.isBehind()).toBe(false);
  });

  test('behavior: a missing file yields no accounts', () => {
    expect(walletFileAt(path).load()).toEqual([]);
  });

  test('behavior: only the owner may read it, and no temporary file is left', () => {
    walletFileAt(path).save(stored.slice(0, 1));
    walletFileAt(path).save(stored);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['wallet.json']);
  });

  test('behavior: a temporary file of a crash does not prevent saving', () => {
    writeFileSync(`${path}.new`, 'half a fi', { mode: 0o644 });
    walletFileAt(path).save(stored);
    expect(walletFileAt(path).load()).toEqual(stored);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test.each([
    ['no JSON', '{"version": 2, "acc', /^the wallet file .*wallet\.json is damaged: .*JSON/],
    ['another version', JSON.stringify({ version: 3, accounts: [] }), /damaged: version: /],
    [
      'an unknown field',
      JSON.stringify({ version: 2, epoch: 0, accounts: [], more: 1 }),
      /damaged: file: .*more/,
    ],
    [
      'a short key',
      file([{ account: '1.2.1034', privateKey: 'ab', passphrase: '' }]),
      /accounts\.0\.privateKey: /,
    ],
    [
      'the key zero',
      file([{ account: '1.2.1034', privateKey: key('0'), passphrase: '' }]),
      /no secp256k1 key/,
    ],
    ['no account', file([{ account: '1.11.1', privateKey: key('1'), passphrase: '' }]), /damaged: account: /],
    [
      'an account twice',
      file(['1', '2'].map((digit) => ({ account: '1.2.1034', privateKey: key(digit), passphrase: '' }))),
      /damaged: an account is listed twice/,
    ],
  ])('error: %s', (_title, text, message) => {
    writeFileSync(path, text);
    expect(() => walletFileAt(path).load()).toThrow(message);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  test('error: the key of a damaged file is not in the message', () => {
    writeFileSync(path, file([{ account: '1.2.1034', privateKey: `${key('7')}7`, passphrase: 'secret' }]));
    expect(() => walletFileAt(path).load()).toThrow(
      expect.objectContaining({ message: expect.not.stringMatching(/777|secret/) }),
    );
  });

  test('error: the folder does not exist', () => {
    expect(() => walletFileAt(join(folder, 'none', 'wallet.json')).save(stored)).toThrow(
      /cannot be written: ENOENT/,
    );
  });
});
