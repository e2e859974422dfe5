import { Transaction } from 'ethers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AMOUNT_MAX, WEI_PER_UNIT } from '../../consensus.ts';
import { hexToBytes, keccak256, toPrefixedHex, toSeed, utf8ToBytes } from '../../protocol/index.ts';
import { evmAddressOf } from '../../wallet/index.ts';
import { DEFAULT_ETHEREUM, describeNotice, type TestNode } from '../index.ts';
import { ALICE, BOB, callEthereum, closeNodes, expectTimeOfDay, startNode } from './test-chain.testing.ts';

const ETHER = 10n ** 18n;
const TOKEN = '0x1111111111111111111111111111111111111111';
const WORD = `0x${'11'.repeat(32)}`;
const [FIRST, SECOND] = [
  'f39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  '70997970c51812dc3a010c7d01b50e0d17dc79c8',
].map((digits) => toPrefixedHex(hexToBytes(digits))) as [`0x${string}`, `0x${string}`];

let node: TestNode;
const told: string[] = [];

beforeAll(async () => {
  node = await startNode(
    { network: 'local', ethereum: DEFAULT_ETHEREUM },
    { onNotice: (notice) => told.push(describeNotice(notice).message) },
  );
});

afterAll(closeNodes);

const ask = (method: string, ...params: readonly unknown[]): Promise<unknown> =>
  callEthereum(node, method, ...params);

/** Changes without a block, and the result of each of their names. */
const PATCHES: readonly (readonly [
  action: string,
  others: readonly string[],
  params: unknown[],
  result: unknown,
])[] = [
  ['setBalance', ['tenderly_setBalance', 'evm_setAccountBalance'], [[FIRST, TOKEN], '0x7'], null],
  ['addBalance', ['tenderly_addBalance'], [SECOND, '0x1'], null],
  ['setCode', ['evm_setAccountCode'], [TOKEN, '0x60075460005260206000f3'], null],
  ['setStorageAt', ['evm_setAccountStorageAt'], [TOKEN, '0x1', '0x2'], true],
  ['setNonce', ['evm_setAccountNonce'], [SECOND, '0x5'], null],
  ['dealERC20', [], [FIRST, TOKEN, '0x5'], null],
  ['setERC20Balance', [], [FIRST, TOKEN, '0x6'], null],
  ['setERC20Allowance', [], [FIRST, SECOND, TOKEN, '0x7'], null],
  ['setNextBlockPrevRandao', [], [WORD], null],
  ['setPrevRandao', [], ['0x1'], null],
];

test('error: blocks beyond the latest possible time leave the clock unchanged', async () => {
  const before = await ask('evm_increaseTime', 0);
  expect(await ask('anvil_mine', 7, 2 ** 31)).toMatchObject({
    code: -32000,
    message: expect.stringContaining('the clock cannot be moved to'),
  });
  expect(await ask('evm_increaseTime', 0)).toBe(before);
});

describe('changes without a block', () => {
  test.each(PATCHES)('default: %s by each of its names', async (action, others, params, result) => {
    for (const name of [...['anvil', 'hardhat', 'ganache'].map((peer) => `${peer}_${action}`), ...others]) {
      expect([name, await ask(name, ...params)]).toEqual([name, result]);
    }
  });

  test('default: balances in wei, dust as well, and nonces that transactions go by', async () => {
    const balance = 3n * ETHER + 1n;
    await ask('hardhat_setBalance', FIRST, `0x${balance.toString(16)}`);
    expect(await ask('eth_getBalance', FIRST, 'latest')).toBe(`0x${balance.toString(16)}`);
    await ask('anvil_addBalance', FIRST, '0x1');
    expect(BigInt(String(await ask('eth_getBalance', FIRST, 'latest')))).toBe(balance + 1n);
    await ask('hardhat_setNonce', SECOND, '0x20');
    const hash = await ask('eth_sendTransaction', { from: SECOND, to: FIRST, value: '0x1' });
    expect(await ask('eth_getTransactionByHash', hash)).toMatchObject({ nonce: '0x20' });
    expect(await ask('eth_getTransactionCount', SECOND, 'latest')).toBe('0x21');
    await ask('anvil_setNonce', ALICE, '0x9');
    expect(await ask('eth_getTransactionCount', ALICE, 'latest')).toBe('0x9');
  });

  test('behavior: a balance above the maximum is capped, and the cap is logged', async () => {
    const most = AMOUNT_MAX * WEI_PER_UNIT;
    const asked = 2n ** 256n - 1n;
    expect(await ask('anvil_setBalance', TOKEN, `0x${asked.toString(16)}`)).toBeNull();
    expect(await ask('eth_getBalance', TOKEN, 'latest')).toBe(`0x${most.toString(16)}`);
    expect(told).toContain(
      `${TOKEN} gets ${most} wei, the most that an account can have, instead of ${asked}`,
    );
    await ask('anvil_setBalance', TOKEN, '0x0');
  });

  test('error: a nonce that is too large', async () => {
    expect(await ask('anvil_setNonce', ALICE, '0xffffffffffffffff')).toEqual({
      code: -32602,
      message: 'invalid argument 1 (nonce): expected at most 9007199254740991, got 18446744073709551615',
    });
  });
});

test('default: blocks at an interval, which also precedes the first one', async () => {
  const timeOf = (): number => node.ledger.blocks.head().header.timestamp;
  const began = performance.now();
  await ask('evm_mine');
  const [time, number] = [timeOf(), node.ledger.blocks.head().number];
  expect(await ask('anvil_mine', '0x2', '0x64')).toBeNull();
  expect(node.ledger.blocks.head().number).toBe(number + 2);
  expectTimeOfDay(timeOf(), time + 200, began);
  // In Hardhat the interval is only between the blocks.
  expect(await ask('hardhat_mine', '0x3', '0x64')).toBeNull();
  expect(node.ledger.blocks.head().number).toBe(number + 5);
  expectTimeOfDay(timeOf(), time + 400, began);
});

describe('amounts that are no whole unit', () => {
  const balanceOf = async (address: string): Promise<bigint> =>
    BigInt(String(await ask('eth_getBalance', address, 'latest')));
  const sent = async (request: object): Promise<Record<string, string>> => {
    const hash = await ask('eth_sendTransaction', request);
    const [transaction, receipt] = [
      await ask('eth_getTransactionByHash', hash),
      await ask('eth_getTransactionReceipt', hash),
    ] as Record<string, string>[];
    return { ...transaction, ...receipt };
  };

  test('behavior: an address of the wallet that was given code sends once it is impersonated', async () => {
    const transaction = { from: FIRST, to: SECOND, value: '0x3' };
    await ask('anvil_setCode', FIRST, '0x00');
    expect(await ask('eth_sendTransaction', transaction)).toMatchObject({
      code: -32000,
      message: `sender not an eoa: address ${FIRST} has code`,
    });
    await ask('anvil_impersonateAccount', FIRST);
    expect(await sent(transaction)).toMatchObject({ from: FIRST, value: '0x3', status: '0x1' });
    await ask('anvil_stopImpersonatingAccount', FIRST);
    await ask('anvil_setCode', FIRST, '0x');
    expect(await sent(transaction)).toMatchObject({ from: FIRST, value: '0x3', status: '0x1' });
  });

  test('behavior: an address of the wallet that was given a delegation runs code, and sends with its key', async () => {
    const [target, owner] = [`0x${'7a'.repeat(20)}`, SECOND];
    // Returns its address.
    await ask('anvil_setCode', target, '0x305f5260205ff3');
    await ask('anvil_setCode', owner, `0xef0100${target.slice(2)}`);
    expect(await ask('eth_call', { to: owner }, 'latest')).toBe(`0x${owner.slice(2).padStart(64, '0')}`);
    expect(await sent({ from: owner, to: FIRST, value: '0x1' })).toMatchObject({
      from: owner,
      status: '0x1',
    });
    await ask('anvil_setCode', owner, '0x');
    expect(await ask('eth_getCode', owner, 'latest')).toBe('0x');
    expect(await ask('eth_call', { to: owner }, 'latest')).toBe('0x');
  });

  test('behavior: of an impersonated address to one that may become that of a native account', async () => {
    const [somebody, receiver] = [`0x${'6e'.repeat(20)}`, '0x000000000000000000000000000000000000dead'];
    await ask('anvil_setBalance', somebody, '0xde0b6b3a7640000');
    await ask('anvil_impersonateAccount', somebody);
    expect(await sent({ from: somebody, to: receiver, value: '0x4' })).toMatchObject({ status: '0x1' });
    // As from an account with a key, with data as well.
    expect(await sent({ from: FIRST, to: receiver, value: '0x4' })).toMatchObject({ status: '0x1' });
    const noted = { from: somebody, to: receiver, value: '0x1', data: '0x12' };
    expect(await sent(noted)).toMatchObject({ status: '0x1' });
    expect(await balanceOf(receiver)).toBe(9n);
  });

  test('default: of a native account, which pays for the gas, to keys, contracts and native accounts', async () => {
    const receiver = `0x${'3e'.repeat(20)}`;
    for (const to of [receiver, TOKEN, BOB]) {
      const [before, paid] = [await balanceOf(to), await balanceOf(ALICE)];
      const { gasUsed = '', status, value } = await sent({ from: ALICE, to, value: '0x2540be401' });
      expect([to, status, value]).toEqual([to, '0x1', '0x2540be401']);
      expect((await balanceOf(to)) - before).toBe(10_000_000_001n);
      expect(paid - (await balanceOf(ALICE))).toBe(10_000_000_001n + BigInt(gasUsed) * WEI_PER_UNIT);
    }
    const { contractAddress = '' } = await sent({ from: ALICE, data: '0x5f5ff3', value: '0x7' });
    expect(await balanceOf(contractAddress)).toBe(7n);
  });

  test('behavior: a locked account sends none', async () => {
    await ask('personal_lockAccount', ALICE);
    const request = { from: ALICE, to: FIRST, value: '0x1' };
    expect(await ask('eth_sendTransaction', request)).toMatchObject({
      message: `account ${ALICE} is locked`,
    });
    expect(await ask('personal_sendTransaction', request, 'no')).toMatchObject({ code: -32000 });
    expect(await ask('personal_sendTransaction', request, '')).toMatch(/^0x/);
    await ask('personal_unlockAccount', ALICE, '', 0);
  });

  test('behavior: the trace shows the amount, and the chain replays to the same state', async () => {
    const [hash] = [await ask('eth_sendTransaction', { from: ALICE, to: BOB, value: '0x9' })];
    expect(await ask('debug_traceTransaction', hash, { tracer: 'callTracer' })).toMatchObject({
      from: ALICE,
      to: BOB,
      value: '0x9',
    });
    const balance = await balanceOf(BOB);
    expect(await ask('anvil_loadState', await ask('anvil_dumpState'))).toBe(true);
    expect(await balanceOf(BOB)).toBe(balance);
  });
});

describe('accounts of the wallet', () => {
  const key = toSeed(keccak256(utf8ToBytes('imported')));
  const address = toPrefixedHex(evmAddressOf(key));
  const needed = { code: -32000, message: 'authentication needed: password or unlock' };
  const wrong = { code: -32000, message: 'could not decrypt key with given password' };

  test('default: an imported key sends once it is unlocked, or with its passphrase', async () => {
    expect(await ask('personal_importRawKey', toPrefixedHex(key).slice(2), 'secret')).toBe(address);
    expect(await ask('eth_accounts')).toContain(address);
    await ask('anvil_setBalance', address, '0xde0b6b3a7640000');
    const request = { from: address, to: FIRST, value: '0x1' };
    expect(await ask('eth_sendTransaction', request)).toEqual(needed);
    expect(await ask('personal_sendTransaction', request, 'Secret')).toEqual(wrong);
    const first = await ask('personal_sendTransaction', request, 'secret');
    expect(await ask('eth_getTransactionReceipt', first)).toMatchObject({ from: address, status: '0x1' });
    expect(await ask('personal_unlockAccount', address, 'Secret')).toEqual(wrong);
    expect(await ask('personal_unlockAccount', address, 'secret', 60)).toBe(true);
    const second = await ask('eth_sendTransaction', request);
    expect(await ask('eth_getTransactionByHash', second)).toMatchObject({ from: address, nonce: '0x1' });
    expect(await ask('personal_lockAccount', address)).toBe(true);
    expect(await ask('eth_sign', address, '0x12')).toEqual(needed);
    expect(await ask('personal_sign', '0x12', address, 'secret')).toMatch(/^0x[0-9a-f]{130}$/);
    const { raw } = (await ask('personal_signTransaction', request, 'secret')) as { raw: string };
    expect(Transaction.from(raw)).toMatchObject({ nonce: 2, value: 1n });
    expect(await ask('personal_importRawKey', toPrefixedHex(key), '')).toEqual({
      code: -32000,
      message: `account already exists: ${address}`,
    });
  });

  test('default: a new account, and the accounts that the chain begins with', async () => {
    const made = String(await ask('personal_newAccount', 'word'));
    expect(await ask('personal_listAccounts')).toContain(made);
    expect(await ask('personal_unlockAccount', made, 'word', 0)).toBe(true);
    expect(await ask('eth_sign', made, '0x12')).toMatch(/^0x/);
    expect(await ask('personal_lockAccount', FIRST)).toBe(true);
    expect(await ask('eth_sign', FIRST, '0x12')).toEqual(needed);
    expect(await ask('personal_unlockAccount', FIRST, '', 0)).toBe(true);
    expect(await ask('personal_lockAccount', TOKEN)).toMatchObject({ code: -32000 });
  });

  test('behavior: accounts with native keys can be locked and unlocked, too', async () => {
    const request = { from: ALICE, to: FIRST, value: '0x2540be400' };
    expect(await ask('personal_lockAccount', ALICE)).toBe(true);
    expect(await ask('eth_sendTransaction', request)).toMatchObject({
      message: `account ${ALICE} is locked`,
    });
    expect(await ask('personal_unlockAccount', ALICE, 'no')).toEqual(wrong);
    expect(await ask('personal_unlockAccount', ALICE, '')).toBe(true);
    expect(await ask('personal_sendTransaction', request, '')).toMatch(/^0x/);
  });

  test('behavior: a revert removes accounts created since the snapshot', async () => {
    const snapshot = await ask('evm_snapshot');
    const made = String(await ask('personal_newAccount', ''));
    expect(await ask('evm_revert', snapshot)).toBe(true);
    expect(await ask('eth_accounts')).not.toContain(made);
    expect(await ask('eth_accounts')).toContain(address);
  });
});
