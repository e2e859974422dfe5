import { spawnSync } from 'node:child_process';
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

/** Mebibytes of the heap of a node, and blocks of each of its chains whose texts fill a part of it. */
const HEAP_MEBIBYTES = 160;
const CHAINS = 12;
const BLOCKS = 40;

/** Starts a node with a data folder, whose temporary files are in the folder of the test. */
async function start(...variables: string[]): Promise<{ readonly node: NodeProcess; readonly url: string }> {
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
  const node = new NodeProcess(words, ['env', `TMPDIR=${folder}`, ...variables]);
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

test('behavior: the cached responses of all chains together have one bound', async () => {
  const { url } = await start(`NODE_OPTIONS=--max-old-space-size=${HEAP_MEBIBYTES}`, 'LEDGERD_ETHEREUM=true');
  const paths = Array.from({ length: CHAINS }, (_, index) => `${url}/chain/${index + 1}`);
  const [from] = (await call(`${url}/ethereum`, 'eth_accounts')) as string[];
  const data = `0x${'61'.repeat(100_000)}`;
  const use = async (path: string): Promise<void> => {
    for (let count = 0; count < BLOCKS; count += 1) {
      const transaction = { from, to: from, data, gas: '0x7a1200' };
      const hash = await call(`${path}/ethereum`, 'eth_sendTransaction', transaction);
      for (const profile of [path, `${path}/ethereum`]) await call(profile, 'eth_getTransactionByHash', hash);
    }
  };
  await Promise.all(paths.map(use));
  const heads = await Promise.all(paths.map((path) => call(path, 'eth_blockNumber')));
  expect(heads).toEqual(paths.map(() => `0x${BLOCKS.toString(16)}`));
});

test.runIf(spawnSync('prlimit', ['--version']).status === 0)(
  'error: a full disk refuses further chains, and leaves those that exist',
  async () => {
    const { node, url } = await start();
    await call(`${url}/chain/1`, 'anvil_mine', 3);
    // A limit on the length of files takes the place of the full disk.
    const limitFiles = (most: number | 'unlimited') =>
      spawnSync('prlimit', [`--pid=${node.processId}`, `--fsize=${most}:unlimited`]);
    limitFiles(200_000);
    await expect(call(`${url}/chain/2`, 'eth_blockNumber')).rejects.toThrow(
      /chain 2 cannot be created: the database refused to write: EFBIG.*\(the disk is full, or it fails\)/,
    );
    expect(temporary()).toHaveLength(1);
    expect(await call(`${url}/chain/1`, 'eth_blockNumber')).toBe('0x3');
    limitFiles('unlimited');
    expect(await call(`${url}/chain/2`, 'eth_blockNumber')).toBe('0x0');
  },
);
