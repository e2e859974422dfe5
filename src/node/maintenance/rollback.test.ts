import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { utf8ToBytes } from '../../protocol/index.ts';
import { META_KEYS, openStore, openStoreForReading } from '../../store/index.ts';
import { contentOf, headOf, makeChain, TestFolders, testJob } from '../chain.testing.ts';
import { changeTable, flipByte } from '../damage.testing.ts';
import { lockFolder } from '../folder-lock.ts';
import { DEFAULT_CONFIGURATION, startTestNode, type TestNode } from '../index.ts';
import { DataFolderError, MaintenanceError } from '../node-errors.ts';
import { rollBack } from './rollback.ts';
import { verifyChain } from './verify.ts';

// A machine so busy that a start would leave all that waited for later.
vi.mock('../../ledger/pool/pending-transactions.ts', async (original) => ({
  ...(await original<typeof import('../../ledger/pool/pending-transactions.ts')>()),
  PENDING_RESTORE_MS_MAX: 0,
}));

const kept = new TestFolders();
const folders = new TestFolders();
/** A chain of 20 blocks, with two transactions that wait and refer to block 15. */
let chain: string;

beforeAll(async () => {
  chain = kept.folder();
  await makeChain(chain, { blocks: 20, history: true, pending: 2 });
});
afterAll(() => kept.clean());
afterEach(() => folders.clean());

const back = (dataDir: string, to: number, discard = false, work = testJob()): ReturnType<typeof rollBack> =>
  rollBack({ dataDir, to, discard }, work);

/** As a chain whose node was told to keep nothing. */
const forgetUndo = (dataDir: string): Promise<void> =>
  changeTable(dataDir, '1-meta', (table) => void table.removeSync(utf8ToBytes(META_KEYS.undoStart)));

/** Adds a snapshot of the head to a store; gives its id. */
async function takeSnapshot(dataDir: string): Promise<number> {
  const store = openStore({ path: join(dataDir, 'ledger'), durable: false });
  try {
    return store.addChainSnapshot(utf8ToBytes('what a snapshot holds'));
  } finally {
    await store.close();
  }
}

describe('a rolled back chain', () => {
  test('default: the state equals that at the block, and the previous chain is kept', async () => {
    const dataDir = folders.copyOf(chain);
    const { keptIn, ...report } = await back(dataDir, 8);
    expect(report).toEqual({ before: 20, head: 8, pending: { kept: 0, dropped: 2 }, keysKeptIn: undefined });
    const short = folders.folder();
    await makeChain(short, { blocks: 8, history: true });
    expect(await contentOf(dataDir)).toEqual(await contentOf(short));
    expect(keptIn).toMatch(/\/ledger\.before-rollback-\d{8}T\d{9}Z$/);
    const former = folders.folder();
    renameSync(keptIn ?? '', join(former, 'ledger'));
    expect(await contentOf(former)).toEqual(await contentOf(chain));
    expect(readdirSync(dataDir)).toEqual(['ledger']);
  });

  test('behavior: transactions that are still valid wait on', async () => {
    const dataDir = folders.copyOf(chain);
    expect(await back(dataDir, 16)).toMatchObject({ pending: { kept: 2, dropped: 0 } });
    const waiting = (entries: string[]): string[] => entries.filter((entry) => entry.startsWith('pending'));
    expect(waiting(await contentOf(dataDir))).toHaveLength(2);
    await makeChain(dataDir, { blocks: 1 });
    expect(waiting(await contentOf(dataDir))).toEqual([]);
    expect(await verifyChain(dataDir, testJob())).toMatchObject({ head: 17 });
  });

  test('args: to the genesis, without keeping the former chain', async () => {
    const dataDir = folders.copyOf(chain);
    expect(await back(dataDir, 0, true)).toMatchObject({ head: 0, keptIn: undefined });
    expect(readdirSync(dataDir)).toEqual(['ledger']);
    await makeChain(dataDir, { blocks: 2 });
    expect(await verifyChain(dataDir, testJob())).toMatchObject({ head: 2 });
  });

  test('behavior: leftovers of an interrupted rollback are removed', async () => {
    const dataDir = folders.copyOf(chain);
    mkdirSync(join(dataDir, 'ledger.rollback'));
    writeFileSync(join(dataDir, 'ledger.rollback', 'ledger.mdb'), 'half of a database');
    await back(dataDir, 8, true);
    expect(readdirSync(dataDir)).toEqual(['ledger']);
    expect(await headOf(dataDir)).toBe(8);
  });

  test('behavior: blocks without an undo log are rolled back by a replay', async () => {
    const [dataDir, other] = [folders.copyOf(chain), folders.copyOf(chain)];
    await forgetUndo(dataDir);
    const work = testJob();
    await back(dataDir, 8, true, work);
    expect(work.seen.slice(0, 8)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    await back(other, 8, true);
    expect(await contentOf(dataDir)).toEqual(await contentOf(other));
  });

  test('behavior: a replay keeps the settings of the chain, and snapshots up to the block', async () => {
    const dataDir = folders.copyOf(chain);
    const openedWith = new Uint8Array(32).fill(7);
    await changeTable(
      dataDir,
      '1-meta',
      (table) => void table.putSync(utf8ToBytes(META_KEYS.openedWith), openedWith),
    );
    await back(dataDir, 16, true);
    expect(await takeSnapshot(dataDir)).toBe(1);
    await makeChain(dataDir, { blocks: 4 });
    expect(await takeSnapshot(dataDir)).toBe(2);
    const other = folders.copyOf(dataDir);
    await forgetUndo(dataDir);
    for (const folder of [dataDir, other]) await back(folder, 18, true);
    expect(await contentOf(dataDir)).toEqual(await contentOf(other));
    const store = openStoreForReading(join(dataDir, 'ledger'));
    expect([store.openedWith(), store.reorgCount()]).toEqual([openedWith, 2]);
    expect(Array.from(store.chainSnapshots(), ({ id, block }) => [id, block])).toEqual([[1, 16]]);
    await store.close();
    expect(await takeSnapshot(dataDir)).toBe(3);
  });

  test('behavior: a damaged undo log is detected, and a replay is used instead', async () => {
    const dataDir = folders.copyOf(chain);
    await changeTable(dataDir, '3-blocks', (table) => flipByte(table, [0, 0, 0, 14, 0, 0, 0, 0], 60));
    await back(dataDir, 8, true);
    const short = folders.folder();
    await makeChain(short, { blocks: 8, history: true });
    expect(await contentOf(dataDir)).toEqual(await contentOf(short));
  });

  test('behavior: a chain that is damaged after the target block is still rolled back', async () => {
    const dataDir = folders.copyOf(chain);
    await changeTable(dataDir, '3-blocks', (table) => flipByte(table, [0, 0, 0, 15], 60));
    await back(dataDir, 14);
    expect(await verifyChain(dataDir, testJob())).toMatchObject({ head: 14 });
  });
});

describe('a chain that stays as it is', () => {
  test.each<[string, (dataDir: string) => Promise<unknown>, string]>([
    [
      'a block that is the head',
      (dataDir) => back(dataDir, 20),
      'the head is block 20: there is nothing to revert',
    ],
    ['a block beyond the head', (dataDir) => back(dataDir, 21), 'nothing to revert to block 21'],
    ['a request to stop', (dataDir) => back(dataDir, 18, false, testJob(5)), 'aborted'],
  ])('error: %s', async (_, action, message) => {
    const dataDir = folders.copyOf(chain);
    await expect(action(dataDir)).rejects.toThrow(message);
    expect(readdirSync(dataDir)).toEqual(['ledger']);
    expect(await contentOf(dataDir)).toEqual(await contentOf(chain));
  });

  test('error: damage before the target block, without undo logs', async () => {
    const dataDir = folders.copyOf(chain);
    await forgetUndo(dataDir);
    await changeTable(dataDir, '3-blocks', (table) => flipByte(table, [0, 0, 0, 7], 60));
    await expect(back(dataDir, 10)).rejects.toThrow('the stored chain is damaged: block 7 cannot be applied');
    expect(readdirSync(dataDir)).toEqual(['ledger']);
    expect(await headOf(dataDir)).toBe(20);
  });

  test('error: in use', async () => {
    const release = await lockFolder(chain);
    try {
      await expect(back(chain, 5)).rejects.toThrow('is in use');
    } finally {
      await release();
    }
  });

  test('error: no chain', async () => {
    await expect(back(folders.folder(), 5)).rejects.toThrow(DataFolderError);
    await expect(back(chain, 20)).rejects.toThrow(MaintenanceError);
  });
});

describe('the wallet of test mode', () => {
  async function started<T>(dataDir: string, action: (node: TestNode) => T): Promise<T> {
    const node = await startTestNode({ ...DEFAULT_CONFIGURATION, port: 0, dataDir });
    try {
      return action(node);
    } finally {
      await node.close();
    }
  }

  test('behavior: the keys of removed accounts are kept in a separate file', async () => {
    const dataDir = folders.folder();
    const addresses = await started(dataDir, ({ wallet }) => ['a', 'b'].map((text) => wallet.create(text)));
    const before = readFileSync(join(dataDir, 'wallet.json'), 'utf8');
    const { keysKeptIn = '' } = await back(dataDir, 1);
    expect(basename(keysKeptIn)).toMatch(/^wallet\.before-rollback-\d{8}T\d{9}Z\.json$/);
    expect(statSync(keysKeptIn).mode & 0o777).toBe(0o600);
    expect(readFileSync(keysKeptIn, 'utf8')).toBe(before);
    expect(await started(dataDir, ({ wallet }) => wallet.list().slice(10))).toEqual(addresses.slice(0, 1));
  });

  test('behavior: a wallet whose accounts all still exist is unchanged', async () => {
    const dataDir = folders.folder();
    await started(dataDir, ({ wallet, ledger }) => {
      wallet.create('a');
      ledger.miner.mine();
    });
    expect(await back(dataDir, 1)).toMatchObject({ keysKeptIn: undefined });
    expect(existsSync(join(dataDir, 'wallet.json'))).toBe(true);
  });
});
