import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { KNOWS_ETHEREUM } from '../../../test/chain-kind.ts';
import { ChainDamagedError, formatGenesis } from '../../ledger/index.ts';
import { chainGenesis, makeChain, TestFolders, testJob } from '../chain.testing.ts';
import { changeTable, flipByte, type RawTable } from '../damage.testing.ts';
import { lockFolder } from '../folder-lock.ts';
import { DataFolderError } from '../node-errors.ts';
import { verifyChain, verifyNewestState } from './verify.ts';

const kept = new TestFolders();
const folders = new TestFolders();
/** A chain of 20 blocks with history and transactions that wait. */
let chain: string;

beforeAll(async () => {
  chain = kept.folder();
  await makeChain(chain, { blocks: 20, history: true, pending: 2 });
});
afterAll(() => kept.clean());
afterEach(() => {
  vi.unstubAllEnvs();
  folders.clean();
});

async function damageOf(verification: Promise<unknown>): Promise<string> {
  const error = await verification.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ChainDamagedError);
  return (error as ChainDamagedError).message;
}

describe('a sound chain', () => {
  test('default: all blocks and entries, with progress, and no trace left', async () => {
    const scratch = folders.folder();
    vi.stubEnv('TMPDIR', scratch);
    const work = testJob();
    const { head, entries } = await verifyChain(chain, work);
    expect(head).toBe(20);
    expect(entries).toBeGreaterThan(100);
    expect(work.seen).toEqual(expect.arrayContaining([1, 20, entries]));
    expect(readdirSync(scratch)).toEqual([]);
  });

  test('args: the newest state only', async () => {
    expect(await verifyNewestState(chain, testJob())).toMatchObject({
      head: 20,
      supply: 2_000_001_000_000_000n,
    });
  });

  test('behavior: without history, with a genesis file', async () => {
    const dataDir = folders.folder();
    await makeChain(dataDir, { blocks: 3, kind: 'node', history: false });
    expect(await verifyChain(dataDir, testJob())).toMatchObject({ head: 3 });
    expect(await verifyNewestState(dataDir, testJob())).toMatchObject({ head: 3 });
  });

  test('behavior: it stops when aborted', async () => {
    const work = testJob(5);
    await expect(verifyChain(chain, work)).rejects.toThrow('aborted');
  });
});

describe('damage', () => {
  const BLOCK_7 = [0, 0, 0, 7];
  const cases: [what: string, table: string, change: (table: RawTable) => void, found: RegExp][] = [
    [
      'a balance',
      '2-state',
      (table) => flipByte(table, [1], 0),
      /^the stored chain is damaged: the table state has/,
    ],
    [
      'a native account',
      '2-state',
      (table) => flipByte(table, [4], -1),
      /the table state has 0x\w+(… \(\d+ bytes\))? under 0x04/,
    ],
    [
      'a state entry too many',
      '2-state',
      (table) => table.putSync(Uint8Array.of(2, 9), Uint8Array.of(1)),
      /results? in nothing/,
    ],
    ['a header', '3-blocks', (table) => flipByte(table, BLOCK_7, 60), /block \d+ cannot be applied/],
    [
      'the signature of a block',
      '3-blocks',
      (table) => flipByte(table, BLOCK_7, -60),
      /block 7 cannot be applied/,
    ],
    [
      'a missing block',
      '3-blocks',
      (table) => table.removeSync(Uint8Array.from(BLOCK_7)),
      /block 7 is missing/,
    ],
    [
      'the size of a block',
      '3-blocks',
      (table) => flipByte(table, BLOCK_7, -14),
      /the table blocks has .* under 0x00000007/,
    ],
    ['a transaction', '4-transactions', (table) => flipByte(table, BLOCK_7, 30), /block 7 cannot be applied/],
    [
      'a receipt',
      '5-receipts',
      (table) => flipByte(table, BLOCK_7, -1),
      /the table receipts has .* under 0x00000007/,
    ],
    ['an operation hash', '5-receipts', (table) => flipByte(table, BLOCK_7, 0), /the table receipts has/],
    [
      'the index of hashes',
      '6-operationPositions',
      (table) => table.removeSync(firstKey(table)),
      /operationPositions/,
    ],
    ['a count of operations', '7-operationCounts', (table) => flipByte(table, [0], -1), /operationCounts/],
    ['the index of logs', '8-logs', (table) => table.removeSync(firstKey(table)), /the table logs has/],
    [
      'the accumulator',
      '1-meta',
      (table) => flipByte(table, [...Buffer.from('accumulator')], 9),
      /the table meta has/,
    ],
    [
      'the genesis',
      '1-meta',
      (table) => flipByte(table, [...Buffer.from('genesis')], -1),
      KNOWS_ETHEREUM ? /its genesis cannot be read/ : /block 0 is not that of its genesis/,
    ],
  ];

  test.each(cases)('error: %s', async (_, table, change, found) => {
    const dataDir = folders.copyOf(chain);
    await changeTable(dataDir, table, change);
    expect(await damageOf(verifyChain(dataDir, testJob()))).toMatch(found);
  });

  test.each<[string, string, (table: RawTable) => void, RegExp]>([
    [
      'a balance',
      '2-state',
      (table) => flipByte(table, [1], 0),
      /the state root of block 20 is [0-9a-f]{64}, and a scan/,
    ],
    [
      'the accumulator',
      '1-meta',
      (table) => flipByte(table, [...Buffer.from('accumulator')], 9),
      /the root of the accumulator/,
    ],
    ['the head', '3-blocks', (table) => flipByte(table, [0, 0, 0, 20], 60), /the id of block 20/],
  ])('error: %s, in the newest state', async (_, table, change, found) => {
    const dataDir = folders.copyOf(chain);
    await changeTable(dataDir, table, change);
    expect(await damageOf(verifyNewestState(dataDir, testJob()))).toMatch(found);
  });

  test('error: a genesis file of another chain', async () => {
    const dataDir = folders.copyOf(chain);
    writeFileSync(join(dataDir, 'genesis.json'), formatGenesis(chainGenesis('another producer')));
    for (const verify of [verifyChain, verifyNewestState]) {
      expect(await damageOf(verify(dataDir, testJob()))).toContain(
        'genesis.json is not the genesis of the chain',
      );
    }
  });
});

function firstKey(table: RawTable): Uint8Array {
  for (const key of table.getKeys({ limit: 1 })) return Uint8Array.from(key);
  throw new RangeError('the table is empty');
}

describe('the folder', () => {
  test('error: in use', async () => {
    const release = await lockFolder(chain);
    try {
      for (const verify of [verifyChain, verifyNewestState]) {
        await expect(verify(chain, testJob())).rejects.toThrow('is in use');
      }
    } finally {
      await release();
    }
  });

  test.each(['nothing/there', '.'])('error: no chain in %s', async (name) => {
    const dataDir = join(folders.folder(), name);
    await expect(verifyChain(dataDir, testJob())).rejects.toThrow(DataFolderError);
    expect(existsSync(join(dataDir, 'ledger'))).toBe(false);
  });
});
