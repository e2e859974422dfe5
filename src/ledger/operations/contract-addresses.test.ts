import { beforeEach, describe, expect, test } from 'vitest';
import {
  type Address,
  accountAddress,
  accountId,
  bytesToHex,
  type ContractId,
  concatBytes,
  contractAddress,
  contractId,
  hexToBytes,
  keccak256,
  type Operation,
  toAddress,
  ZERO_HASH,
} from '../../protocol/index.ts';
import type { Genesis, Ledger } from '../index.ts';
import {
  accountAt,
  addressAt,
  core,
  createContract,
  keyAt,
  openTestLedger,
  sign,
  testGenesis,
  transfer,
} from '../ledger.testing.ts';

/** The ledger adds to the EVM: addresses of contracts, and accounts that share an address with a contract. */

let ledger: Ledger;

beforeEach(async () => {
  ({ ledger } = await openTestLedger({ genesis: withLowAccounts(testGenesis()) }));
});

/** Instances of accounts at the addresses of the identity, the sum on alt_bn128, and P-256. */
const IDENTITY = accountId(4);
const BN254_ADD = accountId(6);
const P256 = accountId(0x100);

function withLowAccounts(genesis: Genesis): Genesis {
  const [pattern] = genesis.accounts;
  if (pattern === undefined) return genesis;
  const low = [IDENTITY, BN254_ADD, P256].map((id) => ({ ...pattern, id, name: `low-${id}`, balance: 100n }));
  return { ...genesis, accounts: [...low, ...genesis.accounts] };
}

/** Programs in hexadecimal digits. */
const CREATE_EMPTY = '5f5f5ff050';
/** CREATE of init code of at most 32 bytes. */
const create = (initCode: string, value = '5f') =>
  `${pushCode(initCode)}5f52${size(initCode)}${offset(initCode)}${value}f050`;
/** CREATE2 with salt 5. */
const create2 = (initCode: string) =>
  `${pushCode(initCode)}5f526005${size(initCode)}${offset(initCode)}5ff550`;
const byte = (value: number) => value.toString(16).padStart(2, '0');
const pushCode = (code: string) => `${byte(0x5f + code.length / 2)}${code}`;
const size = (code: string) => `60${byte(code.length / 2)}`;
const offset = (code: string) => `60${byte(32 - code.length / 2)}`;
/** CALL with value and without data; its result stays on the stack. */
const pay = (to: Address, value: number) => `5f5f5f5f60${byte(value)}73${bytesToHex(to)}5af1`;
const deploying = (runtime: string) =>
  `60${byte(runtime.length / 2)}600c60003960${byte(runtime.length / 2)}6000f3${runtime}`;

const REVERT = '5f5ffd';
/** SELFDESTRUCT in favour of the caller. */
const DESTROY = '33ff';

const run = (code: string, value = 0n) => {
  ledger.pool.submit(sign(ledger, [createContract(0, code, value)], [keyAt(0)]));
  const { number } = ledger.blocks.head();
  expect(ledger.blocks.receiptOf(number, 0)?.status).toBe('success');
};

const call = (callee: ContractId, code = '', value = 0n): Operation => ({
  type: 'contractCall',
  fee: core(500_000n),
  registrar: accountAt(0),
  value: core(value),
  code,
  callee,
});

const saltedAddress = (creator: Address, initCode: string): Address => {
  const salt = new Uint8Array(32);
  salt[31] = 5;
  const parts = concatBytes(Uint8Array.of(0xff), creator, salt, keccak256(hexToBytes(initCode)));
  return toAddress(keccak256(parts).subarray(12));
};

const at = (instance: number) => contractAddress(contractId(instance));
const idAt = (address: Address) => ledger.accounts.contractIdAt(address);

describe('addresses of contracts', () => {
  test('behavior: creations of one operation take one instance after the other', () => {
    run(CREATE_EMPTY + create(`${CREATE_EMPTY}00`) + CREATE_EMPTY);
    expect([0, 1, 2, 3, 4, 5].map((instance) => idAt(at(instance)))).toEqual([0, 1, 2, 3, 4, undefined]);
    run(CREATE_EMPTY);
    expect([5, 6].map((instance) => idAt(at(instance)))).toEqual([5, 6]);
  });

  test('behavior: creations that were reverted leave their instances to the next', () => {
    run(create(REVERT) + create(CREATE_EMPTY + REVERT) + CREATE_EMPTY);
    expect([0, 1, 2].map((instance) => idAt(at(instance)))).toEqual([0, 1, undefined]);
  });

  test('behavior: operations of one transaction, and transactions of one block, continue the numbering', () => {
    ledger.miner.stopMining();
    const twice = [createContract(0, CREATE_EMPTY), createContract(1, CREATE_EMPTY)];
    ledger.pool.submit(sign(ledger, twice, [keyAt(0), keyAt(1)]));
    ledger.pool.submit(sign(ledger, [createContract(2, CREATE_EMPTY)], [keyAt(2)]));
    ledger.miner.mine();
    expect([0, 1].map((index) => ledger.blocks.blockTransactions(1)[index]?.result)).toEqual([
      { type: 'object', id: { space: 1, type: 11, instance: 0 } },
      { type: 'object', id: { space: 1, type: 11, instance: 2 } },
    ]);
    expect(ledger.blocks.receiptOf(1, 2)?.contractAddress).toEqual(at(4));
    expect(idAt(at(5))).toBe(5);
  });

  test('behavior: a contract of CREATE2 has the address of its hash, and the directory has its instance', () => {
    const initCode = deploying('60075f5260205ff3');
    const address = saltedAddress(at(0), initCode);
    run(create2(initCode));
    expect(idAt(address)).toBe(1);
    expect(ledger.accounts.contractAddressOf(contractId(1))).toEqual(address);
    expect(idAt(at(1))).toBeUndefined();
    expect(ledger.accounts.codeAt(at(1))).toHaveLength(0);
    expect(ledger.accounts.receiverAt(address)).toEqual({ kind: 'contract', address, id: contractId(1) });
    expect(() => ledger.accounts.receiverAt(at(1))).toThrow('there is no account or contract');
    ledger.pool.submit(sign(ledger, [call(contractId(1))], [keyAt(0)]));
    expect(ledger.blocks.blockTransactions(2)[0]?.to).toEqual(address);
    run(CREATE_EMPTY);
    expect([2, 3].map((instance) => idAt(at(instance)))).toEqual([2, 3]);
  });

  test('behavior: a destroyed contract keeps its instance number and is removed from the directory', () => {
    run(create(DESTROY) + CREATE_EMPTY);
    expect([0, 1, 2].map((instance) => idAt(at(instance)))).toEqual([0, undefined, 2]);
    expect(ledger.accounts.contractAddressOf(contractId(1))).toBeUndefined();
  });

  test('behavior: CREATE2 of the same contract after it was destroyed takes a new instance', () => {
    // Contract 0 creates by CREATE2, at every call, a contract that destroys itself at once.
    run(deploying(create2(DESTROY)));
    for (let count = 0; count < 2; count += 1) {
      ledger.pool.submit(
        sign(ledger, [call(contractId(0))], [keyAt(0)], { expiration: 1_790_000_050 + count }),
      );
      expect(ledger.blocks.receiptOf(ledger.blocks.head().number, 0)?.status).toBe('success');
    }
    run(CREATE_EMPTY);
    expect([1, 2, 3, 4].map((instance) => idAt(at(instance)))).toEqual([undefined, undefined, 3, 4]);
    expect(idAt(saltedAddress(at(0), DESTROY))).toBeUndefined();
  });
});

describe('accounts at the addresses of precompiled contracts', () => {
  const identity = accountAddress(IDENTITY);

  test('behavior: a call executes the precompiled contract, and its value is credited to the account', () => {
    run(`${pay(identity, 9)}5f55`, 9n);
    expect(ledger.accounts.balanceOf(identity)).toBe(109n);
    expect(ledger.accounts.storageAt(at(0), ZERO_HASH).at(-1)).toBe(1);
    run(`${pay(accountAddress(P256), 3)}50`, 3n);
    expect(ledger.accounts.balanceOf(accountAddress(P256))).toBe(103n);
  });

  test('behavior: the value is returned if the precompiled contract fails', () => {
    // 64 bytes of ones are no point of the curve.
    const address = accountAddress(BN254_ADD);
    const ones = '5f19805f52602052';
    const failing = `5f5f60405f600773${bytesToHex(address)}5af15f55`;
    run(ones + failing, 7n);
    expect(ledger.accounts.balanceOf(address)).toBe(100n);
    expect(ledger.accounts.balanceOf(at(0))).toBe(7n);
    expect(ledger.accounts.storageAt(at(0), ZERO_HASH).at(-1)).toBe(0);
  });

  test('behavior: a transfer only moves the amount, and a call runs the contract', () => {
    ledger.pool.submit(sign(ledger, [transfer(0, IDENTITY, 5n)], [keyAt(0)]));
    expect(ledger.accounts.balanceOf(identity)).toBe(105n);
    expect(ledger.accounts.receiverAt(identity)).toEqual({
      kind: 'account',
      address: identity,
      id: IDENTITY,
    });
    const data = Uint8Array.of(1, 2, 3);
    expect(ledger.calls.call({ to: identity, data })).toMatchObject({ status: 'success', output: data });
    expect(ledger.accounts.codeAt(identity)).toHaveLength(0);
  });
});

describe('value that code sends', () => {
  test('behavior: to an account', () => {
    const before = ledger.accounts.balanceOf(addressAt(1));
    run(`${pay(addressAt(1), 6)}50`, 6n);
    expect(ledger.accounts.balanceOf(addressAt(1))).toBe(before + 6n);
  });

  test('behavior: sending value to an empty address costs the gas of a new account', () => {
    const stranger = toAddress(new Uint8Array(20).fill(0xab));
    run(deploying(`${pay(stranger, 1)}00`), 2n);
    const gas = [0, 1].map((count) => {
      const transaction = sign(ledger, [call(contractId(0))], [keyAt(0)], {
        expiration: 1_790_000_050 + count,
      });
      ledger.pool.submit(transaction);
      return ledger.blocks.receiptOf(ledger.blocks.head().number, 0)?.gasUsed ?? 0n;
    });
    expect((gas[0] ?? 0n) - (gas[1] ?? 0n)).toBe(25_000n);
    expect(ledger.accounts.balanceOf(stranger)).toBe(2n);
  });

  test('behavior: to the producer, on top of the fees', () => {
    const before = ledger.accounts.balanceOf(ledger.parameters.coinbase);
    run(`${pay(ledger.parameters.coinbase, 8)}50`, 8n);
    const fee = ledger.blocks.receiptOf(1, 0)?.gasUsed ?? 0n;
    expect(ledger.accounts.balanceOf(ledger.parameters.coinbase)).toBe(before + fee + 8n);
  });
});
