import { spawnSync } from 'node:child_process';
import { afterEach, describe, expect, test } from 'vitest';
import { type Hash, toHash } from '../../protocol/index.ts';
import type { StoreReader } from '../index.ts';
import { bytes, commitOf, TestFolders } from '../store.testing.ts';
import { StoreProcess } from '../store-process.testing.ts';

const folders = new TestFolders();
afterEach(() => folders.clean());

const hashOf = (number: number): Hash => toHash(new Uint8Array(32).fill(number));
const sidecarOf = (number: number, length = 800_000) => ({
  hash: hashOf(number),
  bytes: new Uint8Array(length).fill(number),
});
const listed = (store: StoreReader) => [...store.sidecars()].map(({ hash, length }) => [hash[0], length]);

describe('sidecars', () => {
  test('default: they are stored with their transaction, also after a restart', async () => {
    const store = folders.open({ durable: true });
    store.addPending(bytes(1), [], sidecarOf(7));
    store.addPending(bytes(2), [], sidecarOf(255, 5));
    store.addPending(bytes(3));
    await store.close();
    const again = folders.open({ path: store.path, durable: true });
    expect(listed(again)).toEqual([
      [7, 800_000],
      [255, 5],
    ]);
    expect(again.sidecar(hashOf(7))).toEqual(sidecarOf(7).bytes);
    expect(again.sidecar(hashOf(8))).toBeUndefined();
  });

  test('behavior: unknown ones are ignored when they are removed', () => {
    const store = folders.open();
    for (const number of [1, 2, 3]) store.addPending(bytes(number), [], sidecarOf(number, 9));
    store.removeSidecars([hashOf(2), hashOf(9)]);
    store.removeSidecars([]);
    expect(listed(store)).toEqual([
      [1, 9],
      [3, 9],
    ]);
  });

  test('behavior: the sidecars of another file are copied with its other records', () => {
    const [source, target] = [folders.open(), folders.open()];
    for (const store of [source, target]) store.commitBlock(commitOf({ number: 0 }));
    source.addPending(bytes(1), [], sidecarOf(4, 50_000));
    target.copyFileRecords(source);
    expect(target.sidecar(hashOf(4))).toEqual(sidecarOf(4, 50_000).bytes);
  });
});

const FILL = `
  const store = openStore({ path: words[0], durable: true });
  let error;
  for (let number = 0; error === undefined && number < 256; number += 1) {
    const sidecar = { hash: new Uint8Array(32).fill(number), bytes: new Uint8Array(300000) };
    try { store.addPending(new Uint8Array(50), [], sidecar); } catch (thrown) { error = thrown.code; }
  }
  const pending = [...store.pendingTransactions()].length;
  say({ error, pending, sidecars: [...store.sidecars()].length });
  process.exit();`;

const canLimit = spawnSync('prlimit', ['--version']).status === 0;

test.runIf(canLimit)('error: a full disk refuses a transaction together with its sidecar', async () => {
  const limited = ['prlimit', `--fsize=${4 * 1024 * 1024}:unlimited`];
  const filled = await new StoreProcess(FILL, [folders.folder()], limited).heard<Record<string, unknown>>();
  expect(filled).toMatchObject({ error: 'STORE_COMMIT_FAILED' });
  expect(Number(filled.pending)).toBeGreaterThan(0);
  expect(filled.pending).toBe(filled.sidecars);
});
