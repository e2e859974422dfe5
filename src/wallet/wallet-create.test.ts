import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isAccountName } from '../ledger/index.ts';
import { accountAddress, accountId } from '../protocol/index.ts';
import { PASSPHRASE_CHARACTERS_MAX } from './keyring.ts';
import { evmAddressOf, generateSeed } from './keys.ts';
import { openWalletFixture, type WalletFixture } from './wallet.testing.ts';
import { type StoredAccount, walletFileAt } from './wallet-file.ts';

let fixture: WalletFixture;

beforeEach(async () => {
  fixture = await openWalletFixture();
});

afterEach(() => fixture.store.close());

describe('create', () => {
  test('default: a registered account with a new key, locked', () => {
    const { wallet, ledger } = fixture;
    const address = wallet.create('secret');
    expect(address).toEqual(accountAddress(accountId(1_027)));
    expect(wallet.list()).toHaveLength(4);
    const record = wallet.records()[3];
    expect(record).toMatchObject({ address, passphrase: 'secret', locked: true });
    const account = ledger.accounts.accountByAddress(address);
    expect(account?.evmAddress).toEqual(record && evmAddressOf(record.privateKey));
    expect(account !== undefined && isAccountName(account.name)).toBe(true);
    expect(account?.name).toMatch(/^test-[a-z]{12}$/);
  });

  test('behavior: its key signs once the account is funded and unlocked', () => {
    const { wallet, ledger, alice } = fixture;
    const address = wallet.create('secret');
    wallet.send({ from: alice, to: address, value: 1_000n });
    expect(() => wallet.send({ from: address, to: alice, value: 1n })).toThrow('is locked');
    expect(wallet.unlock(address, 'secret')).toBe(true);
    wallet.send({ from: address, to: alice, value: 1n });
    expect(ledger.accounts.balanceOf(address)).toBe(979n);
  });

  test('behavior: while mining is stopped it gets a block, and pending transactions stay pending', () => {
    const { wallet, ledger, alice, bob } = fixture;
    ledger.miner.stopMining();
    wallet.send({ from: alice, to: bob, value: 1n });
    const [first, second] = [wallet.create(''), wallet.create('')];
    expect(first).not.toEqual(second);
    expect(ledger.blocks.head().number).toBe(2);
    expect(ledger.pool.pendingOperations()).toHaveLength(1);
  });

  test('error: an overlong passphrase', () => {
    const { wallet, ledger } = fixture;
    expect(() => wallet.create('x'.repeat(PASSPHRASE_CHARACTERS_MAX + 1))).toThrow(
      'the passphrase exceeds 1024 characters',
    );
    expect(ledger.blocks.head().number).toBe(0);
  });

  test('behavior: stored in a file, it exists and is locked after a restart', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ledgerd-wallet-'));
    const path = join(folder, 'wallet.json');
    const kept = await openWalletFixture(walletFileAt(path));
    try {
      const addresses = [kept.wallet.create('one'), kept.wallet.create('two')];
      for (const address of addresses) kept.wallet.unlock(address, 'one', 0);
      const again = kept.reopen();
      expect(again.list()).toEqual(kept.wallet.list());
      expect(again.records().map(({ privateKey }) => privateKey)).toEqual(
        kept.wallet.records().map(({ privateKey }) => privateKey),
      );
      expect(again.records().map(({ locked }) => locked)).toEqual([false, false, false, true, true]);
    } finally {
      await kept.store.close();
      rmSync(folder, { recursive: true });
    }
  });

  test('behavior: a process that ends between a revert and the file leaves no keys of no account', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ledgerd-wallet-'));
    const path = join(folder, 'wallet.json');
    let reorgCount = (): number => 0;
    let isKilled = false;
    const file = walletFileAt(path, () => reorgCount());
    const storage = {
      ...file,
      save: (accounts: readonly StoredAccount[]): void => {
        if (!isKilled) file.save(accounts);
      },
    };
    const kept = await openWalletFixture(storage);
    reorgCount = () => kept.store.reorgCount();
    try {
      const [first] = [kept.wallet.create('first'), kept.wallet.create('second')];
      isKilled = true;
      kept.ledger.chain.revertTo(1);
      // Another account gets the number of the removed one.
      const other = kept.wallet.create('another');
      isKilled = false;
      expect(kept.reopen().list().slice(3)).toEqual([first]);
      expect(file.load()).toMatchObject([{ passphrase: 'first' }]);
      expect(file.isBehind()).toBe(false);
      expect(kept.wallet.list().slice(3)).toEqual([first, other]);
    } finally {
      await kept.store.close();
      rmSync(folder, { recursive: true });
    }
  });

  test('error: a file of another chain', async () => {
    const foreign = { id: accountId(9_999), seed: generateSeed(), passphrase: '' };
    const storage = { load: () => [foreign], save: () => undefined, isBehind: () => false };
    await expect(openWalletFixture(storage)).rejects.toThrow(
      'the wallet file holds a key of 1.2.9999, which is no account of this ledger',
    );
  });
});
