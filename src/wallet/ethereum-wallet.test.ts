import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recoverAddress, Transaction, TypedDataEncoder, verifyMessage } from 'ethers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bytesToHex, keccak256, toAddress, toPrefixedHex, toSeed, utf8ToBytes } from '../protocol/index.ts';
import type { EthereumWalletOptions } from './ethereum-wallet.ts';
import { EthereumWallet, ethereumKeyFileAt, evmAddressOf, WalletError, WalletFileError } from './index.ts';
import { ethereumWalletPart } from './snapshot-parts.ts';
import type { CreatedKey } from './wallet-file.ts';

const KEYS = [0, 1, 2].map((index) => toSeed(keccak256(utf8ToBytes(`key ${index}`))));
const ADDRESSES = KEYS.map(evmAddressOf);
const BOB = evmAddressOf(toSeed(keccak256(utf8ToBytes('key 1'))));
const STRANGER = toAddress(new Uint8Array(20).fill(7));
const wallet = new EthereumWallet(KEYS);

test('default: a signed transaction is by the account', () => {
  const fields = {
    ...({
      type: 'dynamicFee',
      chainId: 255n,
      nonce: 3n,
      maxFeePerGas: 2n,
      maxPriorityFeePerGas: 1n,
    } as const),
    ...{ gas: 21_000n, to: STRANGER, value: 5n, data: new Uint8Array(), accessList: [] },
  };
  const read = Transaction.from(toPrefixedHex(wallet.signTransaction(BOB, fields)));
  expect(read).toMatchObject({ type: 2, nonce: 3, gasLimit: 21_000n, chainId: 255n, value: 5n });
  expect(read.from?.toLowerCase()).toBe(toPrefixedHex(BOB));
  expect(() => wallet.signTransaction(STRANGER, fields)).toThrow('unknown account');
});

test('default: signatures of messages and of typed data are by the account', () => {
  expect(wallet.list()).toEqual(ADDRESSES);
  expect([wallet.holds(BOB), wallet.holds(STRANGER)]).toEqual([true, false]);
  const message = utf8ToBytes('hello');
  const signature = toPrefixedHex(wallet.signMessage(BOB, message));
  expect(verifyMessage(message, signature).toLowerCase()).toBe(toPrefixedHex(BOB));
  const types = { Mail: [{ name: 'text', type: 'string' }] };
  const typed = { domain: { name: 'Test', chainId: 255 }, message: { text: 'hello' } };
  const digest = TypedDataEncoder.hash(typed.domain, types, typed.message);
  const data = { types: new Map(Object.entries(types)), primaryType: 'Mail', ...typed };
  const by = recoverAddress(digest, `0x${bytesToHex(wallet.signTypedData(BOB, data))}`);
  expect(by.toLowerCase()).toBe(toPrefixedHex(BOB));
  expect(() => wallet.signMessage(STRANGER, message)).toThrow('unknown account');
  expect(() => wallet.signTypedData(STRANGER, data)).toThrow('unknown account');
});

describe('created keys', () => {
  const key = toSeed(keccak256(utf8ToBytes('created')));
  const message = utf8ToBytes('hello');

  /** A wallet with one key of the chain, by a clock that tests set. */
  function openWallet(stored: CreatedKey[] = []) {
    const clock = { time: 0 };
    const storage: NonNullable<EthereumWalletOptions['storage']> = {
      load: () => stored.slice(),
      save: (keys) => stored.splice(0, stored.length, ...keys),
      reorgCount: () => 0,
      isBehind: () => false,
    };
    const time = { now: () => clock.time };
    return { clock, stored, wallet: new EthereumWallet(KEYS.slice(0, 1), { time, storage }) };
  }

  test('default: it starts locked, its passphrase unlocks it for a duration, and it is stored', () => {
    const { clock, stored, wallet: opened } = openWallet();
    const address = opened.create('secret', key);
    expect([address, opened.list()]).toEqual([evmAddressOf(key), [ADDRESSES[0], address]]);
    const locked = new WalletError('LOCKED', 'authentication needed: password or unlock');
    expect(() => opened.signMessage(address, message)).toThrow(locked);
    expect(() => opened.requireUsable(address)).toThrow(locked);
    opened.unlock(address, 'secret', 5);
    expect(opened.signMessage(address, message)).toHaveLength(65);
    clock.time = 5_000;
    expect(() => opened.signMessage(address, message)).toThrow(locked);
    expect(opened.signMessage(address, message, 'secret')).toHaveLength(65);
    expect(stored.map(({ passphrase }) => passphrase)).toEqual(['secret']);
    const again = openWallet(stored).wallet;
    expect(again.list()).toEqual(opened.list());
    expect(() => again.requireUsable(address)).toThrow(locked);
    expect(bytesToHex(again.create('other'))).not.toBe(bytesToHex(opened.create('other')));
  });

  test('error: a wrong passphrase, an existing key, and a passphrase that is too long', () => {
    const { stored, wallet: opened } = openWallet();
    const address = opened.create('secret', key);
    const wrong = 'could not decrypt key with given password';
    expect(() => opened.unlock(address, 'Secret')).toThrow(wrong);
    expect(() => opened.signMessage(address, message, 'Secret')).toThrow(wrong);
    expect(() => opened.requireUsable(address, 'Secret')).toThrow(wrong);
    expect(() => opened.unlock(STRANGER, '')).toThrow('unknown account');
    expect(() => opened.create('x', key)).toThrow(`account already exists: ${toPrefixedHex(address)}`);
    expect(() => opened.create('x'.repeat(100_000))).toThrow('the passphrase exceeds');
    expect(stored).toHaveLength(1);
  });

  test('behavior: a snapshot removes later keys, and restores all locks', () => {
    const { stored, wallet: opened } = openWallet();
    const [genesis] = ADDRESSES;
    if (genesis === undefined) throw new Error('there is a key');
    expect(opened.changes()).toBeUndefined();
    const first = opened.create('one', key);
    opened.unlock(first, 'one', 0);
    opened.lock(genesis);
    const part = ethereumWalletPart(opened);
    const held: unknown = JSON.parse(JSON.stringify(part.capture()));
    const second = opened.create('two');
    opened.lock(first);
    opened.unlock(genesis, '');
    part.restore(held);
    expect([opened.holds(second), stored.length]).toEqual([false, 1]);
    expect(opened.signMessage(first, message)).toHaveLength(65);
    expect(() => opened.requireUsable(genesis)).toThrow('authentication needed');
    part.restore(undefined);
    expect([opened.list(), stored.length]).toEqual([[genesis], 0]);
    expect(() => opened.requireUsable(genesis)).not.toThrow();
  });
});

describe('the file of created keys', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ledgerd-keys-'));
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('default: saved keys are loaded unchanged, and only the owner can read the file', () => {
    const path = join(folder, 'ethereum-keys.json');
    expect(ethereumKeyFileAt(path).load()).toEqual([]);
    const kept = KEYS.map((seed, index) => ({ seed, passphrase: `word ${index}` }));
    ethereumKeyFileAt(path).save(kept);
    expect(ethereumKeyFileAt(path).load()).toEqual(kept);
    expect(ethereumKeyFileAt(path).reorgCount()).toBe(0);
    ethereumKeyFileAt(path, () => 3).save(kept);
    expect(ethereumKeyFileAt(path).reorgCount()).toBe(3);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test.each([
    ['no JSON', 'Unexpected token'],
    ['{"version":1,"keys":[]}', 'version: '],
    ['{"version":3,"keys":[]}', 'version: '],
    ['{"version":2,"keys":[]}', 'epoch: '],
    [
      '{"version":2,"epoch":0,"keys":[{"privateKey":"00","passphrase":""}]}',
      'keys.0.privateKey: expected 64',
    ],
    [
      `{"version":2,"epoch":0,"keys":[{"privateKey":"${'0'.repeat(64)}","passphrase":""}]}`,
      'privateKey 0 is no secp256k1 key',
    ],
  ])('error: damaged: %s', (text, problem) => {
    const path = join(folder, 'ethereum-keys.json');
    writeFileSync(path, text);
    expect(() => ethereumKeyFileAt(path).load()).toThrow(problem);
    expect(() => new EthereumWallet([], { storage: ethereumKeyFileAt(path) })).toThrow(WalletFileError);
  });
});
