import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Address, bytesToHex, hexToBytes, toAddress, toPrefixedHex } from '../protocol/index.ts';
import { IMPERSONATED_ADDRESSES_MAX } from './impersonation.ts';
import { Impersonation, impersonationFileAt, WalletFileError } from './index.ts';
import { BALANCE, openWalletFixture, type WalletFixture } from './wallet.testing.ts';

const addressOf = (number: number): Address =>
  toAddress(hexToBytes(`f${number.toString(16).padStart(39, '0')}`));
const [ONE, TWO] = [addressOf(1), addressOf(2)];

describe('a set of addresses', () => {
  test('default: is added to and taken from', () => {
    const impersonation = new Impersonation();
    expect(impersonation.has(ONE)).toBe(false);
    expect([impersonation.add(ONE), impersonation.add(ONE), impersonation.add(TWO)]).toEqual([
      true,
      false,
      true,
    ]);
    expect([impersonation.has(ONE), impersonation.has(TWO)]).toEqual([true, true]);
    expect([impersonation.remove(ONE), impersonation.remove(ONE)]).toEqual([true, false]);
    expect(impersonation.state).toEqual({ impersonated: [bytesToHex(TWO)], auto: false });
  });

  test('behavior: its state is a plain value that is restored', () => {
    const impersonation = new Impersonation();
    impersonation.add(ONE);
    impersonation.setAuto(true);
    const before = JSON.parse(JSON.stringify(impersonation.state));
    impersonation.remove(ONE);
    impersonation.add(TWO);
    impersonation.setAuto(false);
    impersonation.restore(before);
    expect(impersonation.state).toEqual(before);
    expect([impersonation.has(ONE), impersonation.has(TWO), impersonation.auto]).toEqual([true, false, true]);
  });

  test('error: more than there may be', () => {
    const impersonation = new Impersonation();
    const impersonated = Array.from({ length: IMPERSONATED_ADDRESSES_MAX }, (_, number) =>
      bytesToHex(addressOf(number)),
    );
    impersonation.restore({ impersonated, auto: false });
    expect(impersonation.add(ONE)).toBe(false);
    expect(() => impersonation.add(addressOf(IMPERSONATED_ADDRESSES_MAX))).toThrow(
      expect.objectContaining({
        code: 'TOO_MANY_IMPERSONATED',
        message: '10000 addresses are impersonated, which is the limit: stop one of them first',
      }),
    );
  });
});

describe('a file', () => {
  let folder: string;
  let path: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ledgerd-impersonation-'));
    path = join(folder, 'impersonation.json');
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('default: impersonated accounts persist across restarts', () => {
    const impersonation = new Impersonation(impersonationFileAt(path));
    expect(existsSync(path)).toBe(false);
    impersonation.add(ONE);
    impersonation.add(TWO);
    impersonation.remove(ONE);
    impersonation.setAuto(true);
    const again = new Impersonation(impersonationFileAt(path));
    expect(again.state).toEqual(impersonation.state);
  });

  test.each([
    ['no JSON', '{', 'JSON'],
    ['an earlier version', '{"version":1,"impersonated":[],"auto":false}', 'version'],
    ['another version', '{"version":3,"impersonated":[],"auto":false}', 'version'],
    ['no epoch', '{"version":2,"impersonated":[],"auto":false}', 'epoch'],
    [
      'no address',
      '{"version":2,"epoch":0,"impersonated":["0x12"],"auto":false}',
      'impersonated.0: expected 40',
    ],
  ])('error: %s', (_, text, reason) => {
    writeFileSync(path, text);
    const open = () => new Impersonation(impersonationFileAt(path));
    expect(open).toThrow(WalletFileError);
    expect(open).toThrow(reason);
    expect(open).toThrow(`the file ${path} with the impersonated addresses is damaged`);
  });

  test('error: a change that cannot be written to the file is not applied', () => {
    const impersonation = new Impersonation(impersonationFileAt(join(folder, 'gone', 'impersonation.json')));
    expect(() => impersonation.add(ONE)).toThrow(WalletFileError);
    expect(() => impersonation.setAuto(true)).toThrow(/cannot be written: ENOENT/);
    expect(impersonation.state).toEqual({ impersonated: [], auto: false });
  });
});

describe('send', () => {
  let fixture: WalletFixture;

  beforeEach(async () => {
    fixture = await openWalletFixture();
  });

  afterEach(() => fixture.store.close());

  const operationOf = (hash: Parameters<WalletFixture['ledger']['pool']['findOperation']>[0]) =>
    fixture.ledger.pool.findOperation(hash)?.operation;

  test('default: sends for a foreign account without its key and without a fee', () => {
    const { wallet, ledger, bob } = fixture;
    const producer = ledger.parameters.coinbase;
    const before = ledger.accounts.balanceOf(producer);
    expect(() => wallet.send({ from: producer, to: bob, value: 5n })).toThrow('it is not in the wallet');
    expect(wallet.impersonate(producer)).toBe(true);
    const hash = wallet.send({ from: producer, to: bob, value: 5n });
    expect(operationOf(hash)).toMatchObject({ type: 'testCall', caller: producer, value: 5n, gas: 20n });
    expect(ledger.accounts.balanceOf(producer)).toBe(before - 5n);
    expect(ledger.accounts.balanceOf(bob)).toBe(BALANCE + 5n);
    expect(wallet.list()).not.toContainEqual(producer);
    wallet.impersonation.remove(producer);
    expect(() => wallet.send({ from: producer, to: bob, value: 5n })).toThrow('it is not in the wallet');
  });

  test('behavior: an account of the wallet needs no key either while it is impersonated', () => {
    const { wallet, alice, bob } = fixture;
    wallet.lock(alice);
    wallet.impersonate(alice);
    expect(operationOf(wallet.send({ from: alice, to: bob, value: 1n }))).toMatchObject({ type: 'testCall' });
    wallet.impersonation.remove(alice);
    expect(() => wallet.send({ from: alice, to: bob, value: 1n })).toThrow('is locked');
  });

  test('behavior: auto-impersonation covers all accounts except those of the wallet', () => {
    const { wallet, ledger, alice, bob } = fixture;
    wallet.impersonation.setAuto(true);
    expect(operationOf(wallet.send({ from: alice, to: bob }))).toMatchObject({ type: 'transfer' });
    expect(operationOf(wallet.send({ from: ONE, to: bob }))).toMatchObject({ type: 'testCall', caller: ONE });
    expect(() => wallet.send({ from: ONE, to: bob, value: 1n })).toThrow('insufficient funds');
    wallet.lock(alice);
    expect(() => wallet.send({ from: alice, to: bob })).toThrow('is locked');
    expect(wallet.unlock(ONE, 'anything')).toBe(true);
    expect(ledger.blocks.head().number).toBe(2);
  });

  test('behavior: equal transactions get different expirations', () => {
    const { wallet, bob } = fixture;
    const hashes = Array.from({ length: 4 }, () => bytesToHex(wallet.sendUnsigned({ from: ONE, to: bob })));
    expect(new Set(hashes).size).toBe(4);
  });

  test('behavior: sendUnsigned impersonates once', () => {
    const { wallet, bob } = fixture;
    wallet.sendUnsigned({ from: ONE, to: bob });
    expect(wallet.impersonation.state.impersonated).toEqual([]);
    expect(() => wallet.send({ from: ONE, to: bob })).toThrow('it is not in the wallet');
  });

  test('behavior: an estimate of a free transaction needs no balance', () => {
    const { wallet, ledger } = fixture;
    const creation = hexToBytes('600180600a3d393df300');
    const operation = operationOf(wallet.sendUnsigned({ from: ONE, data: creation }));
    expect(operation).toMatchObject({ type: 'testCall', caller: ONE });
    expect(ledger.accounts.balanceOf(ONE)).toBe(0n);
    expect(() => ledger.calls.estimateGas({ from: ONE, data: creation })).toThrow(
      'gas required exceeds allowance (0)',
    );
  });

  test('error: a value that is no native amount', () => {
    const { wallet, bob } = fixture;
    const send = () => wallet.sendUnsigned({ from: ONE, to: bob, value: 2n ** 63n });
    expect(send).toThrow(expect.objectContaining({ code: 'INVALID_AMOUNT' }));
  });

  test('error: the EVM address of an account is not its address', () => {
    const { wallet, ledger, alice, bob } = fixture;
    const evmAddress = ledger.accounts.accountByAddress(alice)?.evmAddress;
    if (evmAddress === undefined) throw new Error('test accounts have EVM addresses');
    const message =
      `unknown account ${toPrefixedHex(evmAddress)}: it is the EVM address of the account ` +
      `${toPrefixedHex(alice)}: give that address`;
    expect(() => wallet.impersonate(evmAddress)).toThrow(message);
    expect(() => wallet.sendUnsigned({ from: evmAddress, to: bob })).toThrow(message);
    wallet.impersonation.setAuto(true);
    expect(() => wallet.send({ from: evmAddress, to: bob })).toThrow(message);
  });
});

describe('create', () => {
  let fixture: WalletFixture;

  beforeEach(async () => {
    fixture = await openWalletFixture();
  });

  afterEach(() => fixture.store.close());

  test('args: the key', () => {
    const { wallet, ledger } = fixture;
    const [record] = wallet.records();
    if (record === undefined) throw new Error('the wallet has accounts');
    const seed = record.privateKey.map((byte, index) =>
      index === 5 ? byte ^ 1 : byte,
    ) as typeof record.privateKey;
    const address = wallet.create('pass', seed);
    expect(ledger.accounts.accountByAddress(address)).toBeDefined();
    expect(wallet.records().at(-1)).toMatchObject({ address, privateKey: seed, locked: true });
    expect(() => wallet.create('pass', seed)).toThrow('is taken');
    expect(() => wallet.create('pass', record.privateKey)).toThrow('is registered for 1.2.1024');
  });
});
