import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { precedingIn, storePreceding } from '../../fork/index.ts';
import { end, serve } from '../../fork/remote.testing.ts';
import { toPrefixedHex } from '../../protocol/index.ts';
import { openStore, openStoreForReading } from '../../store/index.ts';
import { dataFolderAt } from '../data-folder.ts';
import { DEFAULT_FORK } from '../fork-configuration.ts';
import {
  DEFAULT_CONFIGURATION,
  DEFAULT_ETHEREUM,
  type NodeEvents,
  startTestNode,
  type TestNode,
  type TestNodeConfiguration,
} from '../index.ts';
import { packFork } from './fork-packing.ts';
import { temporaryFolder } from './forked-nodes.testing.ts';

const WHALE = '0x00000000000000000000000000000000dead0001';
const BASE = { ...DEFAULT_CONFIGURATION, port: 0, network: 'local', ethereum: DEFAULT_ETHEREUM } as const;

const running: TestNode[] = [];

afterEach(async () => {
  for (const node of running.splice(0).reverse()) await node.close();
});

async function start(
  changes: Partial<TestNodeConfiguration> = {},
  events: NodeEvents = {},
): Promise<TestNode> {
  const node = await startTestNode({ ...BASE, ...changes }, events);
  running.push(node);
  return node;
}

/** Calls a node over HTTP; throws the message of its error. */
async function call(node: TestNode, method: string, ...params: readonly unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${node.url}/ethereum`, { method: 'POST', headers, body });
  const { result, error } = Object(await response.json());
  if (error !== undefined) throw new Error(error.message);
  return result;
}

const fields = (value: unknown): Record<string, unknown> => Object(value);
const balanceOf = (node: TestNode) => call(node, 'eth_getBalance', WHALE, 'latest');
const numberOf = async (node: TestNode) => Number(await call(node, 'eth_blockNumber'));

/** A remote chain with two blocks of its own, and a balance. */
async function startUpstream(balance: string): Promise<TestNode> {
  const node = await start();
  await call(node, 'anvil_setBalance', WHALE, balance);
  await call(node, 'anvil_mine', '0x2');
  return node;
}

function forkOf({ url }: { readonly url: string }, retries = 1): Pick<TestNodeConfiguration, 'fork'> {
  // The blocks of ledgerd have other hashes than those of their fields.
  const options = { ...DEFAULT_FORK, trustsHeader: true, caches: false, retries };
  return {
    fork: { ...options, source: { kind: 'remote', url: `${url}/ethereum?key=secret-key`, block: undefined } },
  };
}

let upstream: TestNode;

beforeEach(async () => {
  upstream = await startUpstream('0x1234');
});

describe('the description of a fork', () => {
  test('default: nodeInfo, metadata and the description name the remote node without its credentials', async () => {
    const node = await start(forkOf(upstream));
    const { forkConfig } = fields(await call(node, 'anvil_nodeInfo'));
    const source = `${upstream.url}/…`;
    expect(forkConfig).toEqual({ forkUrl: source, forkBlockNumber: 2, forkRetryBackoff: 250 });
    const { hash } = fields(await call(upstream, 'eth_getBlockByNumber', '0x2', false));
    expect(fields(await call(node, 'hardhat_metadata')).forkedNetwork).toEqual({
      ...{ chainId: 31_337, forkBlockNumber: 2, forkBlockHash: hash, source },
    });
    const { fork } = node.description;
    expect(fork && { ...fork, hash: toPrefixedHex(fork.hash) }).toEqual({
      source,
      number: 2,
      hash,
      withCode: 0,
    });
  });

  test('behavior: the base fee of the first block follows the remote block', async () => {
    const node = await start(forkOf(upstream));
    await call(node, 'evm_mine');
    const { baseFeePerGas } = fields(await call(node, 'eth_getBlockByNumber', '0x3', false));
    expect(node.description.ethereum?.baseFee).toBe(BigInt(String(baseFeePerGas)));
    expect(node.description.ethereum?.baseFee).toBeLessThan(DEFAULT_ETHEREUM.baseFee);
  });

  test('args: a chain that is no fork', async () => {
    expect(upstream.description.fork).toBeUndefined();
    expect(fields(await call(upstream, 'anvil_nodeInfo')).forkConfig).toEqual({
      ...{ forkUrl: null, forkBlockNumber: null, forkRetryBackoff: null },
    });
    expect(fields(await call(upstream, 'hardhat_metadata'))).not.toHaveProperty('forkedNetwork');
  });

  test('behavior: the code of funded accounts on the remote chain is counted', async () => {
    const [first] = (await call(upstream, 'eth_accounts')) as string[];
    await call(upstream, 'anvil_setCode', first, '0x6001');
    const node = await start(forkOf(upstream));
    expect(node.description.fork?.withCode).toBe(1);
    expect(await call(node, 'eth_getCode', first, 'latest')).toBe('0x');
  });
});

describe('a transaction', () => {
  let chosen: string;
  let before: string;
  let fork: TestNodeConfiguration['fork'];
  beforeEach(async () => {
    const [from] = (await call(upstream, 'eth_accounts')) as string[];
    await call(upstream, 'evm_setAutomine', false);
    const send = async (value: string): Promise<string> =>
      String(await call(upstream, 'eth_sendTransaction', { from, to: WHALE, value, gas: '0x5208' }));
    before = await send('0x7');
    await send('0x9');
    chosen = await send('0xb');
    await call(upstream, 'evm_mine');
    fork = forkOf(upstream).fork;
  });

  test('args: the first block has those before it in its block', async () => {
    const node = await start({ fork: fork && { ...fork, transaction: chosen } });
    expect(await numberOf(node)).toBe(3);
    expect(await balanceOf(node)).toBe('0x1244');
    expect(fields(await call(node, 'eth_getTransactionReceipt', before)).blockNumber).toBe('0x3');
  });

  test('behavior: a pack begins with those before it, too, also after a further start', async () => {
    const dataDir = temporaryFolder();
    const first = await start({ fork: fork && { ...fork, transaction: chosen }, dataDir });
    const reads = async (node: TestNode): Promise<unknown> => {
      const receipt = await call(node, 'eth_getTransactionReceipt', before);
      return [await numberOf(node), await balanceOf(node), fields(receipt).blockNumber];
    };
    const expected = [3, '0x1244', '0x3'];
    expect(await reads(first)).toEqual(expected);
    await first.close();
    const again = await start({ dataDir });
    const file = join(temporaryFolder(), 'packed.fork');
    await packFork(dataDir, file, { stop: new AbortController().signal, onProgress: () => undefined });
    await again.close();
    const pack = fork && { ...fork, source: { kind: 'pack' as const, file } };
    expect(await reads(await start({ fork: pack }))).toEqual(expected);
    const other = temporaryFolder();
    for (let starts = 0; starts < 2; starts += 1) {
      const node = await start({ fork: pack, dataDir: other });
      expect(await reads(node)).toEqual(expected);
      await node.close();
    }
  });

  test.each([
    ['the block of the fork', [{ forking: { blockNumber: 2 } }]],
    ['the beginning', []],
  ])('behavior: a pack after a reset to %s begins without them', async (_name, parameters) => {
    const dataDir = temporaryFolder();
    const node = await start({ fork: fork && { ...fork, transaction: chosen }, dataDir });
    await call(node, 'hardhat_reset', ...parameters);
    const balance = await balanceOf(node);
    expect(await numberOf(node)).toBe(2);
    const file = join(temporaryFolder(), 'packed.fork');
    await packFork(dataDir, file, { stop: new AbortController().signal, onProgress: () => undefined });
    const packed = await start({ fork: fork && { ...fork, source: { kind: 'pack', file } } });
    expect([await numberOf(packed), await balanceOf(packed)]).toEqual([2, balance]);
  });

  test('behavior: a pack after a reset that was killed before their removal begins without them', async () => {
    const dataDir = temporaryFolder();
    const node = await start({ fork: fork && { ...fork, transaction: chosen }, dataDir });
    const [path] = dataFolderAt(dataDir).forks;
    const reader = openStoreForReading(path);
    const preceding = precedingIn(reader);
    await reader.close();
    await call(node, 'hardhat_reset');
    const balance = await balanceOf(node);
    await node.close();
    const entries = openStore({ path, durable: true, history: false, undoBlocks: 0 });
    storePreceding(entries, preceding);
    await entries.close();
    await (await start({ dataDir })).close();
    const file = join(temporaryFolder(), 'packed.fork');
    await packFork(dataDir, file, { stop: new AbortController().signal, onProgress: () => undefined });
    const packed = await start({ fork: fork && { ...fork, source: { kind: 'pack', file } } });
    expect([await numberOf(packed), await balanceOf(packed)]).toEqual([2, balance]);
  });

  // As kills leave a data folder: entries alone, and a chain whose time was not saved yet, without and with its block.
  test.each<[string, string | undefined, readonly ('store' | 'control')[]]>([
    ['the genesis', undefined, ['control', 'store']],
    ['the first block', undefined, ['control']],
    ['the time of the chain', 'chosen', ['control']],
  ])('behavior: a first start that was killed before %s is repeated', async (_name, transaction, removed) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'ledgerd-fork-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true }));
    const configuration = { fork: fork && { ...fork, transaction: chosen }, dataDir };
    const point = fork && { ...fork, source: { ...fork.source, block: 2 } };
    const first = await start(transaction === undefined ? { fork: point, dataDir } : configuration);
    await first.close();
    const folder = dataFolderAt(dataDir);
    for (const name of removed) rmSync(folder[name], { recursive: true });
    for (let starts = 0; starts < 2; starts += 1) {
      const node = await start(configuration);
      expect(await numberOf(node)).toBe(3);
      expect(await balanceOf(node)).toBe('0x1244');
      await node.close();
    }
  });
});

test('behavior: a notice reports fetched entries', async () => {
  const noticed = new Promise<unknown>((resolve) => {
    void start(forkOf(upstream), {
      onNotice: (notice) => notice.kind === 'forkFetched' && resolve(notice),
    }).then(balanceOf);
  });
  expect(await noticed).toMatchObject({ kind: 'forkFetched', requests: expect.any(Number) });
});

describe('a data folder', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'ledgerd-fork-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  test('default: a later start continues the fork without its settings, and without a remote node', async () => {
    const first = await start({ ...forkOf(upstream), dataDir });
    await balanceOf(first);
    await call(first, 'anvil_mine', '0x1');
    await first.close();
    const node = await start({ dataDir, network: 'default', ethereum: undefined });
    expect([await numberOf(node), await balanceOf(node)]).toEqual([3, '0x1234']);
    expect(node.description.fork).toMatchObject({ source: undefined, number: 2 });
    expect(await call(node, 'eth_accounts')).toHaveLength(10);
    await expect(call(node, 'eth_getBalance', `0x${'77'.repeat(20)}`, 'latest')).rejects.toThrow(
      'was not fetched from the remote chain',
    );
    await node.close();
  });

  test('error: a chain that is no fork, which stays one', async () => {
    const first = await start({ dataDir });
    await call(first, 'anvil_mine', '0x1');
    await first.close();
    await expect(start({ ...forkOf(upstream), dataDir })).rejects.toThrow(/has a chain that is no fork/);
    const again = await start({ dataDir });
    expect([await numberOf(again), again.description.fork]).toEqual([1, undefined]);
    await again.close();
  });
});

describe('hardhat_reset', () => {
  test('default: without options, to the block of the fork, whose time continues', async () => {
    const node = await start(forkOf(upstream));
    await call(node, 'anvil_setBalance', WHALE, '0x1');
    await call(node, 'anvil_mine', '0x3');
    await call(node, 'hardhat_reset');
    expect([await numberOf(node), await balanceOf(node)]).toEqual([2, '0x1234']);
    await call(node, 'anvil_mine', '0x1');
    expect(await numberOf(node)).toBe(3);
  });

  test('args: forking: another remote chain', async () => {
    const node = await start(forkOf(upstream));
    await call(node, 'anvil_mine', '0x5');
    const other = await startUpstream('0x77');
    await call(other, 'anvil_mine', '0x1');
    const snapshot = await call(node, 'evm_snapshot');
    await call(node, 'hardhat_reset', { forking: { jsonRpcUrl: `${other.url}/ethereum` } });
    expect([await numberOf(node), await balanceOf(node)]).toEqual([3, '0x77']);
    expect(await call(node, 'evm_revert', snapshot)).toBe(false);
    expect(fields(await call(node, 'anvil_nodeInfo')).forkConfig).toMatchObject({
      forkUrl: `${other.url}/…`,
    });
    const [from] = (await call(node, 'eth_accounts')) as string[];
    await call(node, 'eth_sendTransaction', { from, to: WHALE, value: '0x1' });
    expect([await numberOf(node), await balanceOf(node)]).toEqual([4, '0x78']);
    expect(fields(await call(node, 'eth_getBlockByNumber', '0x1', false)).number).toBe('0x1');
  });

  test('args: forking: an earlier block of the same remote chain', async () => {
    const node = await start(forkOf(upstream));
    await call(node, 'hardhat_reset', { forking: { blockNumber: 1 } });
    expect([await numberOf(node), await balanceOf(node)]).toEqual([1, '0x1234']);
    await call(node, 'anvil_reset', { forking: { blockNumber: '0x2' } });
    expect(await numberOf(node)).toBe(2);
  });

  test('args: forking: the same block again', async () => {
    const node = await start(forkOf(upstream));
    await call(node, 'anvil_setBalance', WHALE, '0x1');
    await call(node, 'hardhat_reset', { forking: { blockNumber: 2 } });
    expect(await balanceOf(node)).toBe('0x1234');
    await call(node, 'anvil_mine', '0x1');
    expect([await numberOf(node), await balanceOf(node)]).toEqual([3, '0x1234']);
  });

  test('error: nothing is changed', async () => {
    const node = await start(forkOf(upstream, 0));
    await call(node, 'anvil_setBalance', WHALE, '0x1');
    const reset = (forking: object) => call(node, 'hardhat_reset', { forking });
    await expect(reset({ blockNumber: 99 })).rejects.toThrow(/99/);
    await expect(reset({ jsonRpcUrl: 'http://127.0.0.1:1/key-of-a-user' })).rejects.toThrow(
      /^(?!.*key-of).*127\.0\.0\.1:1/,
    );
    await expect(reset({ jsonRpcUrl: 'nowhere' })).rejects.toThrow('the URL of the remote node is not valid');
    await expect(reset({ jsonRpcUrl: 5 })).rejects.toThrow('jsonRpcUrl');
    expect([await numberOf(node), await balanceOf(node)]).toEqual([2, '0x1']);
  });

  test('error: a block without a remote node', async () => {
    const reset = call(upstream, 'hardhat_reset', { forking: { blockNumber: 1 } });
    await expect(reset).rejects.toThrow('the chain is no fork: name the jsonRpcUrl of a remote node');
  });
});

describe('anvil_setRpcUrl', () => {
  test('default: further entries come from the other node', async () => {
    const node = await start(forkOf(upstream));
    const relay = await serve(async (body, response) => {
      const headers = { 'content-type': 'application/json' };
      const relayed = await fetch(`${upstream.url}/ethereum`, { method: 'POST', headers, body });
      end(response, 200, await relayed.text());
    });
    await call(node, 'anvil_setRpcUrl', relay.url);
    expect(await balanceOf(node)).toBe('0x1234');
    expect(relay.bodies.join()).toContain('eth_getBalance');
  });

  test('error: a node with another block there keeps the present one', async () => {
    const node = await start(forkOf(upstream));
    const other = await startUpstream('0x77');
    const set = call(node, 'anvil_setRpcUrl', `${other.url}/ethereum`);
    await expect(set).rejects.toThrow('where this chain was forked from');
    expect(await balanceOf(node)).toBe('0x1234');
  });

  test('error: a chain that is no fork', async () => {
    await expect(call(upstream, 'anvil_setRpcUrl', 'http://a')).rejects.toThrow('the chain is no fork');
  });
});

test('default: ledger_getOrigins reports the entries that this chain has', async () => {
  const CONTRACT = `0x${'77'.repeat(20)}`;
  const node = await start(forkOf(upstream));
  const [first = ''] = (await call(node, 'eth_accounts')) as string[];
  const slots = [1, 2].map((slot) => `0x${String(slot).padStart(64, '0')}`);
  const entries = [{ address: CONTRACT, storageKeys: slots }, { address: first }];
  const origins = () => call(node, 'ledger_getOrigins', entries);
  expect(await origins()).toEqual([
    { address: CONTRACT, account: 'remote', code: null, storage: ['remote', 'remote'] },
    { address: first, account: 'local', code: null, storage: [] },
  ]);
  await call(node, 'anvil_setStorageAt', CONTRACT, slots[0], `0x${'00'.repeat(32)}`);
  await call(node, 'anvil_setCode', CONTRACT, '0x00');
  expect(fields(await origins())[0]).toEqual({
    ...{ address: CONTRACT, account: 'local', code: 'local', storage: ['local', 'remote'] },
  });
  expect(fields(await call(upstream, 'ledger_getOrigins', entries))[0]).toMatchObject({
    ...{ account: 'local', storage: ['local', 'local'] },
  });
  await expect(call(node, 'ledger_getOrigins', Array(51).fill({ address: CONTRACT }))).rejects.toThrow('50');
});
