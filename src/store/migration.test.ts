import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { bytesToHex } from '../protocol/index.ts';
import type { Migration, StoreReader } from './index.ts';
import { commitOf, storeErrorOf, TestFolders } from './store.testing.ts';

const folders = new TestFolders();
afterEach(() => folders.clean());

/** Files that versions of before have written: a chain of 20 blocks, and two transactions that wait. */
const FORMATS = [3];
const PRESENT = 4;

function fileOf(format: number): Uint8Array {
  return gunzipSync(
    readFileSync(new URL(`../../test/store-formats/format-${format}.mdb.gz`, import.meta.url)),
  );
}

/** The folder of a store of an earlier format. */
function folderOf(format: number): string {
  const folder = join(folders.folder(), 'ledger');
  mkdirSync(folder);
  writeFileSync(join(folder, 'ledger.mdb'), fileOf(format));
  return folder;
}

/** What a store holds, but for its format. */
function contentOf(store: StoreReader): string[] {
  return [...store.tables()]
    .filter(({ table, key }) => table !== 'meta' || bytesToHex(key) !== Buffer.from('format').toString('hex'))
    .map(({ table, key, value }) => `${table} ${bytesToHex(key)} ${bytesToHex(value)}`);
}

describe.each(FORMATS)('a store of format %d', (format) => {
  test('default: it is migrated with all that it holds, and goes on', async () => {
    const path = folderOf(format);
    const read = folders.read(path);
    const before = contentOf(read);
    await read.close();
    const store = folders.open({ path, durable: true });
    expect(contentOf(store)).toEqual(before);
    expect([store.head(), store.epoch(), store.undoStart()]).toEqual([20, 0, undefined]);
    store.commitBlock(commitOf({ number: 21 }));
    expect(store.undoStart()).toBe(21);
    await store.close();
    expect(folders.open({ path }).head()).toBe(21);
  });

  test('behavior: the former file is kept beside it, byte for byte', async () => {
    const path = folderOf(format);
    const told: Migration[] = [];
    const store = folders.open({ path, onMigration: (migration) => told.push(migration) });
    const keptIn = `${path}.before-format-${PRESENT}`;
    expect(readdirSync(keptIn)).toEqual(['ledger.mdb']);
    expect(readFileSync(join(keptIn, 'ledger.mdb')).equals(fileOf(format))).toBe(true);
    const whole = { from: format, to: PRESENT, keptIn, bytes: fileOf(format).length };
    expect(told.at(-1)).toEqual({ ...whole, totalBytes: whole.bytes, isDone: true });
    await store.close();
    const again: Migration[] = [];
    folders.open({ path, onMigration: (migration) => again.push(migration) });
    expect(again).toEqual([]);
  });

  test('behavior: reading leaves it as it is', () => {
    const path = folderOf(format);
    const reader = folders.read(path);
    expect([reader.head(), reader.epoch(), reader.undoStart()]).toEqual([20, 0, undefined]);
    expect([...reader.pendingTransactions()]).toHaveLength(2);
    expect(readFileSync(join(path, 'ledger.mdb')).equals(fileOf(format))).toBe(true);
    expect(existsSync(`${path}.before-format-${PRESENT}`)).toBe(false);
  });

  test('behavior: what a migration that was cut off left behind is replaced', () => {
    const path = folderOf(format);
    const keptIn = `${path}.before-format-${PRESENT}`;
    mkdirSync(keptIn);
    writeFileSync(join(keptIn, 'ledger.mdb'), 'of an earlier attempt');
    writeFileSync(join(keptIn, 'ledger.mdb.partial'), 'half of a copy');
    expect(folders.open({ path }).head()).toBe(20);
    expect(readdirSync(keptIn)).toEqual(['ledger.mdb']);
    expect(readFileSync(join(keptIn, 'ledger.mdb')).equals(fileOf(format))).toBe(true);
  });

  test('error: without its copy it stays as it is', () => {
    const path = folderOf(format);
    writeFileSync(`${path}.before-format-${PRESENT}`, 'a file in the way');
    const error = storeErrorOf(() => folders.open({ path }));
    expect(error.code).toBe('STORE_MIGRATION_FAILED');
    expect(error.message).toContain(`has format ${format}, and a copy of it is needed before it gets format`);
    expect(readFileSync(join(path, 'ledger.mdb')).equals(fileOf(format))).toBe(true);
  });
});
