import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NodeProcess } from '../node-process.ts';
import { call } from '../rpc-client.js';

let folder: string;
const running: NodeProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerd-test-'));
});

afterEach(async () => {
  for (const node of running.splice(0)) if (node.isRunning) await node.end('SIGKILL');
  rmSync(folder, { recursive: true });
});

/** Starts a node with a data folder, whose temporary files are in the folder of the test. */
async function start(): Promise<{ readonly node: NodeProcess; readonly url: string }> {
  const words = [
    'start',
    '--test',
    '--port',
    '0',
    '--log-format',
    'json',
    '--data-dir',
    join(folder, 'data'),
  ];
  const node = new NodeProcess(words, ['env', `TMPDIR=${folder}`]);
  running.push(node);
  return { node, url: await node.ready() };
}

const temporary = (): string[] => readdirSync(folder).filter((name) => name !== 'data');

test('behavior: the end of a node removes its further chains, and leaves that of the data folder', async () => {
  let { node, url } = await start();
  for (const path of ['', '/chain/1', '/chain/2']) await call(`${url}${path}`, 'anvil_mine', 3);
  expect(temporary()).toHaveLength(2);
  await node.end('SIGTERM');
  expect(temporary()).toEqual([]);
  ({ node, url } = await start());
  expect(await call(url, 'eth_blockNumber')).toBe('0x3');
  expect(await call(`${url}/chain/1`, 'eth_blockNumber')).toBe('0x0');
});

test('behavior: after SIGKILL the chain of the data folder continues, and further chains begin again', async () => {
  let { node, url } = await start();
  await Promise.all(
    ['', '/chain/1', '/chain/2'].map(async (path) => {
      for (let count = 0; count < 5; count += 1) await call(`${url}${path}`, 'evm_mine');
    }),
  );
  await node.end('SIGKILL');
  ({ node, url } = await start());
  expect(await call(url, 'eth_blockNumber')).toBe('0x5');
  for (const path of ['/chain/1', '/chain/2']) {
    expect(await call(`${url}${path}`, 'eth_blockNumber')).toBe('0x0');
    await call(`${url}${path}`, 'evm_mine');
    expect(await call(`${url}${path}`, 'eth_blockNumber')).toBe('0x1');
  }
});
