import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IpcSocketProvider } from 'ethers';
import { createPublicClient } from 'viem';
import { ipc } from 'viem/node';
import { expect, onTestFinished, test } from 'vitest';
import { IpcProvider } from 'web3-providers-ipc';
import { startTestNode } from '../../src/library/index.ts';

const KEY = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';

async function start() {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerd-ipc-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'node.ipc');
  const node = await startTestNode({ root: 'ethereum', settings: { ipc: path } });
  onTestFinished(() => node.stop());
  const mine = (): Promise<unknown> => node.provider.request({ method: 'evm_mine', params: [] });
  return { path, mine };
}

test('default: ethers: calls, transactions and subscriptions', async () => {
  const { path, mine } = await start();
  const provider = new IpcSocketProvider(path);
  onTestFinished(() => provider.destroy());
  expect((await provider.getNetwork()).chainId).toBe(31_337n);
  const block = new Promise((resolve) => provider.once('block', resolve));
  await provider._start();
  await provider.send('eth_chainId', []);
  await mine();
  expect(await block).toBe(1);
  const hash = await provider.send('eth_sendTransaction', [{ from: KEY, to: KEY, value: '0x1' }]);
  expect(await provider.getTransactionReceipt(hash)).toMatchObject({ status: 1, blockNumber: 2 });
});

test('default: viem: calls, many at once, and subscriptions', async () => {
  const { path, mine } = await start();
  const client = createPublicClient({ transport: ipc(path) });
  expect(await client.getChainId()).toBe(31_337);
  const numbers = await Promise.all(
    Array.from({ length: 50 }, () => client.getBlockNumber({ cacheTime: 0 })),
  );
  expect(new Set(numbers)).toEqual(new Set([0n]));
  const number = new Promise((resolve) => {
    const unwatch = client.watchBlockNumber({
      onBlockNumber: (seen) => {
        unwatch();
        resolve(seen);
      },
    });
  });
  // The subscription is there before this request, which follows it.
  await client.getChainId();
  await mine();
  expect(await number).toBe(1n);
});

test('default: web3.js: calls', async () => {
  const { path } = await start();
  const provider = new IpcProvider(path);
  onTestFinished(() => provider.disconnect());
  const response = await provider.request({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] });
  expect(response).toMatchObject({ id: 1, result: '0x7a69' });
});
