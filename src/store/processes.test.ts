import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { auditPages } from './file/page-audit.testing.ts';
import { openStore, type Store, type StoreReader, type TableEntry } from './index.ts';
import { storeErrorOf, TestFolders } from './store.testing.ts';
import { loadBlock, StoreProcess } from './store-process.testing.ts';

const folders = new TestFolders();
const processes: StoreProcess[] = [];
afterEach(async () => {
  for (const started of processes.splice(0)) await started.kill();
  await folders.clean();
});

function start(program: string, ...words: string[]): StoreProcess {
  const started = new StoreProcess(program, words);
  processes.push(started);
  return started;
}

/** The entries of a store, without pending transactions. */
function* chainOf(store: StoreReader): Generator<TableEntry> {
  for (const entry of store.tables()) if (entry.table !== 'pending') yield entry;
}

/** A store of the blocks up to a number, to compare others with. */
function expectChain(store: StoreReader, model: Store, head: number): void {
  for (let next = (model.head() ?? -1) + 1; next <= head; next += 1) model.commitBlock(loadBlock(next));
  const [actual, expected] = [chainOf(store), chainOf(model)];
  for (const { table, key, value } of expected) {
    const entry = actual.next().value;
    // Compared as Buffers: the deep comparison of large arrays is slow.
    const equal =
      entry?.table === table &&
      Buffer.compare(entry.key, key) === 0 &&
      Buffer.compare(entry.value, value) === 0;
    expect([table, equal]).toEqual([table, true]);
  }
  expect(actual.next().done).toBe(true);
}

function expectSoundPages(path: string): void {
  expect(auditPages(join(path, 'ledger.mdb')).conflicts).toEqual([]);
}

const COMMIT_UNTIL_TOLD = `
  const store = openStore({ path: words[0], durable: words[1] === 'durable' });
  let stopped = false;
  nextLine().then(() => { stopped = true; });
  let waiting = [...store.pendingTransactions()].map(({ sequence }) => sequence);
  for (let number = (store.head() ?? -1) + 1; !stopped; number += 1) {
    store.commitBlock({ ...loadBlock(number), removedPending: waiting });
    waiting = [store.addPending(new Uint8Array(number % 3000)), store.addPending(new Uint8Array(1))];
    say(number);
    await yieldToEventLoop();
  }
  await store.close();
  process.exit();`;

describe('a reader in another process', () => {
  test('default: sees each commit immediately', async () => {
    const store = folders.open();
    store.commitBlock(loadBlock(0));
    const reader = start(
      `const reader = openStoreForReading(words[0]);
       const held = reader.snapshot();
       for (;;) { say([reader.head(), held.head()]); await nextLine(); }`,
      store.path,
    );
    expect(await reader.heard()).toEqual([0, 0]);
    for (let number = 1; number < 100; number += 1) {
      store.commitBlock(loadBlock(number));
      reader.tell('look');
      expect(await reader.heard()).toEqual([number, 0]);
    }
  });

  test('behavior: a temporary store that writes later has the files for it from its publication on', async () => {
    const store = openStore({ durable: false, writesLater: 'always' });
    try {
      const gate = join(store.path, 'gate.mdb');
      for (let number = 0; number < 3; number += 1) store.commitBlock(loadBlock(number));
      expect(existsSync(gate)).toBe(false);
      store.publish();
      expect(existsSync(gate)).toBe(true);
      const reader = start(
        `for (;;) {
           const reader = openStoreForReading(words[0]);
           say(reader.head());
           await nextLine();
           await reader.close();
         }`,
        store.path,
      );
      for (let number = 3; number < 50; number += 1) {
        expect(await reader.heard()).toBe(number - 1);
        store.commitBlock(loadBlock(number));
        store.publish();
        reader.tell('look');
      }
      await reader.kill();
    } finally {
      await store.close();
    }
    expect(existsSync(store.path)).toBe(false);
  });

  test('behavior: it is counted as long as it lives', async () => {
    const store = folders.open();
    store.commitBlock(loadBlock(0));
    const reader = start(
      'const held = openStoreForReading(words[0]).snapshot(); say(held.head()); await nextLine();',
      store.path,
    );
    await reader.heard();
    for (let number = 1; number <= 5; number += 1) store.commitBlock(loadBlock(number));
    expect(store.statistics()).toMatchObject({ readers: 1, oldestReaderTransactions: 5 });
    await reader.kill();
    expect(store.statistics()).toMatchObject({ readers: 0, oldestReaderTransactions: 0 });
  });

  test('behavior: no commit is lost while others open the file again and again', async () => {
    const store = folders.open();
    store.commitBlock(loadBlock(0));
    const openers = [1, 2].map(() =>
      start(
        `let last = 0;
         for (let count = 0; count < 500; count += 1) {
           const reader = openStoreForReading(words[0]);
           const head = reader.head();
           if (head < last) throw new Error('back from ' + last + ' to ' + head);
           last = head;
           await reader.close();
         }
         say('done');`,
        store.path,
      ),
    );
    let running = true;
    const done = Promise.all(openers.map((opener) => opener.heard())).finally(() => {
      running = false;
    });
    let number = 1;
    while (running) {
      for (let count = 0; count < 50; count += 1) {
        store.commitBlock({ ...loadBlock(number), state: [] });
        expect(store.head()).toBe(number);
        number += 1;
      }
      await new Promise(setImmediate);
    }
    expect(await done).toEqual(['done', 'done']);
    await store.close();
    expectSoundPages(store.path);
  });

  test('behavior: one that is killed while it opens the file does not stop the others', async () => {
    const store = folders.open();
    store.commitBlock(loadBlock(0));
    const reader = start(
      "new Gate(words[0]).runExclusive(() => process.kill(process.pid, 'SIGKILL'));",
      store.path,
    );
    expect(await reader.ended).toEqual({ status: null, signal: 'SIGKILL' });
    store.commitBlock(loadBlock(1));
    expect(folders.read(store.path).head()).toBe(1);
  });
});

describe('a writer in another process', () => {
  test('error: the block of the other one is not overwritten', async () => {
    const store = folders.open();
    store.commitBlock(loadBlock(0));
    const writer = start(
      `const store = openStore({ path: words[0], durable: false });
       store.commitBlock(loadBlock(1));
       say(store.head());
       await nextLine();`,
      store.path,
    );
    expect(await writer.heard()).toBe(1);
    expect(storeErrorOf(() => store.commitBlock(loadBlock(1))).code).toBe('STORE_WRONG_NUMBER');
    await new Promise(setImmediate);
    expect(store.head()).toBe(1);
  });

  test('behavior: its commits are stored after it was killed', async () => {
    const path = folders.folder();
    const model = folders.open();
    for (let kills = 0; kills < 12; kills += 1) {
      const writer = start(COMMIT_UNTIL_TOLD, path, kills % 2 === 0 ? 'durable' : '');
      let shown = 0;
      for (let count = 0; count < 1 + 3 * kills; count += 1) shown = await writer.heard<number>();
      await writer.kill();
      expectSoundPages(path);
      const store = folders.open({ path });
      const head = store.head() ?? -1;
      expect(head).toBeGreaterThanOrEqual(shown);
      const waiting = [...store.pendingTransactions()].map(({ sequence }) => sequence);
      expect(waiting.length).toBeLessThanOrEqual(2);
      expectChain(store, model, head);
      await store.close();
    }
  });
});

describe('a backup while another process commits', () => {
  test('default: each copy is the chain up to some block', async () => {
    const path = folders.folder();
    const [copies, model] = [folders.folder(), folders.open()];
    const writer = start(COMMIT_UNTIL_TOLD, path, 'durable');
    for (let count = 0; count < 50; count += 1) await writer.heard();
    const reader = folders.read(path);
    for (let count = 0; count < 8; count += 1) {
      const folder = join(copies, `copy-${count}`);
      const before = reader.head() ?? 0;
      await reader.backup(folder);
      const after = reader.head() ?? 0;
      expectSoundPages(folder);
      const copy = count % 2 === 0 ? folders.open({ path: folder }) : folders.read(folder);
      const head = copy.head() ?? -1;
      expect([before <= head, head <= after]).toEqual([true, true]);
      expectChain(copy, model, head);
      await copy.close();
    }
    expect(reader.head()).toBeGreaterThan(model.head() ?? 0);
    writer.tell('stop');
    expect(await writer.ended).toEqual({ status: 0, signal: null });
    await reader.close();
    // Copies are stores like others: the newest one goes on where it was taken.
    const last = folders.open({ path: join(copies, 'copy-7') });
    const head = last.head() ?? -1;
    for (let number = head + 1; number <= head + 30; number += 1) last.commitBlock(loadBlock(number));
    expectChain(last, model, head + 30);
    await last.close();
    expectSoundPages(last.path);
  });
});
