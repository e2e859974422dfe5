import { afterEach, expect, onTestFinished, test } from 'vitest';
import { accountId } from '../protocol/index.ts';
import { DEFAULT_SERVER_LIMITS } from '../server/index.ts';
import { dataFolderAt } from './data-folder.ts';
import { answer, FeedServer, feedOfFolder } from './following/feed.testing.ts';
import { changeGenesis, TestNodes, treasuryTransfer, type WatchedNode } from './node.testing.ts';

const nodes = new TestNodes();
afterEach(() => nodes.clean());

/** A node that is given one block of ten with each answer. */
async function startBehind(changes: Parameters<TestNodes['start']>[1]): Promise<WatchedNode> {
  const dataDir = await nodes.initialize(0.1);
  const producer = await nodes.start(dataDir);
  await producer.until(() => producer.ledger.blocks.head().number >= 10);
  await producer.close();
  const { feed, close } = feedOfFolder(dataDir);
  const server = await FeedServer.start((from, response) => {
    const { head, bytes } = feed(from);
    const [length = 0] = new Uint32Array(bytes.slice(0, 4).buffer);
    answer({ head, bytes: bytes.slice(0, 4 + length) }, response);
  });
  onTestFinished(async () => {
    await server.close();
    await close();
  });
  const genesisFile = dataFolderAt(dataDir).genesis;
  return nodes.start(nodes.unused(), { genesisFile, follow: [server.url], ...changes });
}

/** Sends a call and returns its result with the headers of the response. */
async function ask({ url }: { url: string }, method: string, minBlock?: number) {
  const response = await fetch(url, {
    method: 'POST',
    headers: minBlock === undefined ? {} : { 'ledgerd-min-block': String(minBlock) },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] }),
  });
  const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } };
  return { status: response.status, head: Number(response.headers.get('ledgerd-block')), result, error };
}

test('error: a node that lags too far is unhealthy until it has caught up', async () => {
  const node = await startBehind({ maxLag: { unit: 'blocks', most: 3 } });
  let seen = '';
  while (node.ledger.blocks.head().number < 7) {
    const { status, report } = await node.health();
    if (status === 503) seen = JSON.stringify(report);
  }
  expect(seen).toMatch(
    /block \d+, the newest one here, is \d+ blocks and \d+ s behind .*--max-lag allows 3 blocks/,
  );
  await node.until(() => node.ledger.blocks.head().number >= 10);
  expect(JSON.stringify((await node.health()).report)).not.toContain('--max-lag');
});

test.each([0, 2])(
  'behavior: a write can be read as soon as the reported head is reached (workers: %i)',
  async (workers) => {
    const dataDir = await nodes.initialize(0.1);
    const producer = await nodes.start(dataDir);
    const genesisFile = dataFolderAt(dataDir).genesis;
    const reader = await nodes.start(nodes.unused(), { genesisFile, follow: [producer.url], workers });
    for (let round = 0; round < 3; round += 1) {
      const sent = await producer.call(
        'eth_sendRawTransaction',
        treasuryTransfer(dataDir, producer, BigInt(round + 1)),
      );
      const { head } = await ask(producer, 'eth_chainId');
      await producer.until(() => producer.ledger.blocks.head().number > head + 1);
      const block = producer.ledger.blocks.head().number;
      const body = { jsonrpc: '2.0', id: 1, method: 'eth_getTransactionReceipt', params: [sent.result] };
      const response = await fetch(reader.url, {
        method: 'POST',
        headers: { 'ledgerd-min-block': String(block) },
        body: JSON.stringify(body),
      });
      expect(Number(response.headers.get('ledgerd-block'))).toBeGreaterThanOrEqual(block);
      expect(await response.json()).toMatchObject({ result: { status: '0x1' } });
    }
  },
);

test('error: a block that does not arrive in time', async () => {
  const node = await nodes.start(await nodes.initialize(3_600), {
    server: { ...DEFAULT_SERVER_LIMITS, blockWaitMs: 20 },
  });
  expect(await ask(node, 'eth_blockNumber', 1)).toMatchObject({
    status: 503,
    head: 0,
    error: { message: 'block 1 has not come within 0.02 s: the newest one here is block 0' },
  });
});

test('behavior: in a chain of several producers, filter ids contain the node number', async () => {
  const dataDir = await nodes.initialize();
  changeGenesis(dataDir, (genesis) => ({ ...genesis, producers: [accountId(1_022), accountId(1_023)] }));
  const producer = await nodes.start(dataDir);
  const { result: id } = await producer.call('eth_newBlockFilter');
  expect(id).toMatch(/^0x1001[0-9a-f]{28}$/);
  const genesisFile = dataFolderAt(dataDir).genesis;
  const reader = await nodes.start(nodes.unused(), { genesisFile, nodeNumber: 9 });
  expect((await reader.call('eth_newBlockFilter')).result).toMatch(/^0x1009[0-9a-f]{28}$/);
  expect((await reader.call('eth_getFilterChanges', id)).error).toEqual({
    code: -32_000,
    message: 'filter not found: it exists at node 1 of the cluster, and this is node 9',
  });
  expect((await producer.call('eth_getFilterChanges', id)).result).toEqual([]);
});

test('default: on a single node, filter ids contain no node number', async () => {
  const node = await nodes.start(await nodes.initialize());
  expect((await node.call('eth_newBlockFilter')).result).toMatch(/^0x1[0-9a-f]{16}$/);
});
