import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startTestNode, type TestNode } from '../../src/library/index.ts';
import { call, request } from '../rpc-client.js';
import { startUpstreamProxy } from '../upstream-proxy.js';
import { hex, startFork } from './forked-pair.ts';
import { buildRemoteWorld, dataOf, type RemoteWorld, WHALE } from './remote-world.ts';

const REORGANISED = /where this chain was forked from .*reorganised/;

let remote: TestNode;
let other: TestNode;
/** The chain of the remote node; the other one has blocks with other contents under the same numbers. */
let world: RemoteWorld;
let number: number;

beforeAll(async () => {
  remote = await startTestNode({ ethereum: true });
  other = await startTestNode({ ethereum: true });
  world = await buildRemoteWorld(urlOf(remote), 2, 5);
  number = Number(await call(urlOf(remote), 'eth_blockNumber'));
  await call(urlOf(other), 'anvil_mine', hex(number + 5));
});

afterAll(async () => {
  await other.stop();
  await remote.stop();
});

function urlOf(node: TestNode): string {
  return node.ethereumUrl ?? '';
}

/** Starts a fork in a folder, behind a proxy, both until the end of the test. */
async function startBehind(settings: Readonly<Record<string, unknown>>) {
  const proxy = await startUpstreamProxy(urlOf(remote));
  onTestFinished(() => proxy.close());
  const start = async (): Promise<TestNode> => {
    const node = await startFork(proxy.url, settings);
    onTestFinished(() => node.stop());
    return node;
  };
  return { proxy, start };
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerd-fork-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Requests about states and blocks that numbers name, and about transactions. */
function requests(): readonly (readonly [method: string, ...params: unknown[]])[] {
  const { apple, hashes } = world;
  const early = hex(number - 5);
  const supply = { to: apple.address, data: dataOf(apple, 'totalSupply') };
  const [hash] = hashes;
  return [
    ['eth_call', supply, 'latest'],
    ['eth_getBalance', WHALE, 'latest'],
    ['eth_getStorageAt', apple.address, `0x${'00'.repeat(31)}02`, 'latest'],
    ['eth_getBlockByNumber', early, true],
    ['eth_getBlockByNumber', hex(number), false],
    ['eth_getBlockReceipts', early],
    ['eth_getTransactionByBlockNumberAndIndex', early, '0x0'],
    ['eth_getLogs', { fromBlock: '0x1', toBlock: early }],
    ['eth_getLogs', { fromBlock: '0x1', toBlock: 'latest' }],
    ['eth_getTransactionByHash', hash],
    ['eth_getTransactionReceipt', hash],
    ['eth_getBalance', WHALE, early],
    ['eth_getCode', apple.address, early],
    ['eth_call', supply, early],
    ['eth_feeHistory', '0x2', early, []],
    ['debug_traceBlockByNumber', early, { tracer: 'callTracer' }],
    ['trace_block', early],
    ['eth_getBlockByNumber', '0x0', false],
  ];
}

async function results(url: string): Promise<unknown[]> {
  const all: unknown[] = [];
  for (const [method, ...params] of requests()) all.push(await call(url, method, ...params));
  return all;
}

test.each<[string, object]>([
  ['by hash', {}],
  ['by number alone, and without batches', { refusesHashes: true, batchMax: 1 }],
])('error: a reorganised remote chain, with states %s, also after a restart', async (_name, behavior) => {
  const settings = { 'data-dir': temporaryFolder() };
  const { proxy, start } = await startBehind(settings);
  Object.assign(proxy.behavior, behavior);
  const first = await start();
  const url = urlOf(first);
  const known = await call(url, 'eth_getBalance', world.bob, 'latest');
  proxy.behavior.target = urlOf(other);
  for (const [method, ...params] of requests()) {
    const { error } = await request(url, method, ...params);
    expect(`${method}: ${error?.message}`).toMatch(REORGANISED);
  }
  // What is here stays, and the chain goes on.
  expect(await call(url, 'eth_getBalance', world.bob, 'latest')).toBe(known);
  const sent = await call(url, 'eth_sendTransaction', { from: world.alice, to: world.bob, value: '0x1' });
  expect((await call(url, 'eth_getTransactionReceipt', sent)).status).toBe('0x1');
  await first.stop();
  await expect(start()).rejects.toThrow(REORGANISED);
  // Nothing of the other chain was kept.
  proxy.behavior.target = urlOf(remote);
  const again = await start();
  const fresh = await startFork(`${urlOf(remote)}@${number}`);
  onTestFinished(() => fresh.stop());
  await call(urlOf(fresh), 'eth_sendTransaction', { from: world.alice, to: world.bob, value: '0x1' });
  expect(await results(urlOf(again))).toEqual(await results(urlOf(fresh)));
});
