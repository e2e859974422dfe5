import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { openStore, type Store, stateKey } from './index.ts';
import {
  addressOf,
  bytes,
  commitOf,
  hashOf,
  storeErrorOf,
  TestFolders,
  writeEntry,
} from './store.testing.ts';

const folders = new TestFolders();
afterEach(() => folders.clean());

const FILE = 'ledger.mdb';

/** A folder with a store of some blocks, closed. */
async function filledFolder(): Promise<string> {
  const store = folders.open();
  for (let number = 0; number < 50; number += 1) {
    store.commitBlock(commitOf({ number, block: new Uint8Array(20_000).fill(number) }));
  }
  await store.close();
  return store.path;
}

describe('openStore', () => {
  test('behavior: a temporary folder is removed at process exit if the store was not closed', async () => {
    const before = process.listeners('exit');
    const store = openStore({ durable: false });
    store.commitBlock(commitOf({ number: 0 }));
    for (const listener of process.listeners('exit'))
      if (!before.includes(listener)) listener.call(process, 0);
    expect(existsSync(store.path)).toBe(false);
    await store.close();
    expect(process.listeners('exit')).toEqual(before);
  });

  test('default', async () => {
    const store = openStore({ durable: false });
    expect(dirname(store.path)).toBe(tmpdir());
    store.commitBlock(commitOf({ number: 0 }));
    expect(existsSync(join(store.path, FILE))).toBe(true);
    await store.close();
    expect(existsSync(store.path)).toBe(false);
  });

  test.each([true, false])('args: durable: %s', async (durable) => {
    const store = folders.open({ durable });
    store.commitBlock(commitOf({ number: 0 }));
    await store.close();
    expect(readdirSync(store.path)).toContain(FILE);
    expect(folders.open({ path: store.path, durable: !durable }).head()).toBe(0);
  });

  test('args: path: a missing folder is created', () => {
    const path = join(folders.folder(), 'a', 'b');
    expect(folders.open({ path }).head()).toBeUndefined();
    expect(readdirSync(path)).toContain(FILE);
  });

  test('behavior: other files next to the database file', async () => {
    const path = await filledFolder();
    writeFileSync(join(path, 'notes.txt'), 'other');
    expect(folders.open({ path }).head()).toBe(49);
  });

  test('behavior: an empty file becomes a new store', () => {
    const path = folders.folder();
    writeFileSync(join(path, FILE), '');
    expect(folders.open({ path }).head()).toBeUndefined();
  });

  test('args: history: stored with the file', async () => {
    const path = folders.folder();
    const created = folders.open({ path, history: false });
    await created.close();
    const unasked = folders.open({ path });
    expect(unasked.history).toBe(false);
    await unasked.close();
    const error = storeErrorOf(() => folders.open({ path, history: true }));
    expect(error.code).toBe('STORE_HISTORY_DIFFERS');
    expect(error.message).toContain("does not keep history, which can't be changed after its creation");
    expect(folders.open({ path, history: false }).history).toBe(false);
  });

  test('args: historyOfNewFile: the value if history is absent', async () => {
    const path = folders.folder();
    const created = folders.open({ path, history: undefined, historyOfNewFile: false });
    expect(created.history).toBe(false);
    await created.close();
    const again = folders.open({ path, history: undefined, historyOfNewFile: true });
    expect(again.history).toBe(false);
    expect(folders.open({ history: true, historyOfNewFile: false }).history).toBe(true);
    expect(folders.open({ history: undefined }).history).toBe(true);
  });
});

describe('a refused opening', () => {
  test('error: STORE_FOREIGN for a folder of other files, which stays as it is', () => {
    const path = folders.folder();
    writeFileSync(join(path, 'notes.txt'), 'other');
    const error = storeErrorOf(() => folders.open({ path }));
    expect(error.code).toBe('STORE_FOREIGN');
    expect(error.message).toBe(`the folder ${path} holds other files and no ledger.mdb`);
    expect(readdirSync(path)).toEqual(['notes.txt']);
  });

  test.each(['settings', '1-meta'])(
    'error: STORE_FOREIGN for a database of another program: %s',
    async (table) => {
      const path = folders.folder();
      await writeEntry(path, table, 'colour', bytes(1));
      const before = readFileSync(join(path, FILE));
      expect(storeErrorOf(() => folders.open({ path })).code).toBe('STORE_FOREIGN');
      expect(readFileSync(join(path, FILE)).equals(before)).toBe(true);
    },
  );

  test.each([
    ['STORE_NEWER_FORMAT', 6, 'has format 6; this version of the program knows formats up to 5'],
    ['STORE_OLDER_FORMAT', 4, 'has format 4; this version of the program reads formats from 5 on'],
  ])('error: %s', async (code, version, message) => {
    const path = await filledFolder();
    await writeEntry(path, '1-meta', 'format', bytes(0, 0, 0, version));
    const before = readFileSync(join(path, FILE));
    const error = storeErrorOf(() => folders.open({ path }));
    expect(error.code).toBe(code);
    expect(error.message).toContain(message);
    expect(readFileSync(join(path, FILE)).equals(before)).toBe(true);
  });

  test.each([
    ['text', Buffer.from('not a database')],
    ['zeros', Buffer.alloc(100_000)],
    ['noise', Buffer.alloc(100_000, 'noise')],
  ])('error: STORE_UNREADABLE for a file of %s', (_, content) => {
    const path = folders.folder();
    writeFileSync(join(path, FILE), content);
    expect(storeErrorOf(() => folders.open({ path })).code).toBe('STORE_UNREADABLE');
    expect(readFileSync(join(path, FILE)).equals(content)).toBe(true);
    expect(readdirSync(path)).toEqual([FILE]);
  });

  test("error: STORE_UNREADABLE for a later version of LMDB's own format", async () => {
    const path = await filledFolder();
    const content = readFileSync(join(path, FILE));
    for (const page of [0, 4_096]) content.writeUInt32LE(3, page + 28);
    writeFileSync(join(path, FILE), content);
    const error = storeErrorOf(() => folders.open({ path }));
    expect(error.code).toBe('STORE_UNREADABLE');
    expect(error.message).toContain("has version 3 of LMDB's format, not 2");
  });

  test('error: STORE_IN_USE for a store that this process has open, until it is closed', async () => {
    const path = await filledFolder();
    const first = folders.open({ path });
    const link = join(folders.folder(), 'link');
    symlinkSync(path, link);
    for (const name of [path, link]) {
      const error = storeErrorOf(() => folders.open({ path: name }));
      expect(error.code).toBe('STORE_IN_USE');
      expect(error.message).toBe(`${join(path, FILE)} is open in this process already`);
    }
    first.commitBlock(commitOf({ number: 50 }));
    const closing = first.close();
    expect(storeErrorOf(() => folders.open({ path })).code).toBe('STORE_IN_USE');
    await closing;
    expect(folders.open({ path }).head()).toBe(50);
  });

  test('error: STORE_UNREADABLE if the path is a file instead of a folder', () => {
    const path = join(folders.folder(), 'file');
    writeFileSync(path, '');
    expect(storeErrorOf(() => folders.open({ path })).code).toBe('STORE_UNREADABLE');
  });

  test('error: STORE_READ_ONLY for a folder and for a file that can not be written to', async () => {
    const filled = await filledFolder();
    const empty = folders.folder();
    const missing = join(empty, 'missing');
    for (const name of readdirSync(filled)) chmodSync(join(filled, name), 0o444);
    for (const path of [filled, empty]) chmodSync(path, 0o555);
    asOrdinaryUser(() => {
      for (const path of [filled, empty, missing]) {
        expect(storeErrorOf(() => folders.open({ path })).code).toBe('STORE_READ_ONLY');
      }
      expect(storeErrorOf(() => folders.read(filled)).code).toBe('STORE_READ_ONLY');
    });
    for (const path of [filled, empty]) chmodSync(path, 0o755);
    for (const name of readdirSync(filled)) chmodSync(join(filled, name), 0o644);
    expect(folders.open({ path: filled }).head()).toBe(49);
    expect(readdirSync(empty)).toEqual([]);
  });

  test('behavior: a failed opening releases the file, so that a valid one can be opened', async () => {
    const path = await filledFolder();
    const file = join(path, FILE);
    const sound = readFileSync(file);
    await writeEntry(path, '1-meta', 'format', bytes(0, 0, 0, 9));
    expect(storeErrorOf(() => folders.open({ path })).code).toBe('STORE_NEWER_FORMAT');
    writeFileSync(file, sound);
    expect(folders.open({ path }).head()).toBe(49);
  });
});

/** Permissions hold for everyone but the superuser, who becomes an ordinary user while the action runs. */
function asOrdinaryUser(action: () => void): void {
  const { geteuid, seteuid } = process;
  if (geteuid === undefined || seteuid === undefined || geteuid() !== 0) {
    action();
    return;
  }
  seteuid(65_534);
  try {
    action();
  } finally {
    seteuid(0);
  }
}

describe('close', () => {
  test('behavior: a second call is allowed, and all other operations are rejected afterwards', async () => {
    const store = folders.open();
    store.commitBlock(commitOf({ number: 0 }));
    await Promise.all([store.close(), store.close()]);
    const uses: ((store: Store) => unknown)[] = [
      (closed) => closed.head(),
      (closed) => closed.state(stateKey.counters()),
      (closed) => [...closed.stateEntries()],
      (closed) => closed.block(0),
      (closed) => closed.transaction(0, 0),
      (closed) => [...closed.transactionsOf(0)],
      (closed) => closed.receipt(0, 0),
      (closed) => [...closed.receiptsOf(0)],
      (closed) => closed.operationHash(0, 0),
      (closed) => closed.operationPositions(hashOf(1)),
      (closed) => closed.operationCount(addressOf(1)),
      (closed) => closed.accumulator(),
      (closed) => closed.commitBlock(commitOf({ number: 1 })),
      (closed) => [...closed.tables()],
      (closed) => closed.genesis(),
      (closed) => [...closed.pendingTransactions()],
      (closed) => closed.addPending(bytes(1)),
      (closed) => closed.removePending([0]),
      (closed) => closed.snapshot(),
      (closed) => closed.statistics(),
    ];
    for (const use of uses) expect(storeErrorOf(() => use(store)).code).toBe('STORE_CLOSED');
  });

  test('behavior: an iteration in progress fails with an error and does not crash the process', async () => {
    const store = folders.open();
    const state = [1, 2, 3].map((byte) => ({
      key: stateKey.account(addressOf(byte)),
      before: undefined,
      after: bytes(byte),
    }));
    store.commitBlock(commitOf({ number: 0, state }));
    const iterations = [store.stateEntries(), store.tables()].map((entries) => entries[Symbol.iterator]());
    for (const iteration of iterations) iteration.next();
    await store.close();
    for (const iteration of iterations)
      expect(storeErrorOf(() => iteration.next()).code).toBe('STORE_CLOSED');
    expect(folders.open({ path: store.path }).head()).toBe(0);
  });

  test('behavior: a named folder is not removed', async () => {
    const path = join(folders.folder(), 'kept');
    mkdirSync(path);
    await folders.open({ path }).close();
    expect(existsSync(path)).toBe(true);
  });
});
