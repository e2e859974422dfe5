import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startTestNode, type TestNode, type TestNodeOptions } from '../../src/library/index.ts';
import { request } from '../rpc-client.js';

const nodes: TestNode[] = [];
const folders: string[] = [];

afterEach(async () => {
  for (const started of nodes.splice(0)) await started.stop();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

async function start(options: TestNodeOptions = {}): Promise<TestNode> {
  const started = await startTestNode(options);
  nodes.push(started);
  return started;
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerd-test-'));
  folders.push(folder);
  return folder;
}

const call = (node: TestNode, method: string, ...params: unknown[]): Promise<unknown> =>
  node.provider.request({ method, params });
const failure = (node: TestNode, method: string, ...params: unknown[]): Promise<unknown> =>
  call(node, method, ...params).then(
    (result) => ({ result }),
    ({ code, message }) => `${code} ${message}`,
  );
/** The whole response at the address of Ethereum's tools, over HTTP. */
const ethereum = (node: TestNode, method: string, ...params: unknown[]): Promise<unknown> =>
  request(`${node.url}/ethereum`, method, ...params);

const address = (index: number): string => `0x${(1_024 + index).toString(16).padStart(40, '0')}`;
const pay = (node: TestNode, from = address(0)): Promise<unknown> =>
  call(node, 'eth_sendTransaction', { from, to: address(1), value: '0x7' });
/** All that a client sees of a chain, and of what its node holds for it. */
const seen = async (node: TestNode): Promise<unknown> => ({
  chain: [
    await call(node, 'eth_chainId'),
    await call(node, 'net_version'),
    await call(node, 'ledger_getChain'),
  ],
  genesis: [await call(node, 'anvil_getGenesisTime'), await call(node, 'eth_getBlockByNumber', '0x0', false)],
  block: await call(node, 'eth_getBlockByNumber', 'latest', true),
  config: await call(node, 'eth_config'),
  accounts: await call(node, 'personal_listRawAccounts'),
  keys: await ethereum(node, 'eth_accounts'),
  balances: await Promise.all([0, 1, 11].map((index) => call(node, 'eth_getBalance', address(index)))),
  count: await call(node, 'eth_getTransactionCount', address(0)),
  call: await call(node, 'eth_call', { to: address(1), data: '0x', from: address(0) }),
});

const OTHERS: Readonly<Record<string, TestNodeOptions>> = {
  'more accounts': { accounts: 12 },
  'fewer accounts with another balance': { accounts: 3, balance: 1_000_000 },
  'another hard fork': { hardfork: 'london' },
  'another network': { network: 'main' },
  Ethereum: { ethereum: true, accounts: 4 },
};

test.each(Object.entries(OTHERS))('behavior: a chain with %s replaces the first one', async (_, options) => {
  const [node, other] = [await start(), await start(options)];
  await pay(node);
  await call(node, 'personal_newAccount', '');
  await pay(other);
  await call(other, 'anvil_setBalance', address(1), '0x1234');
  await pay(other);
  const [first, state] = [await call(node, 'anvil_dumpState'), await call(other, 'anvil_dumpState')];
  const snapshot = await call(node, 'evm_snapshot');
  const before = await seen(node);
  await call(node, 'miner_stop');
  await pay(node);
  expect(await call(node, 'anvil_loadState', state)).toBe(true);
  expect(await call(node, 'eth_pendingTransactions')).toEqual([]);
  expect(await seen(node)).toEqual(await seen(other));
  expect(await call(node, 'evm_revert', snapshot)).toBe(false);
  await pay(node);
  expect(await call(node, 'eth_blockNumber')).toBe('0x3');
  // Another key gets the next identifier, by a registrar who can pay and sign for it.
  expect(await call(node, 'personal_newAccount', '')).toBe(address(options.accounts ?? 10));
  expect(await call(node, 'anvil_dumpState')).not.toBe(state);
  await call(node, 'anvil_reset');
  expect(await call(node, 'eth_getBlockByNumber', 'latest', true)).toEqual(
    await call(other, 'eth_getBlockByNumber', '0x0', true),
  );
  expect(await call(node, 'anvil_loadState', first)).toBe(true);
  const { accounts: _gone, ...rest } = Object(await seen(node));
  const { accounts: _there, ...former } = Object(before);
  expect(rest).toEqual(former);
});

test('behavior: contracts run by the rules of the chain that was loaded', async () => {
  const [node, other] = [await start(), await start({ hardfork: 'london', network: 'main' })];
  const push0 = async (on: TestNode): Promise<unknown> =>
    failure(on, 'eth_call', { from: address(0), data: '0x5f5ff3' });
  expect([await push0(node), await push0(other)]).toEqual([
    { result: '0x' },
    expect.stringMatching(/^-32000 invalid opcode/),
  ]);
  await call(node, 'anvil_loadState', await call(other, 'anvil_dumpState'));
  expect(await push0(node)).toEqual(await push0(other));
  const overridden = { [address(5)]: { code: '0x4660005260206000f3' } };
  const chainId = (on: TestNode): Promise<unknown> =>
    call(on, 'eth_call', { to: address(5), from: address(0) }, 'latest', overridden);
  expect(BigInt(String(await chainId(node)))).toBe(BigInt(String(await call(node, 'eth_chainId'))));
});

test('behavior: Ethereum keys, transactions and pool belong to the loaded chain', async () => {
  const [node, other] = [await start(), await start({ ethereum: true })];
  expect(await ethereum(node, 'eth_chainId')).toHaveProperty('error.code', -32601);
  expect(await call(node, 'anvil_loadState', await call(other, 'anvil_dumpState'))).toBe(true);
  const { result: keys } = Object(await ethereum(node, 'eth_accounts'));
  expect(keys).toEqual(other.ethereumAccounts.map((account) => account.address.toLowerCase()));
  const [from, to] = [keys[0], '0x00000000000000000000000000000000000000aa'];
  const send = await ethereum(node, 'eth_sendTransaction', { from, to, value: '0xde0b6b3a7640000' });
  expect(send).toHaveProperty('result');
  expect(await ethereum(node, 'eth_getBalance', to, 'latest')).toHaveProperty('result', '0xde0b6b3a7640000');
  expect(await ethereum(node, 'eth_chainId')).toHaveProperty('result', '0x7a69');
  // And back again.
  const plain = await start();
  expect(await call(node, 'anvil_loadState', await call(plain, 'anvil_dumpState'))).toBe(true);
  expect(await ethereum(node, 'eth_chainId')).toHaveProperty('error.code', -32601);
  await pay(node);
});

test('behavior: it is there after a restart, with the flags of before and with its own', async () => {
  const other = await start({ accounts: 12, network: 'main', ethereum: true });
  await pay(other, address(11));
  const state = await call(other, 'anvil_dumpState');
  const dataDir = newFolder();
  const first = await start({ dataDir });
  await call(first, 'anvil_loadState', state);
  const own = await call(first, 'personal_newAccount', '');
  const before = await seen(first);
  for (const options of [{}, { accounts: 12, network: 'main', ethereum: true }, {}] as const) {
    await nodes.pop()?.stop();
    const again = await start({ dataDir, ...options });
    // Accounts of a file begin locked, and so did the new one.
    expect(await seen(again)).toEqual(before);
    expect(await call(again, 'eth_accounts')).toContain(own);
    await call(again, 'evm_snapshot');
  }
  await nodes.pop()?.stop();
  await expect(startTestNode({ dataDir, accounts: 11 })).rejects.toThrow(/chain of another genesis/);
});

test('behavior: with workers no response comes from the replaced chain', async () => {
  const [node, other] = [await start({ workers: 2 }), await start({ hardfork: 'london', accounts: 12 })];
  await pay(other, address(11));
  while (!(await (await fetch(`${node.url}/metrics`)).text()).includes('ledgerd_workers 2')) {
    await call(node, 'eth_getLogs', { fromBlock: '0x0', toBlock: 'latest' });
  }
  const states = [await call(other, 'anvil_dumpState'), await call(node, 'anvil_dumpState')];
  const asked = (): Promise<unknown[]> =>
    Promise.all([
      call(node, 'eth_getBlockByNumber', 'latest', true),
      failure(node, 'eth_call', { from: address(0), data: '0x5f5ff3' }),
      call(node, 'eth_getBalance', address(11)),
      call(node, 'eth_getLogs', { fromBlock: '0x0', toBlock: 'latest' }),
    ]);
  for (let round = 0; round < 6; round += 1) {
    const late = Array.from({ length: 8 }, asked);
    expect(await call(node, 'anvil_loadState', states[round % 2])).toBe(true);
    const answers = await Promise.all(Array.from({ length: 8 }, asked));
    const [, halted, balance] = answers[0] ?? [];
    expect([halted, balance]).toEqual(
      round % 2 === 0
        ? [expect.stringMatching(/^-32000 invalid opcode/), await call(other, 'eth_getBalance', address(11))]
        : [{ result: '0x' }, '0x0'],
    );
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    await Promise.all(late);
  }
});

test('error: a dump whose producer key is missing is rejected without changes', async () => {
  const [node, other] = [await start(), await start({ seed: 'another' })];
  await pay(node);
  const before = await seen(node);
  expect(await failure(node, 'anvil_loadState', await call(other, 'anvil_dumpState'))).toMatch(
    /^-32000 this node lacks the key that signs the blocks of the given chain: start it with/,
  );
  expect(await seen(node)).toEqual(before);
});
