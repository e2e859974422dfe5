import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  type Authority,
  accountId,
  assetId,
  bytesToHex,
  type KeyPair,
  type Operation,
  toPrefixedHex,
} from '../../protocol/index.ts';
import type { Store } from '../../store/index.ts';
import type { Ledger } from '../index.ts';
import {
  accountAt,
  addressAt,
  core,
  evmAddressOf,
  GENESIS_TIME,
  keyAt,
  keyOf,
  openTestLedger,
  refusalOf,
  rootByScan,
  type SignedParts,
  sign,
  TEST_BALANCE,
  transfer,
} from '../ledger.testing.ts';

let ledger: Ledger;
let store: Store;

beforeEach(async () => {
  ({ ledger, store } = await openTestLedger());
});

const send = (...signed: SignedParts) => ledger.pool.submit(sign(ledger, ...signed));
const refusal = (...signed: SignedParts) => refusalOf(ledger, store, ...signed);

const singleKey = (key: KeyPair): Authority => ({
  weightThreshold: 1,
  accountAuths: [],
  keyAuths: [[key.publicKey, 1]],
});

const registration = (name: string, active: Authority, key: KeyPair): Operation => ({
  type: 'accountCreate',
  fee: core(100n),
  registrar: accountAt(0),
  name,
  active,
  echorandKey: key.publicKey,
  options: { delegatingAccount: accountAt(0), delegateShare: 0 },
});

describe('transfer', () => {
  test('default', () => {
    send([transfer(0, accountAt(1), 1_000n, 500n)], [keyAt(0)]);
    expect(ledger.accounts.balanceOf(addressAt(0))).toBe(TEST_BALANCE - 1_020n);
    expect(ledger.accounts.balanceOf(addressAt(1))).toBe(TEST_BALANCE + 1_000n);
    const receipt = ledger.blocks.receiptOf(1, 0);
    expect(receipt).toMatchObject({ status: 'success', gasUsed: 20n, logs: [] });
  });

  test('behavior: the fee is credited to the block producer', () => {
    const before = ledger.accounts.balanceOf(ledger.parameters.coinbase);
    send([transfer(0, accountAt(1), 1n)], [keyAt(0)]);
    expect(ledger.accounts.balanceOf(ledger.parameters.coinbase)).toBe(before + 20n);
    expect(ledger.blocks.head().feesCollected).toBe(20n);
  });

  test('behavior: to oneself costs the fee alone', () => {
    send([transfer(0, accountAt(0), 5n)], [keyAt(0)]);
    expect(ledger.accounts.balanceOf(addressAt(0))).toBe(TEST_BALANCE - 20n);
  });

  test('error: amounts and receivers', () => {
    expect(refusal([transfer(0, accountAt(1), TEST_BALANCE)], [keyAt(0)])).toBe(
      `insufficient funds for gas * price + value: address ${toPrefixedHex(addressAt(0))} ` +
        `have ${TEST_BALANCE} want ${TEST_BALANCE + 20n}`,
    );
    expect(refusal([transfer(0, accountId(9_999), 1n)], [keyAt(0)])).toBe(
      'the account 1.2.9999 does not exist',
    );
    expect(refusal([transfer(0, accountAt(1), 1n, 19n)], [keyAt(0)])).toBe(
      'intrinsic gas too low: the fee 19 is below the minimum of 20',
    );
    const otherAsset = { amount: 1n, assetId: assetId(7) };
    expect(
      refusal(
        [{ type: 'transfer', fee: core(20n), from: accountAt(0), to: accountAt(1), amount: otherAsset }],
        [keyAt(0)],
      ),
    ).toBe('operations[0].amount names another asset than the core asset 1.3.0');
  });
});

describe('expiration and reference block', () => {
  const one = (): Operation[] => [transfer(0, accountAt(1), 1n)];

  test('error: expiration', () => {
    expect(refusal(one(), [keyAt(0)], { expiration: GENESIS_TIME })).toContain('the transaction expired at');
    expect(refusal(one(), [keyAt(0)], { expiration: GENESIS_TIME + 86_401 })).toContain(
      'is too far in the future',
    );
    send(one(), [keyAt(0)], { expiration: GENESIS_TIME + 86_400 });
  });

  test('error: a reference block that is not on the chain', () => {
    const message = 'is not on this chain';
    expect(refusal(one(), [keyAt(0)], { refBlockPrefix: 1 })).toContain(message);
    expect(refusal(one(), [keyAt(0)], { refBlockNum: 5 })).toContain(message);
  });

  test('error: a transaction is accepted once', () => {
    const transaction = sign(ledger, one(), [keyAt(0)]);
    ledger.pool.submit(transaction);
    expect(() => ledger.pool.submit(transaction)).toThrow('already known: the transaction is in block 1');
    expect(ledger.blocks.head().number).toBe(1);
  });

  test('behavior: equal operations in two transactions are two operations', () => {
    const first = sign(ledger, one(), [keyAt(0)]);
    const second = sign(ledger, [...one(), transfer(0, accountAt(2), 2n)], [keyAt(0)]);
    ledger.pool.submit(first);
    ledger.pool.submit(second);
    expect(() => ledger.pool.submit(second)).toThrow('already known');
    expect(ledger.accounts.balanceOf(addressAt(1))).toBe(TEST_BALANCE + 2n);
  });
});

describe('authorities', () => {
  test('error: signatures', () => {
    const operations = [transfer(0, accountAt(1), 1n)];
    expect(refusal(operations, [])).toBe('the signatures do not satisfy the active authority of 1.2.1024');
    expect(refusal(operations, [keyAt(1)])).toContain(
      'signature 0 is by no key of the accounts that must sign',
    );
    expect(refusal(operations, [keyAt(0), keyAt(0)])).toBe('signature 1 is superfluous');
    expect(refusal(operations, [keyAt(0)], { chainId: evmAddressHash() })).toContain('another chain');
    expect(refusal(operations, [keyAt(0)], { signedWithEchorandKey: true })).toContain(
      'signed_with_echorand_key',
    );
    expect(refusal([transfer(0, accountAt(1), 1n), transfer(2, accountAt(1), 1n)], [keyAt(0)])).toContain(
      '1.2.1026',
    );
    send([transfer(0, accountAt(1), 1n), transfer(2, accountAt(1), 1n)], [keyAt(2), keyAt(0)]);
  });

  test('behavior: weights, and accounts as members of an authority', () => {
    const [red, green] = [keyOf('red'), keyOf('green')];
    const shared: Authority = {
      weightThreshold: 3,
      accountAuths: [[accountAt(1), 2]],
      keyAuths: [
        [red.publicKey, 1],
        [green.publicKey, 2],
      ],
    };
    send([registration('shared', shared, red)], [keyAt(0)]);
    const id = ledger.accounts.accountByName('shared');
    expect(id).toBe(accountAt(4));
    send([transfer(0, accountAt(4), 1_000n)], [keyAt(0)]);
    const spend = [transfer(4, accountAt(2), 1n)];
    expect(refusal(spend, [red])).toContain('do not satisfy the active authority of 1.2.1028');
    expect(refusal(spend, [green])).toContain('do not satisfy');
    send(spend, [green, red]);
    send(spend, [keyAt(1), red]);
    expect(refusal(spend, [keyAt(1), red, green])).toContain('superfluous');
    expect(ledger.accounts.balanceOf(addressAt(4))).toBe(1_000n - 42n);
  });

  test('error: an authority that cannot be satisfied', () => {
    const key = keyOf('new');
    const with_ = (active: Authority): string => refusal([registration('new', active, key)], [keyAt(0)]);
    expect(with_({ ...singleKey(key), weightThreshold: 0 })).toContain('weight_threshold is 0');
    expect(with_({ ...singleKey(key), weightThreshold: 2 })).toContain('do not reach weight_threshold (2)');
    expect(with_({ weightThreshold: 1, keyAuths: [], accountAuths: [[accountId(5_000), 1]] })).toContain(
      '1.2.5000 does not exist',
    );
  });
});

describe('accounts', () => {
  test('default', () => {
    const key = keyOf('alice');
    const evmAddress = evmAddressOf(key.publicKey);
    send([{ ...registration('alice-1.x', singleKey(key), key), evmAddress } as Operation], [keyAt(0)]);
    const [operation] = ledger.blocks.blockTransactions(1);
    expect(operation?.result).toEqual({ type: 'object', id: { space: 1, type: 2, instance: 1028 } });
    expect(operation?.to).toEqual(addressAt(4));
    expect(ledger.accounts.accountByEvmAddress(evmAddress)).toBe(accountAt(4));
    expect(ledger.accounts.account(accountAt(4))).toMatchObject({
      name: 'alice-1.x',
      echorandKey: key.publicKey,
      evmAddress,
    });
    expect(ledger.accounts.balanceOf(addressAt(0))).toBe(TEST_BALANCE - 100n);
  });

  test.each(['ab', 'Alice', '1abc', 'abc-', 'a..b', 'a.1b', 'ab_c', 'a'.repeat(64)])(
    'error: the name %s',
    (name) => {
      const key = keyOf('x');
      expect(refusal([registration(name, singleKey(key), key)], [keyAt(0)])).toContain(
        'invalid account name',
      );
    },
  );

  test('error: names, EVM addresses and delegates', () => {
    const key = keyOf('x');
    const base = registration('bob', singleKey(key), key);
    expect(refusal([registration('test-account-0', singleKey(key), key)], [keyAt(0)])).toBe(
      'the account name test-account-0 is taken',
    );
    const taken = { ...base, evmAddress: evmAddressOf(keyAt(1).publicKey) } as Operation;
    expect(refusal([taken], [keyAt(0)])).toContain('is registered for 1.2.1025');
    const delegate = {
      ...base,
      options: { delegatingAccount: accountId(77), delegateShare: 0 },
    } as Operation;
    expect(refusal([delegate], [keyAt(0)])).toBe('the account 1.2.77 does not exist');
    const share = {
      ...base,
      options: { delegatingAccount: accountAt(0), delegateShare: 10_001 },
    } as Operation;
    expect(refusal([share], [keyAt(0)])).toContain('delegate_share is 10001');
  });

  test('behavior: an update replaces the keys', () => {
    const key = keyOf('second');
    const update: Operation = {
      type: 'accountUpdate',
      fee: core(20n),
      account: accountAt(0),
      active: singleKey(key),
    };
    send([update], [keyAt(0)]);
    expect(refusal([transfer(0, accountAt(1), 1n)], [keyAt(0)])).toContain('signature 0');
    send([transfer(0, accountAt(1), 1n)], [key]);
    expect(refusal([{ type: 'accountUpdate', fee: core(20n), account: accountAt(0) }], [key])).toContain(
      'changes nothing',
    );
  });

  test('behavior: an EVM address is registered once', () => {
    const key = keyOf('carol');
    send([registration('carol', singleKey(key), key), transfer(0, accountAt(4), 100n)], [keyAt(0)]);
    const evmAddress = evmAddressOf(key.publicKey);
    const register = (owner: number): Operation[] => [
      { type: 'evmAddressRegister', fee: core(20n), owner: accountAt(owner), evmAddress },
    ];
    send(register(4), [key]);
    expect(ledger.accounts.accountByEvmAddress(evmAddress)).toBe(accountAt(4));
    expect(refusal(register(4), [key])).toContain('has the EVM address');
    expect(refusal(register(0), [keyAt(0)])).toContain('has the EVM address');
  });
});

test('behavior: any sequence of transfers preserves the supply, and the state root equals that of a scan', () => {
  const steps = fc.array(
    fc.record({ from: fc.nat(3), to: fc.nat(3), amount: fc.bigInt(0n, TEST_BALANCE * 2n) }),
    { maxLength: 12 },
  );
  const holders = [0, 1, 2, 3].map(addressAt);
  fc.assert(
    fc.property(steps, (sequence) => {
      const supply = holders
        .concat(ledger.parameters.coinbase)
        .reduce((sum, address) => sum + ledger.accounts.balanceOf(address), 0n);
      for (const { from, to, amount } of sequence) {
        const enough = ledger.accounts.balanceOf(addressAt(from)) >= amount + 20n;
        const act = () => send([transfer(from, accountAt(to), amount)], [keyAt(from)]);
        if (enough) act();
        else expect(act).toThrow('insufficient funds');
      }
      const after = holders
        .concat(ledger.parameters.coinbase)
        .reduce((sum, address) => sum + ledger.accounts.balanceOf(address), 0n);
      expect(after).toBe(supply);
      expect(ledger.blocks.head().header.vmRoot[0]?.slice(0, 64)).toBe(bytesToHex(rootByScan(store)));
    }),
    { numRuns: 20 },
  );
});

function evmAddressHash() {
  return ledger.parameters.chainId.map((byte) => byte ^ 1) as typeof ledger.parameters.chainId;
}
