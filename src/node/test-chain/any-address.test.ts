import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DEFAULT_FORK } from '../fork-configuration.ts';
import { DEFAULT_ETHEREUM, type TestNode } from '../index.ts';
import { ALICE, call, callEthereum, closeNodes, startNode } from './test-chain.testing.ts';

/** Addresses of known contracts: ArbSys, Hedera's tokens, zkSync, Polygon, Avalanche's native assets, an account. */
const ADDRESSES = [
  '0x0000000000000000000000000000000000000064',
  '0x0000000000000000000000000000000000000167',
  '0x0000000000000000000000000000000000008001',
  '0x0000000000000000000000000000000000001001',
  '0x0100000000000000000000000000000000000000',
  '0x0100000000000000000000000000000000ffffff',
  '0x000000000000000000000000000000000000dead',
  '0x00000000000000000000000000000000ffffffff',
];
const [ARB_SYS = '', , , , AVALANCHE = ''] = ADDRESSES;
/** Adds the value of the call to slot 0, and returns the sum. */
const CODE = '0x5f543401805f555f5260205ff3';
const SENDER = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const word = (value: number): string => `0x${value.toString(16).padStart(64, '0')}`;
const start = (): Promise<TestNode> => startNode({ network: 'local', ethereum: DEFAULT_ETHEREUM });

let node: TestNode;
beforeEach(async () => {
  node = await start();
});
afterEach(closeNodes);

const ask = (method: string, ...params: readonly unknown[]): Promise<unknown> =>
  callEthereum(node, method, ...params);
const receiptOf = async (request: object): Promise<Record<string, unknown>> => {
  const hash = await ask('eth_sendTransaction', { from: SENDER, ...request });
  return (await ask('eth_getTransactionReceipt', hash)) as Record<string, unknown>;
};
/** Code that calls an address, and returns what that returns. */
const callerOf = (address: string): string => `0x60205f5f5f5f73${address.slice(2)}5af15060205ff3`;

async function stateOf(address: string, at: TestNode = node): Promise<unknown[]> {
  const reads = [
    callEthereum(at, 'eth_getCode', address, 'latest'),
    callEthereum(at, 'eth_getBalance', address, 'latest'),
    callEthereum(at, 'eth_getTransactionCount', address, 'latest'),
    callEthereum(at, 'eth_getStorageAt', address, '0x0', 'latest'),
    callEthereum(at, 'eth_call', { to: address }, 'latest'),
  ];
  return Promise.all(reads);
}

describe('an address without a native account', () => {
  test.each(ADDRESSES)('default: %s has code, balance, nonce and storage', async (address) => {
    expect(await ask('anvil_setCode', address, CODE)).toBeNull();
    // As in anvil 1.7.1: the nonce stays what it was.
    expect(await stateOf(address)).toEqual([CODE, '0x0', '0x0', word(0), word(0)]);
    await ask('hardhat_setBalance', address, '0x5');
    await ask('anvil_setNonce', address, '0x7');
    await ask('anvil_setStorageAt', address, '0x0', '0x3');
    expect(await stateOf(address)).toEqual([CODE, '0x5', '0x7', word(3), word(3)]);
    expect(await receiptOf({ to: address, value: '0x4' })).toMatchObject({ status: '0x1', to: address });
    expect(await stateOf(address)).toEqual([CODE, '0x9', '0x7', word(7), word(7)]);
    const caller = `0x${'ca'.repeat(20)}`;
    await ask('anvil_setCode', caller, callerOf(address));
    expect(await ask('eth_call', { to: caller }, 'latest')).toBe(word(7));
    expect(await ask('eth_estimateGas', { from: SENDER, to: address })).toMatch(/^0x/);
    const overrides = {
      [address]: { code: '0x60335f5260205ff3', balance: '0x1', nonce: '0x2', stateDiff: {} },
    };
    expect(await ask('eth_call', { to: address }, 'latest', overrides)).toBe(word(0x33));
    await ask('anvil_setCode', address, '0x');
    expect(await ask('eth_getCode', address, 'latest')).toBe('0x');
  });

  test('default: native senders and impersonated addresses call it, and it sends when impersonated', async () => {
    await ask('anvil_setCode', ARB_SYS, CODE);
    expect(await receiptOf({ from: ALICE, to: ARB_SYS, value: '0x2540be400' })).toMatchObject({
      status: '0x1',
    });
    await ask('anvil_impersonateAccount', ARB_SYS);
    await ask('anvil_setBalance', ARB_SYS, '0xde0b6b3a7640000');
    const { status, from } = await receiptOf({ from: ARB_SYS, to: SENDER, value: '0x1' });
    expect([status, from]).toEqual(['0x1', ARB_SYS]);
    expect(await ask('eth_getTransactionCount', ARB_SYS, 'latest')).toBe('0x1');
    expect(await call(node, 'ledger_getAccount', ARB_SYS)).toMatchObject({ kind: 'contract' });
  });

  test('behavior: later accounts and contracts get other identifiers than those of contracts of a test', async () => {
    const next = (instance: number): string => `0x${instance.toString(16).padStart(40, '0')}`;
    const created = String(await call(node, 'personal_newAccount', ''));
    const taken = next(Number(created) + 1);
    await ask('anvil_setCode', taken, CODE);
    const later = String(await call(node, 'personal_newAccount', ''));
    expect([Number(later), await ask('eth_getCode', taken, 'latest')]).toEqual([Number(created) + 2, CODE]);
    expect(await ask('eth_getCode', later, 'latest')).toBe('0x');
    const contract = async (): Promise<string> => {
      const hash = await call(node, 'eth_sendTransaction', { from: ALICE, data: '0x5f5ff3', gas: '0x186a0' });
      return String(Object((await call(node, 'eth_getTransactionReceipt', hash)) as object).contractAddress);
    };
    const instance = BigInt(await contract());
    const occupied = `0x${(instance + 1n).toString(16).padStart(40, '0')}`;
    await ask('anvil_setCode', occupied, CODE);
    const [first, second] = [await contract(), await contract()];
    expect(new Set([first, second, occupied]).size).toBe(3);
    expect(await ask('eth_getCode', occupied, 'latest')).toBe(CODE);
  });

  test('behavior: a precompiled contract runs whatever code its address has, as in anvil 1.7.1', async () => {
    const identity = '0x0000000000000000000000000000000000000004';
    await ask('anvil_setCode', identity, CODE);
    expect(await ask('eth_getCode', identity, 'latest')).toBe(CODE);
    expect(await ask('eth_call', { to: identity, data: '0x1234' }, 'latest')).toBe('0x1234');
  });

  test('behavior: dumps, snapshots and forks have it', async () => {
    const anvilDump = {
      block: { number: '0x1' },
      accounts: Object.fromEntries(
        ADDRESSES.map((address) => [
          address,
          { nonce: 3, balance: '0x5', code: CODE, storage: { '0x0': '0x9' } },
        ]),
      ),
    };
    const before = [CODE, '0x5', '0x3', word(9), word(9)];
    const dump = `0x${gzipSync(JSON.stringify(anvilDump)).toString('hex')}`;
    expect(await ask('anvil_loadState', dump)).toBe(true);
    const states = (at = node): Promise<unknown[]> => Promise.all(ADDRESSES.map((one) => stateOf(one, at)));
    const all = ADDRESSES.map(() => before);
    expect(await states()).toEqual(all);
    const own = await ask('anvil_dumpState');
    const snapshot = await ask('evm_snapshot');
    await ask('anvil_setCode', ARB_SYS, '0x00');
    await ask('anvil_setStorageAt', AVALANCHE, '0x0', '0x1');
    await ask('evm_revert', snapshot);
    expect(await states()).toEqual(all);
    const source = { kind: 'remote', url: `${node.url}/ethereum`, block: undefined } as const;
    const options = { ...DEFAULT_FORK, trustsHeader: true, caches: false, source };
    const fork = await startNode({ network: 'local', ethereum: DEFAULT_ETHEREUM, fork: options });
    expect(await states(fork)).toEqual(all);
    await callEthereum(fork, 'anvil_setCode', ARB_SYS, '0x60425f5260205ff3');
    expect(await callEthereum(fork, 'eth_call', { to: ARB_SYS }, 'latest')).toBe(word(0x42));
    expect(await callEthereum(fork, 'eth_getTransactionCount', ARB_SYS, 'latest')).toBe('0x3');
    node = await start();
    expect(await ask('anvil_loadState', own)).toBe(true);
    expect(await states()).toEqual(all);
  });

  test('error: the code of a native account', async () => {
    expect(await ask('anvil_setCode', ALICE, CODE)).toEqual({
      code: -32000,
      message: `an account has no code: ${ALICE} is the address of one`,
    });
  });
});

test('behavior: code does not change the nonce of an address with one', async () => {
  await ask('anvil_setNonce', SENDER, '0x4');
  for (const method of ['anvil_setCode', 'hardhat_setCode', 'ganache_setCode', 'evm_setAccountCode']) {
    await ask(method, SENDER, CODE);
    const fresh = `0x${Buffer.from(method).toString('hex').padEnd(40, '1').slice(0, 40)}`;
    await ask(method, fresh, CODE);
    expect(await ask('eth_getTransactionCount', fresh, 'latest')).toBe('0x0');
  }
  expect(await ask('eth_getTransactionCount', SENDER, 'latest')).toBe('0x4');
  expect(await call(node, 'ledger_getAccount', SENDER)).toMatchObject({ nonce: '0x4' });
});
