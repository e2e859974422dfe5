import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { commitOf, TestFolders } from '../store.testing.ts';
import { StoreProcess } from '../store-process.testing.ts';

const folders = new TestFolders();
afterEach(() => folders.clean());

const MEBIBYTE = 1024 * 1024;
const canLimit = spawnSync('prlimit', ['--version']).status === 0;

/** Commits blocks of so many transactions until one is refused; tells why, and what the disk was asked for. */
const FILL = `
  const [path, count] = [words[0], Number(words[1])];
  const store = openStore({ path, durable: false });
  let seed = 1;
  const random = (length) => Uint8Array.from({ length }, () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return seed >>> 16;
  });
  const blockOf = (number) => ({
    ...loadBlock(number),
    transactions: Array.from({ length: count }, (_, index) => ({ firstOperation: index, bytes: random(200) })),
    receipts: Array.from({ length: count }, () => random(100)),
    operationHashes: Array.from({ length: count }, () => random(20)),
    payers: Array.from({ length: count }, () => random(20)),
    state: Array.from({ length: count }, () => ({ key: Uint8Array.of(1, ...random(20)), after: random(40) })),
  });
  let refused;
  for (let number = 0; refused === undefined; number += 1) {
    try { store.commitBlock(blockOf(number)); } catch (error) { refused = error; }
  }
  const { code, cause } = refused;
  say({ code, cause: cause.code, head: store.head() });
  await store.close();
  process.exit();`;

describe('reserved disk space for a commit', () => {
  test.runIf(canLimit).each([
    ['small', 1],
    ['of some hundred entries', 100],
    ['of thousands', 2_000],
  ])('error: the disk is full before a commit begins, never within it: commits %s', async (_name, count) => {
    const limit = ['prlimit', `--fsize=${24 * MEBIBYTE}:unlimited`];
    const store = new StoreProcess(FILL, [folders.folder(), String(count)], limit);
    // The code is of Node.js, which asked for the room; LMDB gives numbers.
    expect(await store.heard()).toEqual({
      code: 'STORE_COMMIT_FAILED',
      cause: 'EFBIG',
      head: expect.any(Number),
    });
    expect(await store.ended).toEqual({ status: 0, signal: null });
  });

  test('behavior: the file has no holes', async () => {
    const store = folders.open();
    for (let number = 0; number < 20; number += 1) store.commitBlock(commitOf({ number }));
    const { size, blocks } = statSync(join(store.path, 'ledger.mdb'));
    expect(blocks * 512).toBeGreaterThanOrEqual(size);
  });

  test('behavior: the space is allocated in advance, once', async () => {
    const store = folders.open();
    store.commitBlock(commitOf({ number: 0 }));
    const { size } = statSync(join(store.path, 'ledger.mdb'));
    for (let number = 1; number < 20; number += 1) store.commitBlock(commitOf({ number }));
    expect(statSync(join(store.path, 'ledger.mdb')).size).toBe(size);
  });
});
