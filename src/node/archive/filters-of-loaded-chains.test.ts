import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { DEFAULT_ETHEREUM } from '../index.ts';
import { callEthereum, closeNodes, startNode } from '../test-chain/test-chain.testing.ts';

/** A dump of anvil 1.7.1. */
const FILE = new URL('../state-dump/anvil-state.testing.json', import.meta.url);
/** Init code that logs. */
const LOGGING = '0x5f5fa0';

afterEach(closeNodes);

test('behavior: filters continue with the first block of a chain that begins later, after removed logs', async () => {
  const node = await startNode({ network: 'local', ethereum: DEFAULT_ETHEREUM });
  const call = (method: string, ...params: unknown[]): Promise<unknown> =>
    callEthereum(node, method, ...params);
  const [blocks, logs] = [await call('eth_newBlockFilter'), await call('eth_newFilter', {})];
  const [from] = (await call('eth_accounts')) as string[];
  await call('eth_sendTransaction', { from, gas: '0x30000', data: LOGGING });
  const [log] = (await call('eth_getFilterChanges', logs)) as object[];
  expect(log).toMatchObject({ removed: false, blockNumber: '0x1' });
  expect(await call('eth_getFilterChanges', blocks)).toHaveLength(1);
  // Any number beyond the head of the present chain.
  const dump = JSON.parse(readFileSync(FILE, 'utf8'));
  const late = {
    ...dump,
    best_block_number: 100,
    block: { ...dump.block, number: '0x64' },
    blocks: [],
    transactions: [],
  };
  expect(await call('anvil_loadState', `0x${Buffer.from(JSON.stringify(late)).toString('hex')}`)).toBe(true);
  const { hash } = (await call('eth_getBlockByNumber', 'latest', false)) as { hash: string };
  expect(await call('eth_blockNumber')).toBe('0x64');
  expect(await call('eth_getFilterChanges', blocks)).toEqual([hash]);
  expect(await call('eth_getFilterChanges', logs)).toEqual([{ ...log, removed: true }]);
});
