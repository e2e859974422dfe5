import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Address, accountAddress, accountId, toPrefixedHex } from '../protocol/index.ts';
import {
  DEFAULT_CONFIGURATION,
  type NodeEvents,
  startTestNode,
  type TestNode,
  type TestNodeConfiguration,
} from './index.ts';

let folder: string;
const running: TestNode[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerd-node-'));
});

afterEach(async () => {
  for (const node of running.splice(0)) await node.close();
  rmSync(folder, { recursive: true, force: true });
});

async function start(
  changes: Partial<TestNodeConfiguration> = {},
  events: NodeEvents = {},
): Promise<TestNode> {
  const node = await startTestNode({ ...DEFAULT_CONFIGURATION, port: 0, ...changes }, events);
  running.push(node);
  return node;
}

interface RpcResponse {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

async function call(node: TestNode, method: string, ...params: unknown[]): Promise<RpcResponse> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(node.url, { method: 'POST', body });
  return (await response.json()) as RpcResponse;
}

const ACCOUNTS = Array.from({ length: 10 }, (_, index) =>
  toPrefixedHex(accountAddress(accountId(1_024 + index))),
);
const [ALICE, BOB] = ACCOUNTS;

describe('startTestNode', () => {
  test('default: it answers, with ten funded accounts', async () => {
    const node = await start();
    expect(await call(node, 'eth_accounts')).toMatchObject({ result: ACCOUNTS });
    expect(await call(node, 'eth_getBalance', ALICE)).toMatchObject({ result: '0x16345785d8a0000' });
    expect(await call(node, 'eth_chainId')).toMatchObject({ result: 255 });
    expect(node.description).toMatchObject({
      url: node.url,
      dataDir: undefined,
      exposed: false,
      mining: true,
    });
  });

  test('default: a transaction is included immediately, and its block is logged', async () => {
    const blocks: number[] = [];
    const node = await start({}, { onBlock: (block) => blocks.push(block.number) });
    const { result } = await call(node, 'eth_sendTransaction', { from: ALICE, to: BOB, value: '0x1' });
    expect(await call(node, 'eth_getTransactionReceipt', result)).toMatchObject({
      result: { status: '0x1', blockNumber: '0x1' },
    });
    expect(blocks).toEqual([1]);
  });

  test('args: no mining', async () => {
    const node = await start({ mining: false });
    expect(await call(node, 'eth_mining')).toMatchObject({ result: false });
    await call(node, 'eth_sendTransaction', { from: ALICE, to: BOB, value: '0x1' });
    expect(await call(node, 'eth_blockNumber')).toMatchObject({ result: '0x0' });
  });

  test('args: a block time: a transaction waits', async () => {
    const node = await start({ blockTime: 3_600 });
    expect(await call(node, 'eth_mining')).toMatchObject({ result: true });
    await call(node, 'eth_sendTransaction', { from: ALICE, to: BOB, value: '0x1' });
    expect(await call(node, 'eth_pendingTransactions')).toMatchObject({ result: [{ value: '0x1' }] });
    expect(node.description.blockTime).toBe(3_600);
  });

  test('args: no history', async () => {
    const node = await start({ history: false });
    expect((await call(node, 'eth_getTransactionCount', ALICE)).error?.message).toContain('--plugin=history');
  });

  test('args: the limit of an answer', async () => {
    const node = await start({ rpc: { ...DEFAULT_CONFIGURATION.rpc, logsMax: 1 } });
    const { result } = await call(node, 'eth_newBlockFilter');
    await call(node, 'evm_mine');
    await call(node, 'evm_mine');
    expect((await call(node, 'eth_getFilterLogs', result)).error).toMatchObject({ code: -32005 });
  });

  test('args: another network', async () => {
    const node = await start({ network: 'main' });
    expect(await call(node, 'net_version')).toMatchObject({ result: '1' });
  });

  test('behavior: failed calls are logged', async () => {
    const failed: string[] = [];
    const node = await start({}, { onFailedCall: (method, message) => failed.push(`${method}: ${message}`) });
    const { error } = await call(node, 'eth_nothing');
    expect(failed).toEqual([`eth_nothing: ${error?.message}`]);
  });

  test('behavior: the same keys and chain id on every start, others with another seed', async () => {
    const keys = (node: TestNode) => node.description.accounts.map(({ seed }) => toPrefixedHex(seed));
    const [first, second, other] = [await start(), await start(), await start({ seed: 'other' })];
    expect(keys(second)).toEqual(keys(first));
    expect(second.description.nativeChainId).toEqual(first.description.nativeChainId);
    expect(keys(other)).not.toEqual(keys(first));
  });

  test('behavior: closing twice is allowed, and a temporary folder is removed', async () => {
    const node = await start();
    await Promise.all([node.close(), node.close()]);
    await node.close();
    await expect(fetch(node.url)).rejects.toThrow();
  });

  test('error: a host that other machines reach', async () => {
    await expect(start({ host: '0.0.0.0' })).rejects.toMatchObject({ code: 'UNSAFE_HOST' });
  });

  test('error: a port in use', async () => {
    const { port } = await start();
    await expect(start({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  test('error: balances beyond the supply', async () => {
    await expect(start({ balance: 2n ** 63n - 1n })).rejects.toMatchObject({ code: 'INVALID_GENESIS' });
  });
});

describe('a data folder', () => {
  const dataDir = () => join(folder, 'chain');

  async function restart(node: TestNode, changes: Partial<TestNodeConfiguration> = {}): Promise<TestNode> {
    await node.close();
    return start({ dataDir: dataDir(), ...changes });
  }

  test('default: blocks, balances and created accounts survive a restart', async () => {
    const node = await start({ dataDir: dataDir() });
    const created = (await call(node, 'personal_newAccount', 'secret')).result;
    await call(node, 'eth_sendTransaction', { from: ALICE, to: created, value: '0x3e8' });
    const block = await call(node, 'eth_getBlockByNumber', 'latest', true);
    const again = await restart(node);
    expect(await call(again, 'eth_getBlockByNumber', 'latest', true)).toEqual(block);
    expect(await call(again, 'eth_getBalance', created)).toMatchObject({ result: '0x3e8' });
    expect(await call(again, 'personal_unlockAccount', created, 'secret')).toMatchObject({ result: true });
    const back = await call(again, 'eth_sendTransaction', { from: created, to: BOB, value: '0x1' });
    expect(back.error).toBeUndefined();
    expect(again.description).toMatchObject({ dataDir: dataDir(), headNumber: 2 });
    expect(again.description.genesisTime).toBe(node.description.genesisTime);
  });

  test.each<[string, Partial<TestNodeConfiguration>]>([
    ['network', { network: 'dev' }],
    ['seed', { seed: 'other' }],
    ['number of accounts', { accounts: 3 }],
    ['balance', { balance: 5n }],
  ])('error: another %s than that of the chain', async (_title, changes) => {
    const node = await start({ dataDir: dataDir() });
    await expect(restart(node, changes)).rejects.toMatchObject({ code: 'GENESIS_MISMATCH' });
    expect(await call(await restart(node), 'eth_blockNumber')).toMatchObject({ result: '0x0' });
  });

  test('error: another node uses it', async () => {
    await start({ dataDir: dataDir() });
    await expect(start({ dataDir: dataDir() })).rejects.toThrow(
      `the data folder ${dataDir()} is in use by another running ledgerd`,
    );
  });

  test('error: a damaged wallet file', async () => {
    const node = await start({ dataDir: dataDir() });
    await node.close();
    writeFileSync(join(dataDir(), 'wallet.json'), 'no JSON');
    await expect(restart(node)).rejects.toMatchObject({ code: 'WALLET_FILE' });
  });

  test('error: a file at the path of the data folder', async () => {
    writeFileSync(dataDir(), '');
    await expect(start({ dataDir: dataDir() })).rejects.toMatchObject({ code: 'DATA_FOLDER' });
    expect(existsSync(dataDir())).toBe(true);
  });
});

test('behavior: the described accounts match the addresses of the wallet', async () => {
  const node = await start({ accounts: 3 });
  const addresses: Address[] = node.description.accounts.map(({ id }) => accountAddress(id));
  expect(node.wallet.list()).toEqual(addresses);
});
