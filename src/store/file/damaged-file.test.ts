import { closeSync, copyFileSync, openSync, readFileSync, statSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { bytes, commitOf, storeErrorOf, TestFolders } from '../store.testing.ts';
import { loadBlock, StoreProcess } from '../store-process.testing.ts';
import { auditPages } from './page-audit.testing.ts';

const folders = new TestFolders();
afterEach(() => folders.clean());

const PAGE_BYTES = 4_096;

/** The database file of a closed store. */
async function filledFile(): Promise<string> {
  const store = folders.open();
  for (let number = 0; number < 12; number += 1) store.commitBlock(loadBlock(number));
  await store.close();
  const file = join(store.path, 'ledger.mdb');
  // Without the room behind its last page, of which nothing can be missed.
  truncateSync(file, auditPages(file).pages * PAGE_BYTES);
  return file;
}

/** A copy of a file as a store of its own. */
function copyOf(file: string): { path: string; file: string } {
  const path = folders.folder();
  copyFileSync(file, join(path, 'ledger.mdb'));
  return { path, file: join(path, 'ledger.mdb') };
}

function overwrite(file: string, offset: number, content: Uint8Array): void {
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, content, 0, content.length, offset);
  closeSync(descriptor);
}

/** Root of the tree of free pages, and of that of tables, as the newest commit left them. */
function rootsOf(file: string): { free: number; main: number } {
  const content = readFileSync(file);
  const [first = 0, second = 0] = [0, PAGE_BYTES].map((page) => Number(content.readBigUInt64LE(page + 152)));
  const meta = second > first ? PAGE_BYTES : 0;
  return {
    free: Number(content.readBigUInt64LE(meta + 88)),
    main: Number(content.readBigUInt64LE(meta + 136)),
  };
}

const OPEN_CUT = `
  const { copyFileSync, mkdtempSync, rmSync, truncateSync } = await import('node:fs');
  const [file, folder, ...lengths] = words;
  const outcomes = {};
  const note = (outcome, length) => (outcomes[outcome] ??= []).push(Number(length));
  for (const length of lengths) {
    for (const open of [openStoreForReading, (path) => openStore({ path, durable: false })]) {
      const path = mkdtempSync(folder + '/cut-');
      copyFileSync(file, path + '/ledger.mdb');
      truncateSync(path + '/ledger.mdb', Number(length));
      try {
        const store = open(path);
        note('whole: ' + [...store.tables()].length, length);
        await store.close();
      } catch (error) {
        note(error.code ?? error.message, length);
      }
      rmSync(path, { recursive: true });
    }
  }
  say(outcomes);
  process.exit();`;

describe('a file that was cut off', () => {
  test('error: STORE_UNREADABLE wherever it was, and never the end of the process', async () => {
    const file = await filledFile();
    const entries = [...folders.read(copyOf(file).path).tables()].length;
    const pages = statSync(file).size / PAGE_BYTES;
    const atPages = Array.from({ length: pages - 1 }, (_, page) => (page + 1) * PAGE_BYTES);
    const within = atPages.map((length, index) => length - 1 - ((index * 37) % (PAGE_BYTES - 2)));
    const lengths = [1, 24, 152, 167, ...atPages, ...within, PAGE_BYTES + 152];
    const opener = new StoreProcess(OPEN_CUT, [file, folders.folder(), ...lengths.map(String)]);
    const outcomes = await opener.heard<Record<string, number[]>>();
    // The last pages of a file may be free; whoever opens one without them must find all the rest.
    const needed = (auditPages(file).lastUsed + 1) * PAGE_BYTES;
    const twice = lengths.flatMap((length) => [length, length]);
    const { STORE_UNREADABLE, ...others } = outcomes;
    expect(STORE_UNREADABLE).toEqual(twice.filter((length) => length < needed));
    const whole = twice.filter((length) => length >= needed);
    expect(others).toEqual(whole.length === 0 ? {} : { [`whole: ${entries}`]: whole });
    expect(await opener.ended).toEqual({ status: 0, signal: null });
  });

  test('behavior: it stays as it is', async () => {
    const { path, file } = copyOf(await filledFile());
    truncateSync(file, 100_000);
    const before = readFileSync(file);
    const error = storeErrorOf(() => folders.open({ path }));
    expect(error.message).toMatch(
      /ledger\.mdb is damaged: (its page \d+ is|\d+ of its \d+ pages are) missing$/,
    );
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test('behavior: a file without the free pages at its end is readable', async () => {
    const store = folders.open();
    const state = Array.from({ length: 400 }, (_, index) => ({
      key: bytes(1, index >> 8, index),
      before: undefined,
      after: new Uint8Array(9_000).fill(index),
    }));
    store.commitBlock(commitOf({ number: 0, state }));
    const removed = state.map((change) => ({ ...change, after: undefined }));
    store.commitBlock(commitOf({ number: 1, state: removed }));
    // It takes some commits until none of the pages in use is at the end any more.
    for (let number = 2; number < 60; number += 1) store.commitBlock(commitOf({ number }));
    await store.close();
    const file = join(store.path, 'ledger.mdb');
    const { lastUsed, pages } = auditPages(file);
    expect(lastUsed).toBeLessThan(pages - 100);
    truncateSync(file, (lastUsed + 1) * PAGE_BYTES);
    const short = folders.open({ path: store.path });
    expect(short.head()).toBe(59);
    for (let number = 60; number < 80; number += 1) short.commitBlock(loadBlock(number));
    await short.close();
    expect(auditPages(file).conflicts).toEqual([]);
    truncateSync(file, auditPages(file).lastUsed * PAGE_BYTES);
    expect(storeErrorOf(() => folders.open({ path: store.path })).code).toBe('STORE_UNREADABLE');
  });
});

describe('a file with other bytes', () => {
  test.each(['free', 'main'] as const)(
    'error: STORE_UNREADABLE for zeros at the root of the %s tree',
    async (tree) => {
      const { path, file } = copyOf(await filledFile());
      const root = rootsOf(file)[tree];
      overwrite(file, root * PAGE_BYTES, new Uint8Array(PAGE_BYTES));
      const error = storeErrorOf(() => folders.open({ path }));
      expect(error.code).toBe('STORE_UNREADABLE');
      expect(error.message).toContain(`is damaged: its page ${root} is invalid`);
    },
  );

  test('error: STORE_UNREADABLE for a table that begins at another page', async () => {
    const { path, file } = copyOf(await filledFile());
    const { main } = rootsOf(file);
    const page = readFileSync(file).subarray(main * PAGE_BYTES, (main + 1) * PAGE_BYTES);
    const name = page.indexOf('3-blocks\0');
    overwrite(file, main * PAGE_BYTES + name + '3-blocks\0'.length + 40, bytes(1, 0, 0, 0, 0, 0, 0, 0));
    for (const open of [() => folders.open({ path }), () => folders.read(path)]) {
      expect(storeErrorOf(open).code).toBe('STORE_UNREADABLE');
    }
  });

  test('behavior: a damaged table of readers is recreated', async () => {
    const { path, file } = copyOf(await filledFile());
    for (const content of [bytes(1, 2, 3), new Uint8Array(100_000).fill(0xee)]) {
      const descriptor = openSync(`${file}-lock`, 'w');
      writeSync(descriptor, content);
      closeSync(descriptor);
      const store = folders.open({ path });
      expect(store.head()).toBe(11);
      await store.close();
    }
  });
});
