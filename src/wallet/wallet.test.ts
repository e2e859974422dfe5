import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type Address,
  accountAddress,
  accountId,
  bytesToHex,
  type Hash,
  invariant,
  toPrefixedHex,
} from '../protocol/index.ts';
import { evmAddressOf, signPersonalMessage } from './keys.ts';
import { BALANCE, openWalletFixture, START, type WalletFixture } from './wallet.testing.ts';

/** Init code of a contract that returns the word 42: PUSH1 42, MSTORE, RETURN. */
const RETURNS_42 = Buffer.from('69602a60005260206000f3600052600a6016f3', 'hex');
/** Init code of a contract that reverts. */
const REVERTS = Buffer.from('6460006000fd6000526005601bf3', 'hex');

let fixture: WalletFixture;

beforeEach(async () => {
  fixture = await openWalletFixture();
});

afterEach(() => fixture.store.close());

/** The operation that a sent transaction became. */
function sent(hash: Hash) {
  const found = fixture.ledger.pool.findOperation(hash);
  invariant(found?.kind === 'included', 'the transaction is in a block');
  return found;
}

function receiptOf(hash: Hash) {
  const { block, index } = sent(hash);
  const receipt = fixture.ledger.blocks.receiptOf(block.number, index);
  invariant(receipt !== undefined, 'an included transaction has a receipt');
  return receipt;
}

function deploy(code: Uint8Array): Address {
  const { contractAddress } = receiptOf(fixture.wallet.send({ from: fixture.alice, data: code }));
  invariant(contractAddress !== undefined, 'the creation succeeds');
  return contractAddress;
}

const locked = () => fixture.wallet.records().map((record) => record.locked);

describe('accounts', () => {
  test('default: the wallet lists the genesis accounts, unlocked, with the empty passphrase', () => {
    const { wallet } = fixture;
    expect(wallet.list()).toEqual([1024, 1025, 1026].map((instance) => accountAddress(accountId(instance))));
    expect(wallet.records()).toHaveLength(3);
    for (const { address, privateKey, passphrase, locked } of wallet.records()) {
      expect({ passphrase, locked }).toEqual({ passphrase: '', locked: false });
      const owner = fixture.ledger.accounts.accountByEvmAddress(evmAddressOf(privateKey));
      expect(owner).toBeDefined();
      expect(owner === undefined ? owner : accountAddress(owner)).toEqual(address);
    }
  });

  test('behavior: locked, unlocked for a duration, and locked automatically at its end', () => {
    const { wallet, alice, time } = fixture;
    wallet.lock(alice);
    expect(locked()).toEqual([true, false, false]);
    expect(wallet.unlock(alice, '', 2)).toBe(true);
    expect(locked()).toEqual([false, false, false]);
    time.wallet = 1_999;
    expect(locked()).toEqual([false, false, false]);
    time.wallet = 2_000;
    expect(locked()).toEqual([true, false, false]);
  });

  test('behavior: the clock of the chain does not lock', () => {
    const { wallet, alice, ledger } = fixture;
    wallet.unlock(alice, '', 2);
    ledger.clock.increaseTime(1_000);
    expect(locked()[0]).toBe(false);
  });

  test('error: a wrong passphrase does not unlock the account', () => {
    const { wallet, alice } = fixture;
    wallet.lock(alice);
    expect(wallet.unlock(alice, 'wrong')).toBe(false);
    expect(locked()[0]).toBe(true);
  });

  test('error: an account of others', () => {
    const { wallet } = fixture;
    const address = accountAddress(accountId(1_023));
    const refused = expect.objectContaining({
      code: 'UNKNOWN_ACCOUNT',
      message: `unknown account ${toPrefixedHex(address)}: it is not in the wallet`,
    });
    expect(() => wallet.lock(address)).toThrow(refused);
    expect(() => wallet.unlock(address, '')).toThrow(refused);
    expect(() => wallet.signMessage(address, new Uint8Array())).toThrow(refused);
    expect(() => wallet.send({ from: address })).toThrow(refused);
    expect(() => wallet.send({ from: address }, '')).toThrow(refused);
  });
});

describe('signMessage', () => {
  test('default', () => {
    const { wallet, bob } = fixture;
    const key = wallet.records()[1]?.privateKey;
    expect(key).toBeDefined();
    const message = Buffer.from('hello');
    expect(wallet.signMessage(bob, message)).toEqual(key && signPersonalMessage(key, message));
  });

  test('error: a locked account', () => {
    const { wallet, bob } = fixture;
    wallet.lock(bob);
    expect(() => wallet.signMessage(bob, new Uint8Array())).toThrow(
      expect.objectContaining({ code: 'LOCKED', message: `account ${toPrefixedHex(bob)} is locked` }),
    );
  });
});

describe('send', () => {
  test('default: a transfer with an estimated fee', () => {
    const { wallet, ledger, alice, bob } = fixture;
    const { operation, block } = sent(wallet.send({ from: alice, to: bob, value: 1_000n }));
    expect(operation).toMatchObject({ type: 'transfer', fee: { amount: 20n } });
    expect(block.number).toBe(1);
    expect(ledger.accounts.balanceOf(alice)).toBe(BALANCE - 1_020n);
    expect(ledger.accounts.balanceOf(bob)).toBe(BALANCE + 1_000n);
  });

  test('args: gas', () => {
    const { wallet, alice, bob } = fixture;
    expect(sent(wallet.send({ from: alice, to: bob, gas: 77n })).operation).toMatchObject({
      fee: { amount: 77n },
    });
  });

  test('behavior: without a receiver a contract is created, to its address it is called', () => {
    const { wallet, ledger, alice } = fixture;
    const contract = deploy(RETURNS_42);
    expect(bytesToHex(ledger.accounts.codeAt(contract))).toBe('602a60005260206000f3');
    const hash = wallet.send({ from: alice, to: contract, data: Uint8Array.of(1, 2), value: 5n });
    expect(sent(hash).operation).toMatchObject({ type: 'contractCall', code: '0102', value: { amount: 5n } });
    expect(receiptOf(hash).status).toBe('success');
  });

  test('behavior: equal transactions in one second', () => {
    const { wallet, alice, bob } = fixture;
    const request = { from: alice, to: bob, value: 1n };
    const hashes = Array.from({ length: 5 }, () => bytesToHex(wallet.send(request)));
    expect(new Set(hashes).size).toBe(5);
  });

  test('behavior: equal transactions while mining is stopped', () => {
    const { wallet, ledger, alice, bob } = fixture;
    ledger.miner.stopMining();
    const request = { from: alice, to: bob, value: 1n };
    const hashes = Array.from({ length: 50 }, () => bytesToHex(wallet.send(request)));
    expect(new Set(hashes).size).toBe(50);
    const expirations = ledger.pool.pendingOperations().map(({ transaction }) => transaction.expiration);
    expect(expirations).toEqual(Array.from({ length: 50 }, (_, index) => START + 60 + index));
    expect(ledger.miner.mine().operationCount).toBe(50);
    expect(ledger.accounts.balanceOf(bob)).toBe(BALANCE + 50n);
  });

  test('behavior: time that passes before the block does not take a pending transaction away', () => {
    const { wallet, ledger, alice, bob, time } = fixture;
    ledger.miner.stopMining();
    wallet.send({ from: alice, to: bob, value: 1n });
    time.ledger += 100_000;
    expect(ledger.miner.mine().operationCount).toBe(1);
    wallet.send({ from: alice, to: bob, value: 1n });
    expect(ledger.miner.mine().operationCount).toBe(1);
  });

  test('error: a locked account', () => {
    const { wallet, alice, bob } = fixture;
    wallet.lock(alice);
    expect(() => wallet.send({ from: alice, to: bob })).toThrow(`account ${toPrefixedHex(alice)} is locked`);
  });

  test('error: a receiver that does not exist', () => {
    const { wallet, alice } = fixture;
    const nobody = accountAddress(accountId(999_999));
    expect(() => wallet.send({ from: alice, to: nobody })).toThrow(
      `there is no account or contract at ${toPrefixedHex(nobody)}`,
    );
  });

  test('error: a registered EVM address: the message names the account', () => {
    const { wallet, alice, bob } = fixture;
    const key = wallet.records()[1]?.privateKey;
    expect(key).toBeDefined();
    if (key === undefined) return;
    expect(() => wallet.send({ from: alice, to: evmAddressOf(key) })).toThrow(toPrefixedHex(bob));
  });

  test('error: data to an account', () => {
    const { wallet, alice, bob } = fixture;
    expect(() => wallet.send({ from: alice, to: bob, data: Uint8Array.of(1) })).toThrow(
      `${toPrefixedHex(bob)} is an account: a transfer carries no data`,
    );
  });

  test.each([-1n, 2n ** 63n])('error: a value of %d', (value) => {
    const { wallet, alice, bob } = fixture;
    expect(() => wallet.send({ from: alice, to: bob, value })).toThrow(
      `value ${value} is no native amount: expected 0 to 9223372036854775807`,
    );
  });

  test('error: a call that reverts is not sent', () => {
    const { wallet, ledger, alice } = fixture;
    const contract = deploy(REVERTS);
    const head = ledger.blocks.head().number;
    expect(() => wallet.send({ from: alice, to: contract })).toThrow('execution reverted');
    expect(ledger.blocks.head().number).toBe(head);
  });

  test('behavior: with gas, a call that reverts is sent and fails in its block', () => {
    const { wallet, alice } = fixture;
    const contract = deploy(REVERTS);
    expect(receiptOf(wallet.send({ from: alice, to: contract, gas: 100_000n })).status).toBe('failure');
  });

  test('error: more than the account owns', () => {
    const { wallet, ledger, alice, bob } = fixture;
    expect(() => wallet.send({ from: alice, to: bob, value: BALANCE })).toThrow(/insufficient funds/);
    expect(ledger.blocks.head().number).toBe(0);
  });
});

describe('send with a passphrase', () => {
  test('default: a locked account sends and stays locked', () => {
    const { wallet, ledger, alice, bob } = fixture;
    wallet.lock(alice);
    sent(wallet.send({ from: alice, to: bob, value: 3n }, ''));
    expect(ledger.accounts.balanceOf(bob)).toBe(BALANCE + 3n);
    expect(locked()[0]).toBe(true);
  });

  test('error: a wrong passphrase', () => {
    const { wallet, alice, bob } = fixture;
    expect(() => wallet.send({ from: alice, to: bob }, 'wrong')).toThrow(
      expect.objectContaining({
        code: 'WRONG_PASSPHRASE',
        message: `wrong passphrase for account ${toPrefixedHex(alice)}`,
      }),
    );
  });
});
