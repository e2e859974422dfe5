import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { Wallet } from 'ethers';
import { afterEach, expect, test } from 'vitest';
import { freePorts } from '../../test/free-ports.js';
import { LATEST_HARDFORK } from '../evm/index.ts';
import { NO_FEATURES, networkOf } from '../ledger/index.ts';
import { hexToBytes, toAddress } from '../protocol/index.ts';
import { dataFolderAt } from './data-folder.ts';
import { FORWARDS_MAX, HttpForwarder } from './following/forwarder.ts';
import { initializeFolder } from './initialize.ts';
import { TestNodes, treasuryTransfer, type WatchedNode } from './node.testing.ts';

const RECEIVER = `0x${'11'.repeat(20)}`;
const wallet = new Wallet(`0x${'42'.repeat(32)}`);
const nodes = new TestNodes();
const servers: Server[] = [];

afterEach(async () => {
  await nodes.clean();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** Starts a node that follows others of a chain. */
function followersOf(dataDir: string) {
  const genesisFile = dataFolderAt(dataDir).genesis;
  return (follow: readonly string[], port = 0) => nodes.start(nodes.unused(), { genesisFile, follow, port });
}

/** Starts a server that stands for a followed node. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/`;
}

/** A URL that nobody listens at. */
async function unused(): Promise<string> {
  const [port] = await freePorts(1);
  return `http://127.0.0.1:${port}/`;
}

const send = (node: WatchedNode, transaction: string) => node.call('eth_sendRawTransaction', transaction);

test('default: a follower, and one that follows it, pass results and errors on unchanged', async () => {
  const dataDir = await nodes.initialize();
  const producer = await nodes.start(dataDir);
  const follower = followersOf(dataDir);
  const middle = await follower([producer.url]);
  const end = await follower([middle.url]);
  const transaction = treasuryTransfer(dataDir, producer, 5n);
  const sent = await send(end, transaction);
  expect(sent.result).toMatch(/^0x[0-9a-f]{64}$/);
  expect(producer.ledger.pool.pendingCount).toBe(1);
  const again = await send(producer, transaction);
  expect(again.error?.message).toContain('already known');
  expect(await send(end, transaction)).toEqual(again);
  expect(await send(end, '0x00')).toEqual(await send(producer, '0x00'));
});

test('behavior: a forwarded transaction is pending at each follower until its block, and after a restart', async () => {
  const dataDir = await nodes.initialize();
  const producer = await nodes.start(dataDir);
  const follow = followersOf(dataDir);
  const middle = await follow([producer.url]);
  const ownDir = nodes.unused();
  const startEnd = (): Promise<WatchedNode> =>
    nodes.start(ownDir, { genesisFile: dataFolderAt(dataDir).genesis, follow: [middle.url] });
  let end = await startEnd();
  const { result: filter } = await end.call('eth_newPendingTransactionFilter');
  const { result: hash } = await send(end, treasuryTransfer(dataDir, producer, 5n));
  for (const node of [middle, end]) {
    expect(await node.call('eth_getTransactionByHash', hash)).toMatchObject({
      result: { hash, blockNumber: null },
    });
    expect((await node.call('eth_pendingTransactions')).result).toHaveLength(1);
    expect((await node.call('eth_getBlockTransactionCountByNumber', 'pending')).result).toBe('0x1');
  }
  expect((await end.call('eth_getFilterChanges', filter)).result).toEqual([hash]);
  await end.close();
  end = await startEnd();
  expect((await end.call('eth_pendingTransactions')).result).toHaveLength(1);
  producer.ledger.miner.mine();
  for (const node of [middle, end]) {
    await expect.poll(() => node.ledger.blocks.head().number, { timeout: 60_000 }).toBe(1);
    expect((await node.call('eth_getTransactionByHash', hash)).result).toMatchObject({ blockNumber: '0x1' });
    expect(node.ledger.pool.pendingCount).toBe(0);
  }
});

test('behavior: a forwarded Ethereum transaction is pending on both profiles, with its nonce', async () => {
  const dataDir = nodes.unused();
  const chain = { network: networkOf('local'), hardfork: LATEST_HARDFORK, supply: 10n ** 18n };
  await initializeFolder({
    ...{ dataDir, ...chain, blockInterval: 3_600, history: true, accounts: [] },
    ethereum: {
      accounts: [{ address: toAddress(hexToBytes(wallet.address.slice(2))), balance: 10n ** 17n }],
      preinstalls: false,
      features: { ...NO_FEATURES, fees: { type: 'fixed', price: 10n ** 10n } },
    },
  });
  const producer = await nodes.start(dataDir);
  const follower = await followersOf(dataDir)([producer.url]);
  const fields = { to: RECEIVER, gasLimit: 21_000n, gasPrice: 10n ** 10n, chainId: 31_337n, type: 0 };
  const ask = async (method: string, ...params: readonly unknown[]): Promise<unknown> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const response = await fetch(`${follower.url}/ethereum`, { method: 'POST', body });
    return ((await response.json()) as { result?: unknown }).result;
  };
  const hash = await ask('eth_sendRawTransaction', await wallet.signTransaction({ ...fields, nonce: 0 }));
  expect(await ask('eth_getTransactionByHash', hash)).toMatchObject({ hash, blockHash: null });
  expect(await ask('eth_pendingTransactions')).toMatchObject([{ hash }]);
  expect(await ask('eth_getTransactionCount', wallet.address, 'pending')).toBe('0x1');
  expect(await ask('eth_getTransactionCount', wallet.address, 'latest')).toBe('0x0');
  expect((await follower.call('eth_pendingTransactions')).result).toHaveLength(1);
  expect((await follower.call('eth_getTransactionByHash', hash)).result).toMatchObject({ blockHash: null });
});

test('behavior: a follower drops a transaction that no followed node has any longer', async () => {
  const dataDir = await nodes.initialize();
  const producer = await nodes.start(dataDir);
  const follow = followersOf(dataDir);
  const middle = await follow([producer.url]);
  const end = await follow([middle.url]);
  const { result: hash } = await send(end, treasuryTransfer(dataDir, producer, 5n));
  const { result: other } = await send(end, treasuryTransfer(dataDir, producer, 6n));
  const [first] = producer.ledger.pool.pendingTransactions();
  expect(producer.ledger.pool.dropPending((transaction) => transaction === first)).toBe(1);
  for (const node of [middle, end]) {
    await expect.poll(() => node.ledger.pool.pendingCount, { timeout: 60_000 }).toBe(1);
    expect((await node.call('eth_getTransactionByHash', hash)).result).toBe(null);
    expect((await node.call('eth_getTransactionByHash', other)).result).toMatchObject({ hash: other });
  }
});

test('error: a refused transaction is not pending at the follower', async () => {
  const dataDir = await nodes.initialize();
  const producer = await nodes.start(dataDir);
  const follower = await followersOf(dataDir)([producer.url]);
  const { error } = await send(follower, treasuryTransfer(dataDir, producer, 10n ** 18n));
  expect(error?.code).toBe(-32_000);
  expect(follower.ledger.pool.pendingCount).toBe(0);
});

test('behavior: a send that waits answers with the receipt of the followed node', async () => {
  const dataDir = await nodes.initialize(0.1);
  const producer = await nodes.start(dataDir);
  const follower = await followersOf(dataDir)([producer.url]);
  const transaction = treasuryTransfer(dataDir, producer, 5n);
  expect(await follower.call('eth_sendRawTransactionSync', transaction)).toMatchObject({
    result: { status: '0x1' },
  });
});

test('behavior: Ethereum transactions by /ethereum; at / they are refused with that hint', async () => {
  const dataDir = nodes.unused();
  await initializeFolder({
    ...{ dataDir, network: networkOf('local'), hardfork: LATEST_HARDFORK, supply: 1_000_000_000_000n },
    ...{ blockInterval: 3_600, history: true, accounts: [] },
    ethereum: {
      accounts: [],
      preinstalls: false,
      features: { ...NO_FEATURES, fees: { type: 'fixed', price: 10n ** 10n } },
    },
  });
  const producer = await nodes.start(dataDir);
  const follower = await followersOf(dataDir)([producer.url]);
  const fields = {
    to: RECEIVER,
    value: 1n,
    nonce: 0,
    gasLimit: 21_000n,
    gasPrice: 10n ** 10n,
    chainId: 31_337n,
  };
  const transaction = await wallet.signTransaction({ ...fields, type: 0 });
  const ask = async (url: string): Promise<unknown> => {
    const body = { jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransaction', params: [transaction] };
    return (await fetch(url, { method: 'POST', body: JSON.stringify(body) })).json();
  };
  const direct = await ask(`${producer.url}/ethereum`);
  expect(direct).toMatchObject({ error: { message: expect.stringContaining('insufficient funds') } });
  expect(await ask(`${follower.url}/ethereum`)).toEqual(direct);
  for (const { url } of [producer, follower]) {
    expect(await ask(url)).toMatchObject({
      error: { code: -32_602, message: expect.stringContaining('send it to /ethereum') },
    });
  }
});

test('behavior: the next followed node is tried if one is unreachable or refuses', async () => {
  const dataDir = await nodes.initialize();
  const producer = await nodes.start(dataDir);
  const busy = await serve((_request, response) => response.writeHead(503).end());
  const follower = await followersOf(dataDir)([await unused(), busy, producer.url]);
  expect((await send(follower, treasuryTransfer(dataDir, producer, 5n))).result).toMatch(/^0x/);
  expect(producer.ledger.pool.pendingCount).toBe(1);
});

test('error: no followed node that takes it', async () => {
  const dataDir = await nodes.initialize();
  const busy = await serve((_request, response) => response.writeHead(429).end());
  const follower = await followersOf(dataDir)([await unused(), busy]);
  const { error } = await send(follower, treasuryTransfer(dataDir, follower, 5n));
  expect(error).toEqual({
    code: -32_000,
    message: expect.stringMatching(
      /could not forward this one: followed node 1 of 2: .*; followed node 2 of 2: it responded with HTTP 429$/,
    ),
  });
});

test.each<[string, RequestListener]>([
  ['breaks off', (_request, response) => response.destroy()],
  ['fails', (_request, response) => response.writeHead(500).end()],
  ['answers something else', (_request, response) => response.end('{"result":null')],
  ['answers without an end', (_request, response) => response.end(Buffer.alloc(5 * 1024 * 1024))],
])(
  'error: the outcome is unknown where a followed node %s, and no other is asked',
  async (_title, listener) => {
    const dataDir = await nodes.initialize();
    const producer = await nodes.start(dataDir);
    const follower = await followersOf(dataDir)([await serve(listener), producer.url]);
    const { error } = await send(follower, treasuryTransfer(dataDir, producer, 5n));
    expect(error).toMatchObject({
      code: -32_000,
      message: expect.stringMatching(
        /^the outcome is unknown: the transaction was forwarded to followed node 1 of 2: /,
      ),
    });
    expect(producer.ledger.pool.pendingCount).toBe(0);
  },
);

test('error: followers that follow each other in a circle', async () => {
  const dataDir = await nodes.initialize();
  const [first = 0, second = 0] = await freePorts(2);
  const follower = followersOf(dataDir);
  const node = await follower([`http://127.0.0.1:${second}`], first);
  await follower([`http://127.0.0.1:${first}`], second);
  const { error } = await send(node, treasuryTransfer(dataDir, node, 5n));
  expect(error?.message).toContain('this one was forwarded 4 times, which is the limit');
});

test('error: too many at the same time, and the end of the node', async () => {
  let asked = 0;
  let haveAllArrived = (): void => undefined;
  const arrived = new Promise<void>((resolve) => {
    haveAllArrived = resolve;
  });
  const url = await serve(() => {
    asked += 1;
    if (asked === FORWARDS_MAX) haveAllArrived();
  });
  const forwarder = new HttpForwarder([url]);
  const call = {
    profile: 'ledger',
    method: 'eth_sendRawTransaction',
    parameters: ['0x'],
    waitMs: 0,
  } as const;
  const forwards = Array.from({ length: FORWARDS_MAX }, () => forwarder.forward(call, 0));
  const outcomes = Promise.allSettled(forwards);
  await arrived;
  await expect(forwarder.forward(call, 0)).rejects.toThrow(`at most ${FORWARDS_MAX}, of`);
  forwarder.close();
  for (const outcome of await outcomes) {
    expect(String(outcome.status === 'rejected' && outcome.reason)).toMatch(/unknown.*this node stops/);
  }
});
