import { spawnSync } from 'node:child_process';
import { afterEach, expect, test } from 'vitest';
import { TestFolders } from '../store.testing.ts';
import { StoreProcess } from '../store-process.testing.ts';

const folders = new TestFolders();
afterEach(() => folders.clean());

const canLimit = process.platform === 'linux' && spawnSync('prlimit', ['--version']).status === 0;

/** Lowers a limit of its own, opens, and tells what came of it. */
const OPEN = `
  const { spawnSync } = await import('node:child_process');
  const { readdirSync } = await import('node:fs');
  const [path, limit, most] = words;
  const value = limit === 'nofile' ? readdirSync('/proc/self/fd').length - 1 + Number(most) : most;
  spawnSync('prlimit', ['--pid=' + process.pid, '--' + limit + '=' + value]);
  const outcomes = [() => openStore({ path, durable: true }), () => openStoreForReading(path)].map((open) => {
    try { open(); return 'opened'; } catch (error) { return error.code + ': ' + error.message; }
  });
  say(outcomes);
  process.exit();`;

async function openWith(limit: string, most: number): Promise<string[]> {
  const store = folders.open();
  await store.close();
  const opener = new StoreProcess(OPEN, [store.path, limit, String(most)]);
  const outcomes = await opener.heard<string[]>();
  expect(await opener.ended).toEqual({ status: 0, signal: null });
  return outcomes;
}

test.runIf(canLimit).each([-2, 0, 1, 2, 4, 8])(
  'error: STORE_LIMITED where %d files more may be open',
  async (most) => {
    const reason = /^STORE_LIMITED: the limit of open files \(ulimit -n\) is too low: /;
    expect(await openWith('nofile', most)).toEqual([
      expect.stringMatching(reason),
      expect.stringMatching(reason),
    ]);
  },
);

test.runIf(canLimit)(
  'behavior: with as many as are needed, a store and a second user of its file open',
  async () => {
    expect(await openWith('nofile', 20)).toEqual(['opened', 'opened']);
  },
);

test.runIf(canLimit).each([64, 512])('error: STORE_LIMITED with %d GiB of addresses', async (gibibytes) => {
  const reason = new RegExp(
    `^STORE_LIMITED: the limit of address space \\(ulimit -v\\) is too low: it is ${gibibytes * 2 ** 30}; `,
  );
  const outcomes = await openWith('as', gibibytes * 2 ** 30);
  expect(outcomes).toEqual([expect.stringMatching(reason), expect.stringMatching(reason)]);
});
