import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { DEFAULT_ETHEREUM } from '../index.ts';
import { callEthereum as call, closeNodes, startNode } from '../test-chain/test-chain.testing.ts';

afterEach(closeNodes);

test('default: a dump has the gas of all transactions of the newest block', async () => {
  const node = await startNode({ network: 'local', ethereum: DEFAULT_ETHEREUM });
  const [from, to] = (await call(node, 'eth_accounts')) as string[];
  await call(node, 'evm_setAutomine', false);
  for (let sent = 0; sent < 50; sent += 1) {
    await call(node, 'eth_sendTransaction', { from, to, value: '0x1', gas: '0x5208' });
  }
  await call(node, 'evm_mine');
  const dumped = gunzipSync(Buffer.from(String(await call(node, 'anvil_dumpState')).slice(2), 'hex'));
  const { blocks } = JSON.parse(dumped.toString()) as { blocks: { header: { gasUsed: string } }[] };
  expect(blocks.map(({ header }) => header.gasUsed)).toEqual([`0x${(50 * 21_000).toString(16)}`]);
});

test('behavior: a dump of more accounts than the table of the engine holds', async () => {
  const node = await startNode({ network: 'local', ethereum: DEFAULT_ETHEREUM });
  const addressAt = (index: number): string => `0x${(0xf00000000000 + index).toString(16).padStart(40, '0')}`;
  const accounts = Object.fromEntries(
    Array.from({ length: 300_000 }, (_, index) => [
      addressAt(index),
      { nonce: 0, balance: index < 280_000 ? '0x0' : '0x5', code: '0x', storage: {} },
    ]),
  );
  const dump = gzipSync(JSON.stringify({ accounts, block: { number: '0x7' } }));
  expect(await call(node, 'anvil_loadState', `0x${dump.toString('hex')}`)).toBe(true);
  expect([
    await call(node, 'eth_getBalance', addressAt(299_999), 'latest'),
    await call(node, 'eth_getBalance', addressAt(280_000), 'latest'),
    await call(node, 'eth_blockNumber'),
  ]).toEqual(['0x5', '0x5', '0x7']);
});
