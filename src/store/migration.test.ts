import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { bytesToHex } from '../protocol/index.ts';
import type { Migration, OperationIndexing, StoreReader } from './index.ts';
import { addressOf, bytes, commitOf, storeErrorOf, TestFolders } from './store.testing.ts';

const folders = new TestFolders();
afterEach(() => folders.clean());

/** Files that versions of before have written: a chain of 20 blocks, and two transactions that wait. */
const FORMATS = [3, 4];
const PRESENT = 5;

/** Indexing in which every operation has the same sender and the same receiver. The ledger interprets real records. */
const INDEXING: OperationIndexing = {
  involvedIn: ({ receipts }) =>
    receipts.flatMap((_, operation) => [
      { operation, address: addressOf(1), isSender: true },
      { operation, address: addressOf(2), isSender: false },
    ]),
  countsOf: () => [],
};

function fileOf(format: number): Uint8Array {
  return gunzipSync(
    readFileSync(new URL(`../../test/store-formats/format-${format}.mdb.gz`, import.meta.url)),
  );
}

/** The first block with an undo record, which format 4 introduced. */
function undoStartOf(format: number): number | undefined {
  return format < 4 ? undefined : 1;
}

/** The folder of a store of an earlier format. */
function folderOf(format: number): string {
  const folder = join(folders.folder(), 'ledger');
  mkdirSync(folder);
  writeFileSync(join(folder, 'ledger.mdb'), fileOf(format));
  return folder;
}

/** The content of a store of any format, without the format itself. */
function contentOf(store: StoreReader): string[] {
  return [...store.tables()]
    .filter(({ table, key }) => table !== 'addressOperations' && !(table === 'blocks' && key.length > 4))
    .filter(({ table, key }) => table !== 'meta' || bytesToHex(key) !== Buffer.from('format').toString('hex'))
    .map(({ table, key, value }) => `${table} ${bytesToHex(key)} ${bytesToHex(value)}`);
}

describe.each(FORMATS)('a store of format %d', (format) => {
  test('default: it is migrated with all its content, and accepts further blocks', async () => {
    const path = folderOf(format);
    const read = folders.read(path);
    const before = contentOf(read);
    await read.close();
    const store = folders.open({ indexing: INDEXING, path, durable: true });
    expect(contentOf(store)).toEqual(before);
    expect([store.head(), store.reorgCount(), store.undoStart()]).toEqual([20, 0, undoStartOf(format)]);
    store.commitBlock(commitOf({ number: 21 }));
    expect(store.undoStart()).toBe(undoStartOf(format) ?? 21);
    await store.close();
    expect(folders.open({ indexing: INDEXING, path }).head()).toBe(21);
  });

  test('behavior: the previous file is moved to a folder next to it, byte for byte', async () => {
    const path = folderOf(format);
    const told: Migration[] = [];
    const store = folders.open({
      indexing: INDEXING,
      path,
      onMigration: (migration) => told.push(migration),
    });
    const keptIn = `${path}.before-format-${PRESENT}`;
    expect(readdirSync(keptIn)).toEqual(['ledger.mdb']);
    expect(readFileSync(join(keptIn, 'ledger.mdb')).equals(fileOf(format))).toBe(true);
    const whole = { from: format, to: PRESENT, keptIn, isDone: true };
    expect(told.at(-1)).toMatchObject(whole);
    expect(told.findLast(({ isDone }) => !isDone)).toMatchObject({ indexedBlock: 20 });
    await store.close();
    const again: Migration[] = [];
    folders.open({ indexing: INDEXING, path, onMigration: (migration) => again.push(migration) });
    expect(again).toEqual([]);
  });

  test('behavior: reading leaves it as it is', () => {
    const path = folderOf(format);
    const reader = folders.read(path);
    expect([reader.head(), reader.reorgCount(), reader.undoStart()]).toEqual([20, 0, undoStartOf(format)]);
    expect(reader.has('addressOperations')).toBe(false);
    const query = { address: addressOf(1), order: 'newestFirst', limit: 10 } as const;
    expect(reader.addressOperations(query)).toEqual([]);
    expect([...reader.pendingTransactions()]).toHaveLength(2);
    expect(readFileSync(join(path, 'ledger.mdb')).equals(fileOf(format))).toBe(true);
    expect(existsSync(`${path}.before-format-${PRESENT}`)).toBe(false);
  });

  test('behavior: the files of an interrupted migration are replaced', () => {
    const path = folderOf(format);
    const keptIn = `${path}.before-format-${PRESENT}`;
    mkdirSync(keptIn);
    writeFileSync(join(keptIn, 'ledger.mdb'), 'of an earlier attempt');
    mkdirSync(`${path}.to-format-${PRESENT}`);
    writeFileSync(join(`${path}.to-format-${PRESENT}`, 'ledger.mdb'), 'half of a copy');
    expect(folders.open({ indexing: INDEXING, path }).head()).toBe(20);
    expect(readdirSync(keptIn)).toEqual(['ledger.mdb']);
    expect(readFileSync(join(keptIn, 'ledger.mdb')).equals(fileOf(format))).toBe(true);
    expect(existsSync(`${path}.to-format-${PRESENT}`)).toBe(false);
  });

  test('error: the copy cannot be written: the file is unchanged', () => {
    const path = folderOf(format);
    writeFileSync(`${path}.before-format-${PRESENT}`, 'a file in the way');
    const error = storeErrorOf(() => folders.open({ indexing: INDEXING, path }));
    expect(error.code).toBe('STORE_MIGRATION_FAILED');
    expect(error.message).toContain(`has format ${format}, and a copy of it is needed that gets format`);
    expect(readFileSync(join(path, 'ledger.mdb')).equals(fileOf(format))).toBe(true);
  });
});

describe.each(FORMATS)('the operations of a store of format %d', (format) => {
  test('default: they are indexed by address, and go with their blocks', () => {
    const store = folders.open({ indexing: INDEXING, path: folderOf(format) });
    const operations = [...store.tables()].filter(({ table }) => table === 'receipts').length;
    const query = { address: addressOf(1), order: 'oldestFirst', limit: 100 } as const;
    const found = store.addressOperations(query);
    expect([found.length, found[0]]).toEqual([operations, { block: 1, index: 0, isSender: true }]);
    expect(store.operationOfSender(addressOf(1), operations - 1)).toMatchObject({ block: 20 });
    expect(store.operationOfSender(addressOf(1), operations)).toBeUndefined();
    if (undoStartOf(format) === undefined) return;
    store.revertBlocks({ to: 10, logsOf: () => [], onChange: () => undefined, accumulator: () => bytes(1) });
    const left = store.addressOperations(query);
    expect(left).toEqual(found.filter(({ block }) => block <= 10));
  });

  test('error: the option indexing is absent', () => {
    const path = folderOf(format);
    expect(storeErrorOf(() => folders.open({ path })).code).toBe('STORE_MIGRATION_FAILED');
    expect(readFileSync(join(path, 'ledger.mdb')).equals(fileOf(format))).toBe(true);
    expect(existsSync(`${path}.to-format-${PRESENT}`)).toBe(false);
  });
});
