import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { REAL_BLOCKS, startRemote } from '../../fork/remote.testing.ts';
import { StoreProcess } from '../../store/store-process.testing.ts';
import { backUpFolder } from '../maintenance/backup.ts';
import { verifyNewestState } from '../maintenance/verify.ts';
import { describeFork } from './fork-packing.ts';
import {
  type CalledNode,
  startFork,
  startNode,
  startRelay,
  temporaryFolder,
  useTemporaryCache,
} from './forked-nodes.testing.ts';

const KILLS = Number(process.env.FORK_KILLS ?? 8);
const WHALE = '0x00000000000000000000000000000000dead0001';
const JOB = { stop: new AbortController().signal, onProgress: () => undefined };
const UNSHARED = { caches: false };
const OTHER = '0x00000000000000000000000000000000dead0002';

/** A remote chain with a balance and so many blocks. */
async function startRemoteChain(blocks: number, balance: string): Promise<CalledNode> {
  const node = await startNode({});
  await node.call('anvil_setBalance', WHALE, balance);
  await node.call('anvil_mine', `0x${blocks.toString(16)}`);
  return node;
}

const balanceOf = (node: CalledNode, address = WHALE) => node.call('eth_getBalance', address, 'latest');
const numberOf = async (node: CalledNode) => Number(await node.call('eth_blockNumber'));
const reset = (node: CalledNode, url: string, more: object = {}) =>
  node.call('hardhat_reset', { forking: { jsonRpcUrl: url, ...more } });
const forksIn = (dataDir: string) => readdirSync(dataDir).filter((name) => name.startsWith('fork'));

test('default: a data folder holds the new fork, and the next start continues it without a network', async () => {
  const dataDir = temporaryFolder();
  const [first, second] = [await startRemoteChain(2, '0x11'), await startRemoteChain(5, '0x22')];
  const node = await startFork(
    { kind: 'remote', url: first.url, block: undefined },
    { dataDir, fork: UNSHARED },
  );
  await node.call('anvil_mine', '0x3');
  await reset(node, second.url);
  expect([await numberOf(node), await balanceOf(node)]).toEqual([5, '0x22']);
  expect(forksIn(dataDir)).toHaveLength(1);
  await reset(node, first.url, { blockNumber: 1 });
  await reset(node, second.url);
  await balanceOf(node);
  await node.call('anvil_mine', '0x1');
  await node.close();
  expect(forksIn(dataDir)).toHaveLength(1);
  expect((await describeFork(dataDir)).point.number).toBe(5);
  const again = await startNode({ dataDir });
  expect([await numberOf(again), await balanceOf(again)]).toEqual([6, '0x22']);
  const unnamed = again.call('hardhat_reset', { forking: { blockNumber: 1 } });
  await expect(unnamed).rejects.toThrow('started without a remote node: name its jsonRpcUrl');
  await again.call('hardhat_reset');
  expect(await numberOf(again)).toBe(5);
  await expect(balanceOf(again, OTHER)).rejects.toThrow('was not fetched from the remote chain');
});

test('args: a chain in a data folder that is no fork', async () => {
  const dataDir = temporaryFolder();
  useTemporaryCache();
  // The header of this one is that of its hash.
  const remote = await startRemote((method, [first]) => {
    if (method === 'eth_getBlockByNumber') return REAL_BLOCKS.find(({ number }) => number === first) ?? null;
    if (method === 'eth_getCode') return '0x';
    return method === 'eth_chainId' ? '0x7a69' : '0x33';
  });
  const node = await startNode({ dataDir });
  await node.call('anvil_mine', '0x9');
  await reset(node, remote.url, { blockNumber: 2 });
  expect([await numberOf(node), await balanceOf(node)]).toEqual([2, '0x33']);
  await node.close();
  const again = await startNode({ dataDir });
  expect([await numberOf(again), await balanceOf(again)]).toEqual([2, '0x33']);
});

test('behavior: a reset to the block of the fork keeps what was fetched', async () => {
  const dataDir = temporaryFolder();
  const remote = await startRelay(await startRemoteChain(2, '0x44'));
  const counts = (method: string): number => remote.bodies.join().split(method).length;
  const node = await startFork({ kind: 'remote', url: remote.url, block: 2 }, { dataDir, fork: UNSHARED });
  await balanceOf(node);
  await node.call('anvil_setBalance', WHALE, '0x1');
  const before = counts('eth_getBalance');
  await reset(node, remote.url, { blockNumber: 2 });
  expect([await numberOf(node), await balanceOf(node)]).toEqual([2, '0x44']);
  expect(counts('eth_getBalance')).toBe(before);
  await balanceOf(node, OTHER);
  expect(counts('eth_getBalance')).toBe(before + 1);
});

test('behavior: a backup has the entries of the fork of its chain', async () => {
  const dataDir = temporaryFolder();
  const to = join(temporaryFolder(), 'copy');
  const [first, second] = [await startRemoteChain(2, '0x11'), await startRemoteChain(5, '0x22')];
  const node = await startFork(
    { kind: 'remote', url: first.url, block: undefined },
    { dataDir, fork: UNSHARED },
  );
  await reset(node, second.url);
  await balanceOf(node);
  await backUpFolder({ dataDir, to, withKeys: false }, JOB);
  const copy = await startNode({ dataDir: to });
  expect([await numberOf(copy), await balanceOf(copy)]).toEqual([5, '0x22']);
});

test('error: a chain of another block, or that is no fork, is kept', async () => {
  const [plain, forked] = [temporaryFolder(), temporaryFolder()];
  const remote = await startRemoteChain(4, '0x33');
  const node = await startNode({ dataDir: plain });
  await node.call('anvil_mine', '0x2');
  await node.close();
  const source = { kind: 'remote', url: remote.url, block: undefined } as const;
  await expect(startFork(source, { dataDir: plain, fork: UNSHARED })).rejects.toThrow(
    /the data folder has a chain that is no fork, not of block 4 .*hardhat_reset/,
  );
  expect(await numberOf(await startNode({ dataDir: plain }))).toBe(2);
  await (await startFork(source, { dataDir: forked, fork: UNSHARED })).close();
  await expect(startFork({ ...source, block: 3 }, { dataDir: forked, fork: UNSHARED })).rejects.toThrow(
    'the data folder has a fork of block 4, not of block 3',
  );
});

test('error: a folder without its entries, which another start can fetch again', async () => {
  const dataDir = temporaryFolder();
  const remote = await startRemoteChain(4, '0x33');
  const source = { kind: 'remote', url: remote.url, block: 4 } as const;
  const node = await startFork(source, { dataDir, fork: UNSHARED });
  await node.call('anvil_mine', '0x2');
  await node.close();
  rmSync(join(dataDir, 'fork'), { recursive: true });
  await expect(verifyNewestState(dataDir, JOB)).rejects.toThrow(
    /lacks the remote entries of block 4, .*hardhat_reset/,
  );
  await expect(startNode({ dataDir })).rejects.toThrow('4');
  await remote.call('anvil_mine', '0x1');
  const newest = startFork({ ...source, block: undefined }, { dataDir, fork: UNSHARED });
  await expect(newest).rejects.toThrow('the data folder has a fork of block 4, not of block 5');
  const again = await startFork(source, { dataDir, fork: UNSHARED });
  expect([await numberOf(again), await balanceOf(again)]).toEqual([6, '0x33']);
});

/** Starts the node of a folder, resets it to the other remote chain and back, and patches each. */
const RESET = `
  const [dataDir, compiled, present, ...urls] = words;
  const { startTestNode, DEFAULT_CONFIGURATION, DEFAULT_ETHEREUM } = await import(compiled + 'node/index.js');
  const { DEFAULT_FORK } = await import(compiled + 'node/fork-configuration.js');
  const source = { kind: 'remote', url: urls[present] };
  const node = await startTestNode({ ...DEFAULT_CONFIGURATION, dataDir, port: 0, ethereum: DEFAULT_ETHEREUM,
    fork: { ...DEFAULT_FORK, trustsHeader: true, caches: false, source } });
  const call = async (method, ...params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(node.url + '/ethereum', { method: 'POST', headers, body });
    const { result, error } = await response.json();
    if (error !== undefined) throw new Error(error.message);
    return result;
  };
  for (let chain = Number(present), count = 1; count <= 2; count += 1) {
    chain = 1 - chain;
    say({ begun: chain });
    await call('hardhat_reset', { forking: { jsonRpcUrl: urls[chain] } });
    const marker = '0x' + (1000 + count).toString(16);
    await call('anvil_setBalance', '${OTHER}', marker);
    await call('eth_getBalance', '${WHALE}', 'latest');
    say({ held: chain, marker });
  }`;

test(`behavior: ${KILLS} kills at random in resets leave the former fork or the new one, complete`, async () => {
  const dataDir = join(temporaryFolder(), 'data');
  const remotes = [await startRemoteChain(2, '0x11'), await startRemoteChain(5, '0x22')];
  const urls = remotes.map(({ url }) => url);
  const compiled = new URL('../../../dist/', import.meta.url).href;
  const numbers = [2, 5];
  const balances = ['0x11', '0x22'];
  let present = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const child = new StoreProcess(RESET, [dataDir, compiled, String(present), ...urls]);
    await child.heard();
    const began = performance.now();
    const { held, marker } = await child.heard<{ held: number; marker: string }>();
    const took = performance.now() - began;
    await child.heard();
    await new Promise((resolve) => setTimeout(resolve, Math.random() * took));
    await child.kill();
    const node = await startNode({ dataDir });
    const { forkConfig } = (await node.call('anvil_nodeInfo')) as { forkConfig: { forkBlockNumber: number } };
    present = numbers.indexOf(forkConfig.forkBlockNumber);
    expect(await numberOf(node)).toBe(numbers[present]);
    expect(forksIn(dataDir)).toHaveLength(1);
    // What was acknowledged is there without a network.
    if (present === held) {
      expect([await balanceOf(node, OTHER), await balanceOf(node)]).toEqual([marker, balances[present]]);
    }
    await node.call('anvil_setRpcUrl', urls[present]);
    expect(await balanceOf(node)).toBe(balances[present]);
    await node.call('anvil_mine', '0x1');
    await node.call('hardhat_reset');
    await node.close();
  }
}, 300_000);
