import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { TestFolders } from '../store.testing.ts';
import { loadBlock, StoreProcess } from '../store-process.testing.ts';
import { auditPages } from './page-audit.testing.ts';

const folders = new TestFolders();
afterEach(() => folders.clean());

/**
 * A limit on the length of files takes the place of a full disk: a write beyond it fails in the middle, and
 * Node.js ignores the signal that comes with it. The limit can be lifted from outside while the process runs.
 */
const MEBIBYTE = 1024 * 1024;
const limited = (bytes: number): string[] => ['prlimit', `--fsize=${bytes}:unlimited`];
const canLimit = spawnSync('prlimit', ['--version']).status === 0;

const FILL = `
  const store = openStore({ path: words[0], durable: words[1] === 'durable' });
  const attempt = (action) => {
    try { action(); } catch (error) { return error.code + ': ' + error.message; }
  };
  const next = () => (store.head() ?? -1) + 1;
  for (;;) {
    let refused;
    while (refused === undefined) refused = attempt(() => store.commitBlock(loadBlock(next())));
    const head = store.head();
    const block = Buffer.compare(store.block(head), loadBlock(head).block) === 0;
    // Small commits may still find room, or not; none may leave anything half done.
    const waiting = attempt(() => store.removePending([store.addPending(new Uint8Array(100))]));
    const again = attempt(() => store.commitBlock(loadBlock(next())));
    say({ refused, block, head, after: store.head(), again: again ?? '', waiting: waiting ?? '' });
    if ((await nextLine()) === 'end') break;
  }
  for (let count = 0; count < 20; count += 1) store.commitBlock(loadBlock(next()));
  const head = store.head();
  await store.close();
  say(head);
  process.exit();`;

interface Refusal {
  readonly refused: string;
  /** True if the newest block can still be read. */
  readonly block: boolean;
  readonly head: number;
  readonly after: number;
}

test.runIf(canLimit).each(['durable', 'not durable'])(
  'error: a full disk rejects commits without damage; later ones work when space is free: %s',
  async (durable) => {
    const path = folders.folder();
    const process = new StoreProcess(FILL, [path, durable], limited(2 * MEBIBYTE));
    for (const mebibytes of [2.1, 3, 4.2, 6, 6.1, 8]) {
      const { refused, block, head, after } = await process.heard<Refusal>();
      expect(refused).toMatch(
        /^STORE_COMMIT_FAILED: the database refused to write: .*\(the disk is full, or it fails\)$/,
      );
      expect([block, after === head || after === head + 1]).toEqual([true, true]);
      expect(auditPages(join(path, 'ledger.mdb')).conflicts).toEqual([]);
      setLimit(process, String(Math.floor(mebibytes * MEBIBYTE)));
      process.tell('go on');
    }
    await process.heard();
    setLimit(process, 'unlimited');
    process.tell('end');
    const head = await process.heard<number>();
    expect(await process.ended).toEqual({ status: 0, signal: null });

    const [store, model] = [folders.open({ path }), folders.open()];
    for (let number = 0; number <= head; number += 1) model.commitBlock(loadBlock(number));
    expect(store.head()).toBe(head);
    const expected = [...model.tables()];
    for (const [index, { table, key, value }] of [...store.tables()].entries()) {
      if (table === 'pending') continue;
      const entry = expected[index];
      const equal = entry && Buffer.compare(entry.key, key) === 0 && Buffer.compare(entry.value, value) === 0;
      expect([table, entry?.table, equal]).toEqual([table, table, true]);
    }
  },
);

function setLimit({ processId }: StoreProcess, bytes: string): void {
  expect(spawnSync('prlimit', [`--pid=${processId}`, `--fsize=${bytes}:unlimited`]).status).toBe(0);
}

test.runIf(canLimit)('error: a backup to a full disk leaves no files behind', async () => {
  const store = folders.open();
  for (let number = 0; number < 30; number += 1) store.commitBlock(loadBlock(number));
  const above = folders.folder();
  const backup = new StoreProcess(
    `const reader = openStoreForReading(words[0]);
     await reader.backup(words[1]).catch((error) => say(error.code + ': ' + error.message));
     await reader.close();
     process.exit();`,
    [store.path, join(above, 'copy')],
    limited(MEBIBYTE / 2),
  );
  expect(await backup.heard()).toMatch(/^STORE_BACKUP_FAILED: the copy to .*copy failed: /);
  expect(await backup.ended).toEqual({ status: 0, signal: null });
  expect(readdirSync(above)).toEqual([]);
});

test.runIf(canLimit)('error: a new store on a full disk', async () => {
  const path = join(folders.folder(), 'new');
  const opener = new StoreProcess(
    `for (const open of [() => openStore({ path: words[0], durable: true }), () => openStoreForReading(words[0])]) {
       try { open(); } catch (error) { say(error.code + ': ' + error.message); }
     }
     process.exit();`,
    [path],
    limited(1_000),
  );
  expect(await opener.heard()).toBe(`STORE_UNREADABLE: the store in ${path} can't be opened (EFBIG)`);
  expect(await opener.heard()).toBe(`STORE_MISSING: there is no store in ${path}`);
  expect(await opener.ended).toEqual({ status: 0, signal: null });
  // With room again, it becomes one.
  expect(folders.open({ path }).head()).toBeUndefined();
});
