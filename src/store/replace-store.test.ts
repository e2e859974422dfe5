import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openStoreForReading, replaceStore, StoreError } from './index.ts';
import { bytes, commitOf, TestFolders } from './store.testing.ts';

const folders = new TestFolders();
afterEach(() => folders.clean());

/** A closed store with blocks up to a number, in a folder of a name. */
async function storeUpTo(path: string, head: number): Promise<string> {
  const store = folders.open({ path });
  for (let number = 0; number <= head; number += 1) {
    store.commitBlock(commitOf({ number, block: bytes(head, number) }));
  }
  await store.close();
  return path;
}

async function headOf(path: string): Promise<number | undefined> {
  const store = openStoreForReading(path);
  const head = store.head();
  await store.close();
  return head;
}

async function refusalOf(replacing: Promise<void>): Promise<StoreError> {
  const error = await replacing.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(StoreError);
  return error as StoreError;
}

test('default: the folder has the new store, and the previous one is moved', async () => {
  const above = folders.folder();
  const folder = await storeUpTo(join(above, 'ledger'), 5);
  const by = await storeUpTo(join(above, 'new'), 2);
  const keptIn = join(above, 'former');
  await replaceStore(folder, { by, keptIn });
  expect([await headOf(folder), await headOf(keptIn)]).toEqual([2, 5]);
  expect(readdirSync(above).sort()).toEqual(['former', 'ledger']);
  // They are two files now.
  const store = folders.open({ path: folder });
  store.commitBlock(commitOf({ number: 3 }));
  await store.close();
  expect([await headOf(folder), await headOf(keptIn)]).toEqual([3, 5]);
});

test('args: keptIn undefined: the previous store is deleted', async () => {
  const above = folders.folder();
  const folder = await storeUpTo(join(above, 'ledger'), 5);
  await replaceStore(folder, { by: await storeUpTo(join(above, 'new'), 2), keptIn: undefined });
  expect(await headOf(folder)).toBe(2);
  expect(readdirSync(above)).toEqual(['ledger']);
});

test('error: a store that is open in this process', async () => {
  const above = folders.folder();
  const folder = await storeUpTo(join(above, 'ledger'), 5);
  const by = await storeUpTo(join(above, 'new'), 2);
  const reader = openStoreForReading(by);
  expect((await refusalOf(replaceStore(folder, { by, keptIn: undefined }))).code).toBe('STORE_IN_USE');
  await reader.close();
  expect(await headOf(folder)).toBe(5);
});

test('error: something has the name for the former store', async () => {
  const above = folders.folder();
  const folder = await storeUpTo(join(above, 'ledger'), 5);
  const by = await storeUpTo(join(above, 'new'), 2);
  const keptIn = join(above, 'former');
  mkdirSync(keptIn);
  writeFileSync(join(keptIn, 'mine'), '');
  const { code, message } = await refusalOf(replaceStore(folder, { by, keptIn }));
  expect(code).toBe('STORE_REPLACE_FAILED');
  expect(message).toContain(`the store in ${folder} can't be replaced: EEXIST`);
  expect([await headOf(folder), await headOf(by)]).toEqual([5, 2]);
  expect(existsSync(join(keptIn, 'ledger.mdb'))).toBe(false);
});
