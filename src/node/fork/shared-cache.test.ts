import { existsSync, mkdirSync, readdirSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { type ForkPoint, HttpUpstream, pinBlock } from '../../fork/index.ts';
import { Closers, closeAfter } from '../closers.ts';
import { lockFolder } from '../folder-lock.ts';
import { openForkStores } from './fork-stores.ts';
import {
  type CalledNode,
  READER,
  startFork,
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

/** Opens a fork, fills it, and closes it. Returns its folder. */
function fill(point: ForkPoint): Promise<string> {
  return closeAfter(async (closers) =>
    dirname((await openForkStores(point, undefined, true, closers)).own.path),
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

test('behavior: a damaged cache is replaced', async () => {
  useTemporaryCache();
  const point = (await somePoints())(0);
  const path = await fill(point);
  writeFileSync(join(path, 'entries', 'ledger.mdb'), 'damaged');
  expect(await fill(point)).toBe(path);
  await closeAfter(async (closers) => {
    const { own } = await openForkStores(point, undefined, true, closers);
    expect(own.genesis()).toBeDefined();
  });
});

test('behavior: a process that opens a fork while another creates it does without the shared entries', async () => {
  useTemporaryCache();
  const point = (await somePoints())(0);
  const path = await fill(point);
  rmSync(join(path, 'entries'), { recursive: true });
  const release = await lockFolder(path);
  const closers = new Closers();
  const stores = await openForkStores(point, undefined, true, closers);
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
    /^the cache .*\/ledgerd\/forks\/255-00[0-9a-f]+ cannot be used: .*: remove it, or start with --no-fork-cache$/,
  );
});
