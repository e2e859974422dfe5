import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { auditPages } from '../file/page-audit.testing.ts';
import type { StoreReader } from '../index.ts';
import { bytes, commitOf, rejectionOf, storeErrorOf, TestFolders } from '../store.testing.ts';
import type { BackupProgress } from '../store.ts';
import { loadBlock } from '../store-process.testing.ts';

const folders = new TestFolders();
afterEach(() => folders.clean());

/** A folder that does not exist yet, and the one above it, which does. */
function target(): { above: string; folder: string } {
  const above = folders.folder();
  return { above, folder: join(above, 'copy') };
}

function same(left: StoreReader, right: StoreReader): boolean {
  return Buffer.compare(Buffer.from(textOf(left)), Buffer.from(textOf(right))) === 0;
}

function textOf(store: StoreReader): string {
  return [...store.tables()].map(({ table, key, value }) => `${table} ${key} ${value}`).join();
}

describe('backup', () => {
  test('default: an independent store with the same content', async () => {
    const store = folders.open({ history: false });
    for (let number = 0; number < 20; number += 1) store.commitBlock(loadBlock(number));
    store.addPending(bytes(7));
    const { above, folder } = target();
    await store.backup(`${folder}/`);
    expect([readdirSync(above), readdirSync(folder)]).toEqual([['copy'], ['ledger.mdb']]);
    expect(auditPages(join(folder, 'ledger.mdb')).conflicts).toEqual([]);
    const copy = folders.open({ path: folder });
    expect([copy.history, same(copy, store)]).toEqual([false, true]);
    copy.commitBlock(loadBlock(20));
    expect([copy.head(), store.head()]).toEqual([20, 19]);
  });

  test('behavior: the store accepts blocks meanwhile', async () => {
    const store = folders.open();
    store.commitBlock(loadBlock(0));
    const { folder } = target();
    const backup = store.backup(folder);
    for (let number = 1; number < 30; number += 1) {
      store.commitBlock(loadBlock(number));
      await new Promise(setImmediate);
    }
    await backup;
    expect(folders.read(folder).head()).toBeLessThan(30);
    expect(store.head()).toBe(29);
  });

  test('behavior: closing waits for a backup in progress', async () => {
    const store = folders.open();
    for (let number = 0; number < 20; number += 1) store.commitBlock(loadBlock(number));
    const { folder } = target();
    const backup = store.backup(folder);
    await store.close();
    await backup;
    expect(folders.read(folder).head()).toBe(19);
  });

  test('args: onProgress: it ends with the whole', async () => {
    const store = folders.open();
    store.commitBlock(loadBlock(0));
    const reports: BackupProgress[] = [];
    const copy = target().folder;
    await store.backup(copy, (progress) => reports.push(progress));
    const { size } = statSync(join(copy, 'ledger.mdb'));
    expect(reports.at(-1)).toEqual({ bytes: size, totalBytes: size });
  });

  test('behavior: a reader can make one, and so can a copy of an empty store be read', async () => {
    const store = folders.open();
    const { folder } = target();
    await folders.read(store.path).backup(folder);
    expect(folders.read(folder).head()).toBeUndefined();
  });
});

describe('a refused backup', () => {
  test.each(['folder', 'file'])('error: STORE_TARGET_EXISTS for a %s at the target path', async (kind) => {
    const store = folders.open();
    const { above, folder } = target();
    if (kind === 'folder') mkdirSync(folder);
    else writeFileSync(folder, 'mine');
    const error = await rejectionOf(store.backup(folder));
    expect([error.code, error.message]).toEqual(['STORE_TARGET_EXISTS', `${folder} exists already`]);
    expect(readdirSync(above)).toEqual(['copy']);
  });

  test('error: STORE_BACKUP_FAILED if the folder cannot be created', async () => {
    const store = folders.open();
    const { above, folder } = target();
    const error = await rejectionOf(store.backup(join(folder, 'below')));
    expect(error.code).toBe('STORE_BACKUP_FAILED');
    expect(error.message).toContain(`the copy to ${join(folder, 'below')} failed: ENOENT`);
    expect(readdirSync(above)).toEqual([]);
  });

  test('error: STORE_CLOSED after the store was closed', async () => {
    const store = folders.open();
    store.commitBlock(commitOf({ number: 0 }));
    await store.close();
    const { above, folder } = target();
    expect((await rejectionOf(store.backup(folder))).code).toBe('STORE_CLOSED');
    expect(readdirSync(above)).toEqual([]);
    expect(storeErrorOf(() => store.head()).code).toBe('STORE_CLOSED');
  });
});
