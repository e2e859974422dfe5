import { afterEach, expect, test } from 'vitest';
import { globalSetup as jestSetup } from '../../src/library/global-setup/jest.ts';
import { type SharedNode, globalSetup as vitestSetup } from '../../src/library/global-setup/vitest.ts';

/** The set-ups as their test runners call them; `npm run test:examples` runs them in vitest and jest. */

const stopping: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of stopping.splice(0)) await stop();
});

async function blockNumber(url: string | undefined): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber' });
  const response = await fetch(String(url), { method: 'POST', body });
  return Object(await response.json()).result;
}

async function provided(options?: Parameters<typeof vitestSetup>[0]): Promise<SharedNode> {
  const nodes: SharedNode[] = [];
  stopping.push(await vitestSetup(options)({ provide: (_key, node) => nodes.push(node) }));
  return Object(nodes[0]);
}

test('default: vitest gets a node as JSON, until the set-up is taken down', async () => {
  const node = await provided();
  expect(await Promise.all([node.url, node.ethereumUrl].map(blockNumber))).toEqual(['0x0', '0x0']);
  expect([node.accounts.length, node.ethereumAccounts.length]).toEqual([10, 10]);
  expect(JSON.parse(JSON.stringify(node))).toEqual(node);
  for (const stop of stopping.splice(0)) await stop();
  await expect(blockNumber(node.url)).rejects.toThrow('fetch failed');
});

test('args: options of the node', async () => {
  expect(await provided({ accounts: 2, mnemonic: `${'abandon '.repeat(11)}about` })).toMatchObject({
    ethereumAccounts: [{ address: '0x9858EfFD232B4033E47d90003D41EC34EcaEda94' }, {}],
  });
});

test('error: an invalid option', async () => {
  await expect(provided({ accounts: -1 })).rejects.toThrow('accounts: expected');
});

test('behavior: jest gets its addresses by the environment, and a new node for each run', async () => {
  const setup = jestSetup();
  await setup();
  const first = process.env.TEST_NODE_ETHEREUM_URL;
  expect(await Promise.all([process.env.TEST_NODE_URL, first].map(blockNumber))).toEqual(['0x0', '0x0']);
  await setup();
  expect(await blockNumber(process.env.TEST_NODE_ETHEREUM_URL)).toBe('0x0');
  await expect(blockNumber(first)).rejects.toThrow('fetch failed');
});
