import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { FORK_RESPONSE_BYTES_MAX } from '../../src/fork/response-bounds.ts';
import { startTestNode, type TestNode } from '../../src/library/index.ts';
import { call } from '../rpc-client.js';
import { startUpstreamProxy } from '../upstream-proxy.js';
import { startFork } from './forked-pair.ts';
import { buildRemoteWorld, dataOf, type RemoteWorld, WHALE } from './remote-world.ts';

let remote: TestNode;
let remoteUrl: string;
let world: RemoteWorld;
let restarted: TestNode | undefined;

beforeAll(async () => {
  remote = await startTestNode({ ethereum: true });
  remoteUrl = remote.ethereumUrl ?? '';
  world = await buildRemoteWorld(remoteUrl, 4, 10);
});

afterAll(async () => {
  await restarted?.stop();
  await remote.stop();
});

type Behavior = Parameters<typeof startUpstreamProxy>[1];

/** Starts a fork behind a proxy, both until the end of the test. */
async function startBehind(behavior: Behavior, settings: Readonly<Record<string, unknown>> = {}) {
  const proxy = await startUpstreamProxy(remoteUrl, behavior);
  onTestFinished(() => proxy.close());
  const node = await startFork(proxy.url, { 'fork-retry-backoff': 0, 'fork-retries': 20, ...settings });
  onTestFinished(() => node.stop());
  return { proxy, node, url: node.ethereumUrl ?? '' };
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerd-fork-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Starts a node on the data folder of another one, which ended, until the next restart. Returns its URL. */
async function restart(folder: string, settings: Readonly<Record<string, unknown>>): Promise<string> {
  await restarted?.stop();
  restarted = await startTestNode({ ethereum: true, settings: { 'data-dir': folder, ...settings } });
  return restarted.ethereumUrl ?? '';
}

/** Reads and writes slots, tokens and history. */
async function useFork(url: string): Promise<unknown[]> {
  const { apple, sweep, slots, bob, hashes } = world;
  const contracts = slots.map(({ address }) => address);
  const message = {
    from: bob,
    to: sweep.address,
    data: dataOf(sweep, 'bump', contracts, 10n),
    gas: '0xf00000',
  };
  const balance = { to: apple.address, data: dataOf(apple, 'balanceOf', WHALE) };
  return [
    await call(url, 'eth_call', balance, 'latest'),
    await call(url, 'eth_call', message, 'latest'),
    (await call(url, 'eth_getLogs', { fromBlock: '0x0', toBlock: 'latest' })).length,
    (await call(url, 'eth_getTransactionReceipt', hashes.at(-1))).gasUsed,
    await call(url, 'eth_sendTransaction', message).then(
      async (hash) => (await call(url, 'eth_getTransactionReceipt', hash)).gasUsed,
    ),
    await call(url, 'eth_call', { to: sweep.address, data: dataOf(sweep, 'sum', contracts, 10n) }, 'latest'),
  ];
}

const every = (most: number, fault: '429' | '503' | 'cut' | 'html' | 'wrong id') => (count: number) =>
  count % most === 0 ? fault : undefined;

/** Faults of requests by their number modulo 13. */
const FAULTS = [undefined, 'cut', undefined, 'html', undefined, 'wrong id', undefined, '503'] as const;

test.each<[string, Behavior]>([
  ['429 to every second request', { faultOf: every(2, '429') }],
  ['503 to every second request', { faultOf: every(2, '503') }],
  ['every third body cut off', { faultOf: every(3, 'cut') }],
  ['HTML in every third response', { faultOf: every(3, 'html') }],
  ['other ids in every third response', { faultOf: every(3, 'wrong id') }],
  ['batches of at most 10', { batchMax: 10 }],
  ['no batches', { batchMax: 1 }],
  [
    'no access lists and no values of several slots',
    { refused: new Set(['eth_createAccessList', 'eth_getStorageValues']) },
  ],
  [
    'all of these at once, with 50 ms of latency,',
    {
      latencyMs: 50,
      batchMax: 10,
      refused: new Set(['eth_createAccessList', 'eth_getStorageValues']),
      refusesHashes: true,
      faultOf: (count) => (count % 10 === 0 ? '429' : FAULTS[count % 13]),
    },
  ],
])('behavior: %s leave results right', async (_name, behavior) => {
  const [good, bad] = [await startBehind({}), await startBehind(behavior)];
  expect(await useFork(bad.url)).toEqual(await useFork(good.url));
});

test('error: missing state is reported, and not stored as zero', async () => {
  const { url, proxy } = await startBehind({});
  const balance = { to: world.apple.address, data: dataOf(world.apple, 'balanceOf', WHALE) };
  proxy.behavior.change = () => null;
  await expect(call(url, 'eth_call', balance, 'latest')).rejects.toThrow(/has no state for block/);
  await expect(call(url, 'eth_getBalance', WHALE, 'latest')).rejects.toThrow(/archive node/);
  proxy.behavior.change = undefined;
  expect(BigInt(await call(url, 'eth_call', balance, 'latest'))).toBe(10n ** 20n);
});

test('error: a remote node that fails for good is named, and a later call succeeds', async () => {
  const { url, proxy } = await startBehind({}, { 'fork-retries': 1 });
  proxy.behavior.faultOf = () => '503';
  await expect(call(url, 'eth_getBalance', WHALE, 'latest')).rejects.toThrow(/the remote node/);
  proxy.behavior.faultOf = () => undefined;
  expect(BigInt(await call(url, 'eth_getBalance', WHALE, 'latest'))).toBe(10n ** 19n);
});

test('error: a body without an end is not read beyond the bound, nor kept; other clients are served', async () => {
  const folder = temporaryFolder();
  const { node, url, proxy } = await startBehind({}, { 'data-dir': folder });
  const slot = [world.apple.address, `0x${'00'.repeat(31)}02`, 'latest'];
  const expected = await call(remoteUrl, 'eth_getStorageAt', ...slot);
  proxy.behavior.faultOf = () => 'endless';
  const waiting = call(url, 'eth_getStorageAt', ...slot);
  const sent = await call(url, 'eth_sendTransaction', { from: world.alice, to: world.bob, value: '0x1' });
  expect((await call(url, 'eth_getTransactionReceipt', sent)).status).toBe('0x1');
  await expect(waiting).rejects.toThrow(/sent a response of more than \d+ bytes/);
  // A batch of four calls, and its halves down to a single call.
  expect(proxy.counts.endlessBytes).toBeLessThan(8 * FORK_RESPONSE_BYTES_MAX);
  await node.stop();
  await expect(call(await restart(folder, {}), 'eth_getStorageAt', ...slot)).rejects.toThrow(/not fetched/);
  proxy.behavior.faultOf = () => undefined;
  const healed = await restart(folder, { fork: proxy.url, 'fork-trust-header': true });
  expect(await call(healed, 'eth_getStorageAt', ...slot)).toBe(expected);
});

test('behavior: calls that need nothing are served while others wait for the remote node', async () => {
  const { url, proxy } = await startBehind({});
  let release: () => void = () => undefined;
  proxy.behavior.held = new Promise((resolve) => {
    release = resolve;
  });
  const waiting = call(url, 'eth_getBalance', WHALE, 'latest');
  const sent = await call(url, 'eth_sendTransaction', { from: world.alice, to: world.bob, value: '0x1' });
  expect((await call(url, 'eth_getTransactionReceipt', sent)).status).toBe('0x1');
  release();
  expect(BigInt(await waiting)).toBe(10n ** 19n);
});

test('behavior: a data folder continues without the remote node', async () => {
  const folder = temporaryFolder();
  const { node, url, proxy } = await startBehind({}, { 'data-dir': folder });
  const message = { to: world.apple.address, data: dataOf(world.apple, 'balanceOf', WHALE) };
  await useFork(url);
  const block = await call(url, 'eth_getBlockByNumber', 'latest', true);
  await node.stop();
  await proxy.close();
  const here = await restart(folder, {});
  expect(await call(here, 'eth_getBlockByNumber', 'latest', true)).toEqual(block);
  expect(BigInt(await call(here, 'eth_call', message, 'latest'))).toBe(10n ** 20n);
  await expect(call(here, 'eth_getBalance', `0x${'ab'.repeat(20)}`, 'latest')).rejects.toThrow(/--fork/);
});
