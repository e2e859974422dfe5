import { expect, test } from 'vitest';
import {
  callNode,
  READER,
  startFork,
  startUpstream,
  useTemporaryCache,
  word,
} from './forked-nodes.testing.ts';

test('default: further chains continue from the block of the node, with its entries and without requests', async () => {
  useTemporaryCache();
  const { node, remote } = await startUpstream();
  const forked = await startFork({ kind: 'remote', url: remote.url, block: undefined });
  const at = (number: number, method: string, ...params: unknown[]): Promise<unknown> =>
    callNode(forked.url.replace('/ethereum', `/chain/${number}/ethereum`), method, params);
  const head = await forked.call('eth_blockNumber');
  await node.call('anvil_mine', '0x3');
  const requests = remote.bodies.length;
  expect(await Promise.all([1, 2, 3].map((number) => at(number, 'eth_blockNumber')))).toEqual([
    head,
    head,
    head,
  ]);
  expect(remote.bodies).toHaveLength(requests);
  const call = { to: READER, data: word(4) };
  expect(await at(1, 'eth_call', call, 'latest')).toBe(word(11));
  const fetched = remote.bodies.length;
  expect(fetched).toBeGreaterThan(requests);
  for (const number of [2, 3]) expect(await at(number, 'eth_call', call, 'latest')).toBe(word(11));
  expect(await forked.call('eth_call', call, 'latest')).toBe(word(11));
  expect(remote.bodies).toHaveLength(fetched);
});

test('behavior: a reset of the node to another block leaves its further chains', async () => {
  useTemporaryCache();
  const { node, remote } = await startUpstream();
  const forked = await startFork({ kind: 'remote', url: remote.url, block: undefined });
  const further = forked.url.replace('/ethereum', '/chain/1/ethereum');
  const head = await callNode(further, 'eth_blockNumber', []);
  await node.call('anvil_mine', '0x3');
  await forked.call('anvil_reset', { forking: { jsonRpcUrl: remote.url } });
  expect(Number(await forked.call('eth_blockNumber'))).toBe(Number(head) + 3);
  expect(await callNode(further, 'eth_call', [{ to: READER, data: word(5) }, 'latest'])).toBe(word(12));
  expect(await callNode(further, 'eth_blockNumber', [])).toBe(head);
  expect(await callNode(forked.url.replace('/ethereum', '/chain/2/ethereum'), 'eth_blockNumber', [])).toBe(
    head,
  );
});
