import { afterEach, expect, test } from 'vitest';
import { startTestNode, type TestFork, type TestNode, type TestNodeOptions } from './index.ts';

const HOLDER = '0x00000000000000000000000000000000dead0001';
const running: TestNode[] = [];

afterEach(async () => {
  for (const node of running.splice(0).reverse()) await node.stop();
});

async function start(options: TestNodeOptions): Promise<TestNode> {
  const node = await startTestNode(options);
  running.push(node);
  return node;
}

/** Calls a node at its path for Ethereum's tools. */
async function call(node: TestNode, method: string, ...params: readonly unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(String(node.ethereumUrl), { method: 'POST', headers, body });
  return Object(await response.json()).result;
}

test('args: fork: the chain continues from a block of a remote chain', async () => {
  const remote = await start({ ethereum: true });
  await call(remote, 'anvil_setBalance', HOLDER, '0x55');
  await call(remote, 'anvil_mine', '0x3');
  const node = await start({
    fork: { url: String(remote.ethereumUrl), block: 2 },
    settings: { 'fork-trust-header': true, 'no-fork-cache': true },
  });
  expect(await call(node, 'eth_blockNumber')).toBe('0x2');
  expect(await call(node, 'eth_getBalance', HOLDER, 'latest')).toBe('0x55');
  expect(node.ethereumAccounts).toHaveLength(10);
});

test.each<[object, string]>([
  [{}, 'fork: name either its url or its file'],
  [{ url: 'http://a', file: 'b' }, 'fork: name either its url or its file'],
  [{ url: 'http://a', blocks: 1 }, 'fork.blocks: there is no such option'],
  [{ url: 'http://a', block: -1 }, 'fork.block: expected a whole number from 0 to '],
  [
    { url: 'https://a b/secret' },
    'fork.url: expected the URL of an Ethereum node, with @ and a block number or',
  ],
  [{ file: 'a.fork', block: 1 }, 'fork.block contradicts fork.file: a pack has its block'],
])('error: fork: %j', async (fork, message) => {
  const started = start({ fork: fork as TestFork });
  await expect(started).rejects.toThrow(message);
  await expect(started).rejects.not.toThrow('secret');
});
