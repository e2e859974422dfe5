import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { encodeForkPoint, type ForkPoint, HttpUpstream, pinBlock } from '../../fork/index.ts';
import { end, serve } from '../../fork/remote.testing.ts';
import { Closers, closeAfter } from '../closers.ts';
import { lockFolder } from '../folder-lock.ts';
import { openForkStores } from './fork-stores.ts';
import {
  type CalledNode,
  READER,
  startFork,
  startNode,
  startUpstream,
  temporaryFolder,
  useTemporaryCache,
  word,
} from './forked-nodes.testing.ts';

/** Reads that need the remote chain. */
async function read(node: CalledNode): Promise<unknown[]> {
  return [
    await node.call('eth_call', { to: READER, data: word(3) }, 'latest'),
    await node.call('eth_getBlockByNumber', '0x1', true),
    await node.call('eth_getBalance', READER, '0x0'),
  ];
}

test('default: a second process on the cache sends no request after the pin, nor does a later one', async () => {
  const cache = useTemporaryCache();
  const { remote } = await startUpstream();
  const source = { kind: 'remote', url: remote.url, block: 1 } as const;
  const first = await startFork(source);
  const pinned = remote.bodies.findIndex((body) => !/eth_chainId|eth_getBlockByNumber/.test(body));
  expect(pinned).toBeGreaterThan(0);
  const expected = await read(first);
  let before = remote.bodies.length;
  const dataDir = temporaryFolder();
  const second = await startFork(source, { dataDir });
  expect(await read(second)).toEqual(expected);
  expect(remote.bodies.length - before).toBe(pinned);
  // The copy of the data folder is its own.
  await second.close();
  await first.close();
  before = remote.bodies.length;
  const third = await startFork(source);
  expect(await read(third)).toEqual(expected);
  expect(remote.bodies.length - before).toBe(pinned);
  expect(readdirSync(cache)).toHaveLength(1);
  before = remote.bodies.length;
  await read(await startFork(source, { fork: { caches: false } }));
  expect(remote.bodies.length - before).toBeGreaterThan(pinned);
});

/** A fork point of a real upstream, and others that differ in their hash. */
async function somePoints(): Promise<(index: number) => ForkPoint> {
  const { remote } = await startUpstream();
  const upstream = new HttpUpstream({ url: remote.url });
  const { point } = await pinBlock(upstream, { kind: 'number', number: 1 }, { trustsHeader: true });
  await upstream.close();
  return (index) => {
    const hash = point.hash.slice() as ForkPoint['hash'];
    hash[0] = index;
    return { ...point, hash };
  };
}

/** The part of the cache of some remote node. */
const CACHE = { url: 'http://remote.example/key', isProven: false, onDamaged: () => undefined };

/** Opens a fork, fills it, and closes it. Returns its folder. */
function fill(point: ForkPoint): Promise<string> {
  return closeAfter(async (closers) =>
    dirname((await openForkStores(point, undefined, 'unproven', CACHE, closers)).sharedWriter?.path ?? ''),
  );
}

test('behavior: beyond the bound, the unlocked forks that were unused for the longest time are removed', async () => {
  const cache = useTemporaryCache();
  const pointAt = await somePoints();
  const paths: string[] = [];
  for (let index = 0; index < 5; index += 1) {
    const path = await fill(pointAt(index));
    const day = new Date(2020, 0, 10 - index);
    utimesSync(path, day, day);
    paths.push(path);
  }
  writeFileSync(join(cache, 'note'), '');
  mkdirSync(join(cache, 'old.removed-1'));
  const release = await lockFolder(paths[4] ?? '');
  // Sparse files: the bound concerns their length.
  for (const path of paths) truncateSync(join(path, 'entries', 'ledger.mdb'), 600 * 1024 * 1024);
  await fill(pointAt(9));
  await release();
  expect(paths.map((path) => existsSync(path))).toEqual([true, true, false, false, true]);
  expect(readdirSync(cache)).toHaveLength(5);
});

describe('a cache of entries that a lying remote node sent', () => {
  /** Returns what a lying remote node responds with: other balances than the chain has. */
  async function lieOf(node: CalledNode, body: string): Promise<string> {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(node.url, { method: 'POST', body, headers });
    const answers = [await response.json()].flat() as { id: number }[];
    const calls = [JSON.parse(body)].flat() as { id: number; method: string }[];
    const lies = answers.map((answer) => {
      const isBalance = calls.some(({ id, method }) => id === answer.id && method === 'eth_getBalance');
      return isBalance ? { ...answer, result: LIE } : answer;
    });
    return JSON.stringify(body.startsWith('[') ? lies : lies[0]);
  }

  const startLiar = (node: CalledNode) =>
    serve((body, response) => void lieOf(node, body).then((text) => end(response, 200, text)));

  const LIE = '0xbad';
  const balanceOf = (node: CalledNode) => node.call('eth_getBalance', READER, 'latest');

  /** Starts a chain with proofs of its state. */
  const startProver = async (): Promise<CalledNode> => {
    const prover = await startNode({ hasStateTrie: true });
    await prover.call('anvil_setBalance', READER, '0x5');
    await prover.call('anvil_mine', '0x2');
    return prover;
  };

  test('behavior: verification does not use them, and another remote node neither', async () => {
    useTemporaryCache();
    const prover = await startProver();
    const liar = await startLiar(prover);
    const from = (url: string, verifies: boolean) =>
      startFork({ kind: 'remote', url, block: 1 }, { fork: { verifies } });
    const first = await from(liar.url, false);
    expect(await balanceOf(first)).toBe(LIE);
    // While the writer of the cache runs, and once it has ended.
    expect(await balanceOf(await from(prover.url, false))).toBe('0x5');
    expect(await balanceOf(await from(liar.url, true))).toBe('0x5');
    await first.close();
    expect(await balanceOf(await from(liar.url, true))).toBe('0x5');
    // What was proven stays apart from what was not.
    expect(await balanceOf(await from(liar.url, false))).toBe(LIE);
  });

  test('behavior: anvil_setRpcUrl adds none of another remote node', async () => {
    useTemporaryCache();
    const prover = await startProver();
    const liar = await startLiar(prover);
    const start = () => startFork({ kind: 'remote', url: prover.url, block: 1 });
    const first = await start();
    await first.call('anvil_setRpcUrl', liar.url);
    expect(await balanceOf(first)).toBe(LIE);
    expect(await balanceOf(await start())).toBe('0x5');
    await first.close();
    expect(await balanceOf(await start())).toBe('0x5');
  });

  test('error: a data folder with them cannot be verified', async () => {
    const prover = await startProver();
    const start = (verifies: boolean, dataDir: string) => {
      const source = { kind: 'remote', url: prover.url, block: 1 } as const;
      return startFork(source, { dataDir, fork: { verifies, caches: false } });
    };
    const dataDir = temporaryFolder();
    await (await start(true, dataDir)).close();
    const proven = await start(true, dataDir);
    expect(await balanceOf(proven)).toBe('0x5');
    await proven.close();
    await (await start(false, dataDir)).close();
    await expect(start(true, dataDir)).rejects.toThrow(
      /has entries that were fetched without proofs, .* start it without --fork-verify/,
    );
  });
});

test('behavior: a cache whose fork point has another bit is reported and replaced', async () => {
  useTemporaryCache();
  const pointAt = await somePoints();
  const point = pointAt(0);
  const path = await fill(point);
  const file = join(path, 'entries', 'ledger.mdb');
  const record = Buffer.from(encodeForkPoint(point));
  for (let bit = 0; bit < 8 * record.length; bit += 97) {
    const bytes = readFileSync(file);
    const at = bytes.indexOf(record);
    expect(at).toBeGreaterThan(0);
    const place = at + Math.floor(bit / 8);
    bytes[place] = (bytes[place] ?? 0) ^ (1 << (bit % 8));
    writeFileSync(file, bytes);
    const damaged: string[] = [];
    await closeAfter(async (closers) => {
      const cache = { ...CACHE, onDamaged: (folder: string) => void damaged.push(folder) };
      const { sharedWriter } = await openForkStores(point, undefined, 'unproven', cache, closers);
      expect(Buffer.from(sharedWriter?.genesis() ?? [])).toEqual(record);
    });
    expect(damaged).toEqual([path]);
  }
});

test('behavior: a damaged cache is replaced', async () => {
  useTemporaryCache();
  const point = (await somePoints())(0);
  const path = await fill(point);
  writeFileSync(join(path, 'entries', 'ledger.mdb'), 'damaged');
  expect(await fill(point)).toBe(path);
  await closeAfter(async (closers) => {
    const { sharedWriter } = await openForkStores(point, undefined, 'unproven', CACHE, closers);
    expect(sharedWriter?.genesis()).toBeDefined();
  });
});

test('behavior: a process that opens a fork while another creates it does without the shared entries', async () => {
  useTemporaryCache();
  const point = (await somePoints())(0);
  const path = await fill(point);
  rmSync(join(path, 'entries'), { recursive: true });
  const release = await lockFolder(path);
  const closers = new Closers();
  const stores = await openForkStores(point, undefined, 'unproven', CACHE, closers);
  expect([stores.shared, stores.sharedWriter]).toEqual([undefined, undefined]);
  await closers.close();
  await release();
});

test('error: a cache that cannot be used, with its folder and the flag', async () => {
  const cache = useTemporaryCache();
  const point = (await somePoints())(0);
  mkdirSync(dirname(cache), { recursive: true });
  writeFileSync(cache, '');
  await expect(fill(point)).rejects.toThrow(
    /^the cache .*\/ledgerd\/forks\/255-00[0-9a-f]+-[0-9a-f]{16} cannot be used: .*: remove it, or start with --no-f/,
  );
});
