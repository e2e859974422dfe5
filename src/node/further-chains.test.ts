import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { request } from '../../test/rpc-client.js';
import { DEFAULT_ETHEREUM, type TestNode } from './index.ts';
import { closeNodes, startNode } from './test-chain/test-chain.testing.ts';

const SENDER = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const RECEIVER = '0x1111111111111111111111111111111111111111';
/** Counts down from its argument, which takes about 45 gas a round. */
const LOOPING = '0x6000355b6001900380600357';

afterEach(closeNodes);

const start = (chains = 40): Promise<TestNode> =>
  startNode({ network: 'local', ethereum: DEFAULT_ETHEREUM, chains });

async function at(
  node: TestNode,
  path: string,
  method: string,
  ...params: readonly unknown[]
): Promise<unknown> {
  const { result, error } = await request(`${node.url}${path}`, method, ...params);
  return error ?? result;
}

const pay = (node: TestNode, path: string): Promise<unknown> =>
  at(node, `${path}/ethereum`, 'eth_sendTransaction', { from: SENDER, to: RECEIVER, value: '0x1' });

async function page(node: TestNode, path: string): Promise<Response> {
  return await fetch(`${node.url}${path}`, { headers: { accept: 'text/html' }, redirect: 'manual' });
}

describe('further chains', () => {
  test('default: 32 chains, each with both profiles and independent of the others', async () => {
    const node = await start();
    const numbers = Array.from({ length: 32 }, (_, index) => index + 1);
    await Promise.all(
      numbers.map(async (number) => {
        for (let count = 0; count < number % 4; count += 1) await pay(node, `/chain/${number}`);
      }),
    );
    for (const number of numbers) {
      const blocks = `0x${(number % 4).toString(16)}`;
      expect(await at(node, `/chain/${number}`, 'eth_blockNumber')).toBe(blocks);
      expect(await at(node, `/chain/${number}/ethereum`, 'eth_getBalance', RECEIVER, 'latest')).toBe(blocks);
    }
    expect(await at(node, '', 'eth_blockNumber')).toBe('0x0');
    expect(await at(node, '/chain/1/ethereum', 'eth_chainId')).toBe('0x7a69');
  });

  test('behavior: more chains than whole stores fit into the addresses of a process', async () => {
    const node = await start(80);
    for (let number = 1; number <= 80; number += 1) {
      expect(await at(node, `/chain/${number}`, 'eth_blockNumber')).toBe('0x0');
    }
  });

  test('behavior: snapshots, time and resets of a chain leave the others', async () => {
    const node = await start();
    const [one, two] = ['/chain/1', '/chain/2'];
    const id = await at(node, one, 'evm_snapshot');
    await pay(node, one);
    await pay(node, two);
    await at(node, one, 'evm_increaseTime', 1_000);
    await at(node, one, 'evm_revert', id);
    expect(await at(node, one, 'eth_blockNumber')).toBe('0x0');
    expect(await at(node, two, 'eth_blockNumber')).toBe('0x1');
    await at(node, two, 'anvil_reset');
    expect(await at(node, two, 'evm_increaseTime', 0)).toBe('0x0');
  });

  test('behavior: each chain begins with the state file of the node', async () => {
    const load = fileURLToPath(new URL('./state-dump/anvil-state.testing.json', import.meta.url));
    const node = await startNode({ network: 'local', ethereum: DEFAULT_ETHEREUM, stateFiles: { load } });
    await pay(node, '/chain/1');
    for (const [path, balance] of [
      ['', '0x5'],
      ['/chain/1', '0x6'],
      ['/chain/2', '0x5'],
    ]) {
      expect(await at(node, `${path}/ethereum`, 'eth_getBalance', RECEIVER, 'latest')).toBe(balance);
    }
  });

  test('behavior: a WebSocket creates its chain, and gets the heads of that alone', async () => {
    const node = await start();
    const socket = new WebSocket(`${node.url.replace('http', 'ws')}/chain/7/ethereum`);
    await once(socket, 'open');
    const next = async (): Promise<Record<string, unknown>> =>
      JSON.parse(String((await once(socket, 'message'))[0]));
    socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}');
    const { result: subscription } = await next();
    const notified = next();
    await pay(node, '');
    await pay(node, '/chain/8');
    await pay(node, '/chain/7');
    expect(await notified).toMatchObject({ params: { subscription, result: { number: '0x1' } } });
    expect(await at(node, '/chain/7', 'eth_blockNumber')).toBe('0x1');
    socket.close();
  });

  /** Requests of web pages of other origins, and others that call no method. */
  const FOREIGN = { origin: 'https://evil.example' };
  const CALL = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}';
  test.each<[string, number, string, RequestInit]>([
    ['a preflight', 204, '', { method: 'OPTIONS', headers: FOREIGN }],
    ['a preflight of a file', 404, '/health', { method: 'OPTIONS', headers: FOREIGN }],
    ['a call of a foreign page', 403, '/ethereum', { method: 'POST', body: CALL, headers: FOREIGN }],
    ['a call of a hidden page', 403, '', { method: 'POST', body: CALL, headers: { origin: 'null' } }],
    ['the health', 404, '/health', {}],
    ['a foreign read of the health', 403, '/health', { headers: FOREIGN }],
    ['the metrics', 404, '/metrics', {}],
    ['the description', 404, '/ethereum/openrpc.json', { method: 'HEAD' }],
    ['the page of the explorer', 404, '/', { headers: { accept: 'text/html' } }],
    ['blobs', 404, '/eth/v1/beacon/genesis', {}],
    ['no JSON', 404, '', { method: 'POST', body: 'eth_blockNumber' }],
    ['a batch without a call', 404, '/ethereum', { method: 'POST', body: '[{},1]' }],
    ['a call at an unknown path', 404, '/health', { method: 'POST', body: CALL }],
  ])('behavior: %s creates no chain', async (_, status, path, init) => {
    const node = await start(1);
    expect((await fetch(`${node.url}/chain/1${path}`, init)).status).toBe(status);
    expect(await at(node, '/chain/2', 'eth_blockNumber')).toBe('0x0');
  });

  test('behavior: a WebSocket without a call creates no chain, and one of a foreign page is refused', async () => {
    const node = await start(1);
    const url = `${node.url.replace('http', 'ws')}/chain/1/ethereum`;
    const [refusal] = await once(new WebSocket(url, FOREIGN), 'error').catch((cause) => [cause]);
    expect(String(refusal)).toContain('403');
    const socket = new WebSocket(url);
    await once(socket, 'open');
    socket.send('{}');
    expect(String((await once(socket, 'message'))[0])).toContain('chain 1 does not exist yet');
    expect(await at(node, '/chain/2', 'eth_blockNumber')).toBe('0x0');
    socket.send(CALL);
    expect(String((await once(socket, 'message'))[0])).toContain(
      'chain 1 is not created: the node has 1 further',
    );
    socket.close();
  });

  test('behavior: the explorer below the path of a chain', async () => {
    const node = await start();
    await at(node, '/chain/3', 'eth_blockNumber');
    const redirect = await page(node, '/chain/3');
    expect([redirect.status, redirect.headers.get('location')]).toEqual([308, '/chain/3/']);
    const response = await page(node, '/chain/3/');
    expect(response.status).toBe(200);
    const [, script] = /<script[^>]* src="\.\/([^"]+)"/.exec(await response.text()) ?? [];
    expect((await fetch(`${node.url}/chain/3/${script}`)).status).toBe(200);
    expect((await fetch(`${node.url}/chain/3/openrpc.json`)).status).toBe(200);
    expect((await fetch(`${node.url}/chain/3/health`)).status).toBe(200);
  });

  test('behavior: a busy chain does not hold up another', async () => {
    const node = await start();
    const [busy, quiet] = ['/chain/1/ethereum', '/chain/2/ethereum'];
    await at(node, busy, 'anvil_setCode', RECEIVER, LOOPING);
    await at(node, quiet, 'eth_blockNumber');
    const order: string[] = [];
    const rounds = `0x${(1_000_000).toString(16).padStart(64, '0')}`;
    const slow = Array.from({ length: 12 }, () =>
      at(node, busy, 'eth_call', { to: RECEIVER, data: rounds }, 'latest').then(() => order.push('busy')),
    );
    const quick = (async () => {
      for (let count = 0; count < 3; count += 1) await at(node, quiet, 'eth_blockNumber');
      order.push('quiet');
    })();
    await Promise.all([...slow, quick]);
    expect(order.indexOf('quiet')).toBeLessThan(order.lastIndexOf('busy'));
  });

  test('error: more chains than the limit, by HTTP and WebSocket; those that exist are served', async () => {
    const node = await start(2);
    await pay(node, '/chain/1');
    await pay(node, '/chain/900');
    const message =
      'HTTP 503: {"jsonrpc":"2.0","id":null,"error":{"code":-32005,"message":"chain 3 is not created: ' +
      'the node has 2 further chains, the most that --chains allows: use their numbers, or start the node with a ' +
      'higher --chains"}}';
    await expect(at(node, '/chain/3', 'eth_blockNumber')).rejects.toThrow(message);
    const socket = new WebSocket(`${node.url.replace('http', 'ws')}/chain/3`);
    const [error] = await once(socket, 'error').catch((cause) => [cause]);
    expect(String(error)).toContain('503');
    expect(await at(node, '/chain/900', 'eth_blockNumber')).toBe('0x1');
  });

  test.each([
    '/chain',
    '/chain/0',
    '/chain/01',
    '/chain/x',
    '/chain/-1',
    '/chain/1/none',
    '/chain/9999999999',
  ])('error: %s', async (path) => {
    const node = await start();
    const response = await fetch(`${node.url}${path}`, { method: 'POST', body: '{}' });
    expect(response.status).toBe(404);
    expect(await response.text()).toContain(
      path === '/chain/1/none'
        ? 'chain 1 does not exist yet: send requests to /chain/1 or /chain/1/ethereum'
        : 'further chains are at /chain/N, /chain/N/ledger and /chain/N/ethereum',
    );
  });

  test('error: a node without further chains', async () => {
    const node = await start(0);
    await expect(at(node, '/chain/1', 'eth_blockNumber')).rejects.toThrow('--chains 0 allows no further');
  });
});
