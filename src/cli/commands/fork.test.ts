import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  type CalledNode,
  READER,
  startFork,
  startNode,
  startUpstream,
  temporaryFolder,
  useTemporaryCache,
  word,
} from '../../node/fork/forked-nodes.testing.ts';
import { run } from './chain.testing.ts';

/** Calls of a forked chain, and what they result in. */
async function steps(node: CalledNode): Promise<unknown[]> {
  const [from] = (await node.call('eth_accounts')) as string[];
  const results: unknown[] = [];
  const add = async (method: string, ...params: unknown[]): Promise<void> => {
    results.push(await node.call(method, ...params));
  };
  await add('eth_chainId');
  await add('eth_getBlockByNumber', '0x1', true);
  await add('eth_getBlockByNumber', 'latest', false);
  await add('eth_getBlockReceipts', '0x1');
  await add('eth_getLogs', { fromBlock: '0x0', toBlock: 'latest' });
  await add('eth_getBalance', READER, '0x0');
  for (let slot = 0; slot < 30; slot += 3) await add('eth_call', { to: READER, data: word(slot) }, 'latest');
  await add('eth_getStorageAt', READER, word(1), 'latest');
  await add('eth_sendTransaction', { from, to: READER, data: word(2), value: '0x1' });
  await add('eth_getBalance', READER, 'latest');
  return results;
}

test('default: a run on a pack has the results of the run that it was made of, without a remote node', async () => {
  useTemporaryCache();
  const { node: upstream, remote } = await startUpstream();
  const dataDir = temporaryFolder();
  const file = join(temporaryFolder(), 'a.fork');
  const forked = await startFork({ kind: 'remote', url: remote.url, block: undefined }, { dataDir });
  const expected = await steps(forked);
  // Also while the node runs.
  const packed = await run(['fork', 'pack', '--data-dir', dataDir, file]);
  expect(packed).toMatchObject({ status: 0, errors: '' });
  expect(packed.output).toMatch(
    /a\.fork has [\d,]+ entries, [\d.]+ KiB, in [\d.]+ s\n {2}ledgerd start --fork /,
  );
  await forked.close();
  await upstream.close();
  const { length } = remote.bodies;
  for (const folder of [undefined, temporaryFolder()]) {
    const offline = await startFork({ kind: 'pack', file }, { ...(folder && { dataDir: folder }) });
    expect(await steps(offline)).toEqual(expected);
    await offline.close();
    if (folder === undefined) continue;
    const restarted = await startNode({ dataDir: folder });
    expect(await restarted.call('eth_call', { to: READER, data: word(3) }, 'latest')).toBe(word(10));
    await restarted.close();
    const again = await startFork({ kind: 'pack', file }, { dataDir: folder });
    expect(await again.call('eth_blockNumber')).toBe('0x2');
  }
  expect(remote.bodies).toHaveLength(length);
});

test('error: what a pack lacks, with its address, its slot and what to do', async () => {
  useTemporaryCache();
  const { remote } = await startUpstream();
  const dataDir = temporaryFolder();
  const file = join(temporaryFolder(), 'a.fork');
  const forked = await startFork({ kind: 'remote', url: remote.url, block: 1 }, { dataDir });
  await forked.call('eth_call', { to: READER, data: word(1) }, 'latest');
  await run(['fork', 'pack', '--data-dir', dataDir, file]);
  const offline = await startFork({ kind: 'pack', file });
  const remedy =
    'was not fetched from the remote chain: start with --fork URL@1 --data-dir FOLDER, run the same calls';
  await expect(offline.call('eth_call', { to: READER, data: word(2) }, 'latest')).rejects.toThrow(
    `slot ${word(2)} of ${READER} at block 1 ${remedy}, and pack again (ledgerd fork pack)`,
  );
  await expect(offline.call('eth_getBlockByNumber', '0x0', false)).rejects.toThrow(
    `the result of eth_getBlockByNumber ["0x0",false] ${remedy}`,
  );
  const other = '0xc0de00000000000000000000000000000000c0df';
  await expect(offline.call('eth_getBalance', other, 'latest')).rejects.toThrow(
    `the account ${other} at block 1 ${remedy}`,
  );
  expect(await offline.call('eth_getTransactionReceipt', word(1))).toBeNull();
  await offline.close();
  await forked.close();
  const restarted = await startNode({ dataDir });
  await expect(restarted.call('eth_call', { to: READER, data: word(2) }, 'latest')).rejects.toThrow(
    'was not fetched from the remote chain: start with --fork URL@1, which adds it',
  );
});

test('default: fork info describes a pack and a data folder', async () => {
  useTemporaryCache();
  const { node, remote } = await startUpstream();
  const dataDir = temporaryFolder();
  const file = join(temporaryFolder(), 'a.fork');
  const forked = await startFork({ kind: 'remote', url: remote.url, block: 1 }, { dataDir });
  await forked.call('eth_getBlockByNumber', '0x0', false);
  await forked.call('eth_call', { to: READER, data: word(1) }, 'latest');
  await run(['fork', 'pack', '--data-dir', dataDir, file]);
  const { hash, timestamp } = (await node.call('eth_getBlockByNumber', '0x1', false)) as Record<
    string,
    string
  >;
  for (const place of [file, dataDir]) {
    const { output } = await run(['fork', 'info', '--json', place]);
    expect(JSON.parse(output)).toMatchObject({
      ...{
        block: { number: 1, hash, timestamp: Number(timestamp) },
        chainId: String(await node.call('net_version')),
      },
      ...{ slots: 1, blockHashes: 0, history: 1, packFormat: place === file ? 1 : null },
    });
    expect(JSON.parse(output).accounts).toBeGreaterThan(10);
  }
  expect((await run(['fork', 'info', file])).output).toMatch(/Slots +1\n(.+\n)+Format +pack, format 1\n/);
});

test('error: folders and files without a fork, or with another one', async () => {
  useTemporaryCache();
  const { remote } = await startUpstream();
  const [dataDir, other] = [temporaryFolder(), temporaryFolder()];
  const file = join(other, 'a.fork');
  await startFork({ kind: 'remote', url: remote.url, block: 1 }, { dataDir });
  await run(['fork', 'pack', '--data-dir', dataDir, file]);
  const earlier = temporaryFolder();
  const forked = await startFork({ kind: 'remote', url: remote.url, block: 0 }, { dataDir: earlier });
  await forked.close();
  await expect(startFork({ kind: 'pack', file }, { dataDir: earlier })).rejects.toThrow(
    /has entries of block 0 .*not of/,
  );
  await expect(startFork({ kind: 'pack', file }, { fork: { chainId: 5 } })).rejects.toThrow(
    /, not of chain 5$/,
  );
  await expect(startFork({ kind: 'pack', file: join(other, 'none') })).rejects.toThrow(
    'none cannot be read: ENOENT',
  );
  const text = join(other, 'text');
  writeFileSync(text, 'something else');
  await expect(startFork({ kind: 'pack', file: text })).rejects.toThrow('text is no pack of a fork');
  expect(await run(['fork', 'pack', '--data-dir', dataDir, text])).toMatchObject({
    status: 1,
    errors: `ledgerd: cannot pack the fork: ${text} exists already and is no pack of a fork: name another file\n`,
  });
  expect((await run(['fork', 'pack', '--data-dir', other, 'b.fork'])).errors).toContain(
    `there is no chain in ${other}`,
  );
  expect((await run(['fork', 'info', '--data-dir', other, file])).status).toBe(2);
  expect((await run(['fork', 'pack', '--json', file])).status).toBe(2);
  expect(readdirSync(other).sort()).toEqual(['a.fork', 'text']);
});
