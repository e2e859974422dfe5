import { Transaction } from 'ethers';
import { getCreateAddress } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WEI_PER_UNIT } from '../../consensus.ts';
import { DEFAULT_ETHEREUM, type TestNode } from '../index.ts';
import { ALICE, BOB, call, callEthereum, closeNodes, startNode } from './test-chain.testing.ts';

/** Creation code of a contract without code to run. */
const CREATION = '0x600180600a3d393df300';
const ETHER = '0xde0b6b3a7640000';
const RECEIVER = `0x${'4e'.repeat(20)}`;

type Fields = Readonly<Record<string, string>>;

let node: TestNode;
let last = 0;

beforeAll(async () => {
  node = await startNode({ network: 'local', ethereum: DEFAULT_ETHEREUM });
});

afterAll(closeNodes);

const ask = (method: string, ...params: readonly unknown[]): Promise<unknown> =>
  callEthereum(node, method, ...params);
const balanceOf = async (address: string) => BigInt(String(await ask('eth_getBalance', address, 'latest')));
const nonceOf = async (address: string, block = 'latest') =>
  Number(await ask('eth_getTransactionCount', address, block));

/** An impersonated address that nothing was sent from yet, with an ether. */
async function impersonated(): Promise<`0x${string}`> {
  last += 1;
  const address = `0x5e${last.toString(16).padStart(38, '0')}` as const;
  await ask('anvil_setBalance', address, ETHER);
  await ask('anvil_impersonateAccount', address);
  return address;
}

/** Sends a request; its transaction object and receipt. */
async function sent(request: object): Promise<Fields> {
  const hash = await ask('eth_sendTransaction', request);
  expect(hash).toMatch(/^0x[0-9a-f]{64}$/);
  const [transaction, receipt] = [
    await ask('eth_getTransactionByHash', hash),
    await ask('eth_getTransactionReceipt', hash),
  ] as Fields[];
  return { ...transaction, ...receipt };
}

test('default: eth_accounts lists impersonated addresses after those of the keys, each once', async () => {
  const keys = (await ask('eth_accounts')) as string[];
  const from = await impersonated();
  await ask('anvil_impersonateAccount', keys[0]);
  expect(await ask('eth_accounts')).toEqual([...keys, from]);
  for (const address of [from, keys[0]]) await ask('anvil_stopImpersonatingAccount', address);
  expect(await ask('eth_accounts')).toEqual(keys);
  expect(await call(node, 'eth_accounts')).not.toContain(from);
});

test('default: raises the nonce, and pays for gas at the price that its receipt shows', async () => {
  const from = await impersonated();
  for (const nonce of [0, 1, 2]) {
    expect([await nonceOf(from), await nonceOf(from, 'pending')]).toEqual([nonce, nonce]);
    const before = await balanceOf(from);
    const done = await sent({ from, to: RECEIVER, value: '0x7' });
    expect(done).toMatchObject({ from, to: RECEIVER, type: '0x2', nonce: `0x${nonce}`, status: '0x1' });
    const { gasUsed = '', effectiveGasPrice = '' } = done;
    expect([gasUsed, effectiveGasPrice]).toEqual(['0x5208', done.gasPrice]);
    expect(before - (await balanceOf(from))).toBe(7n + BigInt(gasUsed) * BigInt(effectiveGasPrice));
  }
  expect(await ask('eth_getTransactionBySenderAndNonce', from, '0x1')).toMatchObject({ nonce: '0x1' });
});

test('error: an address that is not impersonated is named before its gas is estimated', async () => {
  const request = { from: `0x${'57'.repeat(20)}`, to: RECEIVER, value: '0x1' };
  const message = `unknown account ${request.from}: it is not in the wallet`;
  for (const gas of [{}, { gas: '0x5208' }]) {
    expect(await ask('eth_sendTransaction', { ...request, ...gas })).toMatchObject({ message });
  }
});

test('default: creates at the address of sender and nonce, from a contract as well', async () => {
  const from = await impersonated();
  await sent({ from, to: RECEIVER });
  const { contractAddress: created = '' } = await sent({ from, data: CREATION });
  expect(created).toBe(getCreateAddress({ from, nonce: 1n }).toLowerCase());
  expect([await ask('eth_getCode', created, 'latest'), await nonceOf(created), await nonceOf(from)]).toEqual([
    '0x00',
    1,
    2,
  ]);
  await ask('anvil_impersonateAccount', created);
  await ask('anvil_setBalance', created, ETHER);
  const inner = await sent({ from: created, data: CREATION });
  const parent = created as `0x${string}`;
  expect(inner.contractAddress).toBe(getCreateAddress({ from: parent, nonce: 1n }).toLowerCase());
  expect(await nonceOf(created)).toBe(2);
});

test('behavior: types and prices as given, and its signature names the sender', async () => {
  const from = await impersonated();
  const legacy = await sent({ from, to: RECEIVER, gasPrice: '0x4a817c800' });
  expect(legacy).toMatchObject({ type: '0x0', gasPrice: '0x4a817c800', effectiveGasPrice: '0x4a817c800' });
  expect(legacy.r?.slice(-40)).toBe(from.slice(2));
  expect(legacy.s).toBe(legacy.r);
  const raw = await ask('eth_getRawTransactionByHash', legacy.transactionHash);
  expect(Transaction.from(String(raw)).hash).toBe(legacy.transactionHash);
  // Whoever sends its bytes again does so in the name of somebody else.
  expect(await ask('eth_sendRawTransaction', raw)).toMatchObject({ code: -32000 });
  expect(await nonceOf(from)).toBe(1);
});

test('behavior: waits, is replaced and has gaps like any other of its kind', async () => {
  const from = await impersonated();
  await ask('evm_setAutomine', false);
  const gap = await ask('eth_sendTransaction', { from, to: RECEIVER, nonce: '0x1', gas: '0x5208' });
  await ask('eth_sendTransaction', { from, to: RECEIVER, value: '0x1' });
  expect(await nonceOf(from, 'pending')).toBe(2);
  const replaced = { from, to: RECEIVER, value: '0x2', nonce: '0x0' };
  expect(await ask('eth_sendTransaction', replaced)).toMatchObject({
    message: expect.stringContaining('replacement transaction underpriced'),
  });
  await ask('evm_mine');
  await ask('evm_setAutomine', true);
  expect(await ask('eth_getTransactionReceipt', gap)).toMatchObject({ transactionIndex: '0x1' });
  expect(await nonceOf(from)).toBe(2);
});

test('behavior: a revert of the chain takes the nonce back', async () => {
  const from = await impersonated();
  const snapshot = await ask('evm_snapshot');
  const { transactionHash } = await sent({ from, to: RECEIVER });
  expect(await ask('evm_revert', snapshot)).toBe(true);
  expect([await nonceOf(from), await balanceOf(from)]).toEqual([0, BigInt(ETHER)]);
  expect(await ask('eth_getTransactionByHash', transactionHash)).toBeNull();
  expect(await sent({ from, to: RECEIVER })).toMatchObject({ transactionHash, nonce: '0x0' });
});

test('behavior: a native account sends a native operation, and pays for its gas', async () => {
  await ask('anvil_impersonateAccount', ALICE);
  const before = await balanceOf(ALICE);
  for (const [to, value] of [
    [BOB, 0n],
    [RECEIVER, WEI_PER_UNIT],
    [RECEIVER, 3n],
  ] as const) {
    const paid = await balanceOf(ALICE);
    const { gasUsed = '', effectiveGasPrice = '' } = await sent({
      from: ALICE,
      to,
      value: `0x${value.toString(16)}`,
    });
    expect(paid - (await balanceOf(ALICE))).toBe(value + BigInt(gasUsed) * BigInt(effectiveGasPrice));
  }
  expect(before).toBeGreaterThan(await balanceOf(ALICE));
  await ask('anvil_stopImpersonatingAccount', ALICE);
});

test('behavior: traces show it, and the chain replays to the same state', async () => {
  const from = await impersonated();
  const { transactionHash, contractAddress = '' } = await sent({ from, data: CREATION });
  expect(await ask('debug_traceTransaction', transactionHash, { tracer: 'callTracer' })).toMatchObject({
    type: 'CREATE',
    from,
    to: contractAddress,
  });
  expect(await call(node, 'ledger_getOperation', transactionHash)).toMatchObject({ from });
  const before = [await nonceOf(from), await balanceOf(from)];
  expect(await ask('anvil_loadState', await ask('anvil_dumpState'))).toBe(true);
  expect([await nonceOf(from), await balanceOf(from)]).toEqual(before);
  expect(await ask('eth_getTransactionReceipt', transactionHash)).toMatchObject({ from, contractAddress });
});

test('error: insufficient funds for gas, a price below the base fee, and used nonces', async () => {
  const poor = `0x${'6f'.repeat(20)}`;
  await ask('anvil_impersonateAccount', poor);
  const refused = async (request: object): Promise<unknown> =>
    ((await ask('eth_sendTransaction', request)) as { message?: string }).message;
  expect(await refused({ from: poor, to: RECEIVER })).toMatch(
    /^insufficient funds for gas \* price \+ value/,
  );
  const from = await impersonated();
  expect(await refused({ from, to: RECEIVER, gasPrice: '0x0' })).toMatch(
    /^max fee per gas less than block base fee/,
  );
  await sent({ from, to: RECEIVER });
  expect(await refused({ from, to: RECEIVER, nonce: '0x0' })).toMatch(/^nonce too low/);
  expect([await nonceOf(poor), await nonceOf(from)]).toEqual([0, 1]);
});
