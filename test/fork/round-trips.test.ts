import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestNode, type TestNode } from '../../src/library/index.ts';
import { call } from '../rpc-client.js';
import { startUpstreamProxy } from '../upstream-proxy.js';
import { startFork } from './forked-pair.ts';
import { buildRemoteWorld, dataOf, type RemoteWorld } from './remote-world.ts';

const CONTRACTS = 30;
const SLOTS = 20;

let remote: TestNode;
let remoteUrl: string;
let world: RemoteWorld;

beforeAll(async () => {
  remote = await startTestNode({ ethereum: true });
  remoteUrl = remote.ethereumUrl ?? '';
  world = await buildRemoteWorld(remoteUrl, CONTRACTS, SLOTS);
});

afterAll(() => remote.stop());

/** Runs an action on a new fork. Returns the HTTP requests that it caused. */
async function requestsOf(
  refused: readonly string[],
  action: (url: string) => Promise<unknown>,
): Promise<number> {
  const proxy = await startUpstreamProxy(remoteUrl, { refused: new Set(refused) });
  const node = await startFork(proxy.url);
  const before = proxy.counts.requests;
  await action(node.ethereumUrl ?? '');
  const { requests } = proxy.counts;
  await node.stop();
  await proxy.close();
  return requests - before;
}

/** Reads 120 slots of 6 contracts. */
async function readSlots(url: string): Promise<void> {
  const { sweep, slots } = world;
  const contracts = slots.slice(0, 6).map(({ address }) => address);
  const sum = await call(url, 'eth_call', {
    to: sweep.address,
    data: dataOf(sweep, 'sum', contracts, BigInt(SLOTS)),
  });
  expect(BigInt(sum)).toBe(6n * 210n);
}

test('default: a cold call of 120 slots in 6 contracts takes few requests', async () => {
  expect(await requestsOf([], readSlots)).toBeLessThanOrEqual(4);
});

test.each([[['eth_createAccessList']], [['eth_createAccessList', 'eth_getStorageValues']]])(
  'behavior: without %j a call finds its entries by guesses',
  async (refused) => {
    expect(await requestsOf(refused, readSlots)).toBeLessThanOrEqual(30);
  },
);

test('default: a transaction on slots of 30 contracts takes few requests', async () => {
  const { sweep, slots, bob } = world;
  const data = dataOf(
    sweep,
    'bump',
    slots.map(({ address }) => address),
    7n,
  );
  const requests = await requestsOf([], async (url) => {
    const hash = await call(url, 'eth_sendTransaction', {
      from: bob,
      to: sweep.address,
      data,
      gas: '0xf00000',
    });
    const { status, logs } = await call(url, 'eth_getTransactionReceipt', hash);
    expect({ status, logs: logs.length }).toEqual({ status: '0x1', logs: CONTRACTS });
  });
  expect(requests).toBeLessThanOrEqual(6);
});

test('default: a call whose entries are here sends no request', async () => {
  const once = await requestsOf([], readSlots);
  const twice = await requestsOf([], async (url) => {
    await readSlots(url);
    await readSlots(url);
  });
  expect(twice).toBe(once);
});
