import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { contentOf, makeChain, TestFolders, testJob } from '../chain.testing.ts';
import { changeTable, flipByte } from '../damage.testing.ts';
import { lockFolder } from '../folder-lock.ts';
import { DataFolderError } from '../node-errors.ts';
import { backUpFolder } from './backup.ts';
import { describeChain } from './describe-chain.ts';
import { verifyChain } from './verify.ts';

const kept = new TestFolders();
const folders = new TestFolders();
/** A node's folder with a chain of 20 blocks, settings and keys. */
let node: string;

beforeAll(async () => {
  node = kept.folder();
  await makeChain(node, { blocks: 20, kind: 'node', pending: 2 });
  writeFileSync(join(node, 'ledgerd.json'), '{ "port": 0 }');
  mkdirSync(join(node, 'keys'), 0o700);
  writeFileSync(join(node, 'keys', 'producer.json'), 'a secret', { mode: 0o600 });
  writeFileSync(join(node, 'notes.txt'), "the operator's own");
});
afterAll(() => kept.clean());
afterEach(() => folders.clean());

const backUp = (to: string, dataDir = node, withKeys = false): ReturnType<typeof backUpFolder> =>
  backUpFolder({ dataDir, to, withKeys }, testJob());

describe('a backup', () => {
  test('default: the chain, its pending transactions and the files that a node needs, without keys', async () => {
    const to = folders.unused('backup');
    const release = await lockFolder(node);
    const report = await backUp(to).finally(release);
    expect(report).toMatchObject({ path: to, head: 20, leftOut: ['keys'], supply: 2_000_001_000_000_000n });
    expect(report.bytes).toBe(statSync(join(to, 'ledger', 'ledger.mdb')).size);
    expect(readdirSync(to).sort()).toEqual(['genesis.json', 'ledger', 'ledgerd.json']);
    expect(readdirSync(dirname(to))).toEqual(['backup']);
    expect(statSync(to).mode & 0o777).toBe(0o700);
    expect(await contentOf(to)).toEqual(await contentOf(node));
    expect(await verifyChain(to, testJob())).toMatchObject({ head: 20 });
  });

  test('args: with keys, as secret as they were, into an empty folder', async () => {
    const to = folders.folder();
    expect(await backUp(to, node, true)).toMatchObject({ leftOut: [] });
    expect(readFileSync(join(to, 'keys', 'producer.json'), 'utf8')).toBe('a secret');
    expect(statSync(join(to, 'keys')).mode & 0o777).toBe(0o700);
    expect(statSync(join(to, 'keys', 'producer.json')).mode & 0o777).toBe(0o600);
  });

  test('behavior: the wallet and settings of a test chain, which may contain the seed, are excluded', async () => {
    const dataDir = folders.folder();
    await makeChain(dataDir, { blocks: 2 });
    writeFileSync(join(dataDir, 'wallet.json'), 'secrets', { mode: 0o600 });
    writeFileSync(join(dataDir, 'ethereum-keys.json'), 'more secrets', { mode: 0o600 });
    writeFileSync(join(dataDir, 'ledgerd.json'), '{ "seed": "secret" }');
    writeFileSync(join(dataDir, 'impersonation.json'), 'addresses');
    const to = folders.unused('backup');
    expect(await backUp(to, dataDir)).toMatchObject({
      leftOut: ['ledgerd.json', 'wallet.json', 'ethereum-keys.json'],
    });
    expect(readdirSync(to).sort()).toEqual(['impersonation.json', 'ledger']);
    const whole = folders.unused('backup');
    await backUp(whole, dataDir, true);
    const all = ['ethereum-keys.json', 'impersonation.json', 'ledger', 'ledgerd.json', 'wallet.json'];
    expect(readdirSync(whole).sort()).toEqual(all);
  });
});

test('behavior: settings for the next blocks of a test chain are included', async () => {
  const dataDir = folders.folder();
  await makeChain(dataDir, { blocks: 2 });
  writeFileSync(join(dataDir, 'control.json'), '{ "version": 2, "reorgCount": 0, "ahead": 5 }');
  const to = folders.unused('backup');
  await backUp(to, dataDir);
  expect(readdirSync(to).sort()).toEqual(['control.json', 'ledger']);
});

describe('no backup', () => {
  test('error: the target path exists already', async () => {
    await expect(backUp(node)).rejects.toThrow(`${node} exists already: name a new folder`);
    await expect(backUp(join(node, 'notes.txt'))).rejects.toThrow('exists already');
  });

  test('error: no folder to make it in', async () => {
    await expect(backUp(join(folders.folder(), 'no', 'backup'))).rejects.toThrow('cannot be created: ENOENT');
  });

  test('error: no chain', async () => {
    const to = folders.unused('backup');
    await expect(backUp(to, folders.folder())).rejects.toThrow(DataFolderError);
    expect(readdirSync(dirname(to))).toEqual([]);
  });

  test('error: a damaged state is detected, and no partial backup remains', async () => {
    const dataDir = folders.copyOf(node);
    await changeTable(dataDir, '2-state', (table) => flipByte(table, [1], 0));
    const to = folders.unused('backup');
    await expect(backUp(to, dataDir)).rejects.toThrow('the state root of block 20');
    expect(readdirSync(dirname(to))).toEqual([]);
  });
});

describe('the description of a folder', () => {
  test('default', async () => {
    const described = await describeChain(node);
    expect(described).toMatchObject({
      path: node,
      kind: 'node',
      inUse: false,
      supply: 2_000_001_000_000_000n,
      head: { number: 20, timestamp: 1_790_000_019 },
      recent: { blocks: 19, seconds: 19 },
      pending: 2,
      history: true,
      statistics: { readers: 0 },
    });
  });

  test('args: a long chain, and one with a single block', async () => {
    const [long, short] = [folders.folder(), folders.folder()];
    await makeChain(long, { blocks: 110 });
    await makeChain(short, { blocks: 1 });
    expect((await describeChain(long)).recent).toEqual({ blocks: 100, seconds: 100 });
    expect((await describeChain(short)).recent).toEqual({ blocks: 0, seconds: 0 });
  });

  test('behavior: in use', async () => {
    const release = await lockFolder(node);
    const described = await describeChain(node).finally(release);
    expect(described.inUse).toBe(true);
  });

  test('error: no chain', async () => {
    await expect(describeChain(folders.folder())).rejects.toThrow(DataFolderError);
  });
});
