import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isFolderLocked, lockFolder } from './folder-lock.ts';

let folder: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerd-lock-'));
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** The compiled module, which `npm test` brings up to date: processes know no TypeScript. */
const COMPILED = new URL('../../dist/node/folder-lock.js', import.meta.url).href;

/** Claims the folder in another process, which says so or why not, and stays. */
async function claimElsewhere(
  path: string,
  launcher: readonly string[] = [],
): Promise<[ChildProcess, string]> {
  const program = `
    const { lockFolder } = await import('${COMPILED}');
    setInterval(() => {}, 1_000);
    await lockFolder(${JSON.stringify(path)}).then(
      () => console.log('claimed'),
      ({ message }) => console.log(message),
    );`;
  const words = [...launcher, process.execPath, '--input-type=module', '--eval', program];
  const [command = '', ...rest] = words;
  const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  if (child.stdout === null) throw new TypeError('a process without output');
  const [said] = await once(child.stdout, 'data');
  return [child, String(said).trim()];
}

const inUse = (path: string): string => `the data folder ${path} is in use by another running ledgerd`;

test('default: only one process holds the lock at a time', async () => {
  expect(await isFolderLocked(folder)).toBe(false);
  const letGo = await lockFolder(folder);
  await expect(lockFolder(folder)).rejects.toThrow(inUse(folder));
  expect(await isFolderLocked(folder)).toBe(true);
  await letGo();
  expect(await isFolderLocked(folder)).toBe(false);
  const again = await lockFolder(folder);
  await again();
});

test('behavior: the same folder by another path', async () => {
  const path = join(folder, 'real');
  mkdirSync(path);
  symlinkSync(path, join(folder, 'link'));
  const letGo = await lockFolder(path);
  await expect(lockFolder(join(folder, 'link'))).rejects.toThrow('is in use');
  await letGo();
});

test('behavior: another folder, and one with a long name', async () => {
  const path = join(folder, 'l'.repeat(200));
  mkdirSync(path);
  const claims = [await lockFolder(folder), await lockFolder(path)];
  for (const letGo of claims) await letGo();
});

test('behavior: releasing the lock leaves the folder empty', async () => {
  const letGo = await lockFolder(folder);
  await letGo();
  expect(readdirSync(folder)).toEqual([]);
});

test('behavior: a crash releases the lock, and the next holder removes the stale files', async () => {
  const [child, said] = await claimElsewhere(folder);
  expect(said).toBe('claimed');
  await expect(lockFolder(folder)).rejects.toThrow(inUse(folder));
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(readdirSync(folder)).toHaveLength(1);
  const letGo = await lockFolder(folder);
  expect(readdirSync(folder)).toHaveLength(1);
  await letGo();
  expect(readdirSync(folder)).toEqual([]);
});

test('behavior: of many at the same time one gets the folder at most, and after them the next', async () => {
  for (let round = 0; round < 20; round += 1) {
    const claims = await Promise.allSettled(Array.from({ length: 3 }, () => lockFolder(folder)));
    const held = claims.filter((claim) => claim.status === 'fulfilled');
    expect(held.length).toBeLessThanOrEqual(1);
    for (const claim of held) await claim.value();
  }
  const letGo = await lockFolder(folder);
  await letGo();
});

const ELSEWHERE = ['unshare', '--net', '--pid', '--fork', '--kill-child'];
const canLeave = spawnSync(ELSEWHERE[0] ?? '', [...ELSEWHERE.slice(1), 'true']).status === 0;

test.runIf(canLeave)(
  'behavior: the lock holds across namespaces (skipped without the privileges)',
  async () => {
    const letGo = await lockFolder(folder);
    const [, refused] = await claimElsewhere(folder, ELSEWHERE);
    expect(refused).toBe(inUse(folder));
    await letGo();
    const [, said] = await claimElsewhere(folder, ELSEWHERE);
    expect(said).toBe('claimed');
    await expect(lockFolder(folder)).rejects.toThrow(inUse(folder));
  },
);

const AS_NOBODY = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
const canBeNobody =
  spawnSync(AS_NOBODY[0] ?? '', [...AS_NOBODY.slice(1), process.execPath, '--version']).status === 0;

test.runIf(canBeNobody)(
  'behavior: another user cannot take the lock (skipped without the privileges)',
  async () => {
    const program = `
    const { createServer } = require('node:net');
    const { readdirSync } = require('node:fs');
    try { readdirSync(${JSON.stringify(folder)}); console.log('sees'); } catch ({ code }) { console.log(code); }
    createServer().on('error', ({ code }) => console.log(code))
      .listen(${JSON.stringify(join(folder, '.in-use-0'))}, () => process.exit());`;
    const { stdout } = spawnSync(
      AS_NOBODY[0] ?? '',
      [...AS_NOBODY.slice(1), process.execPath, '--eval', program],
      {
        encoding: 'utf8',
      },
    );
    expect(stdout).toBe('EACCES\nEACCES\n');
    const letGo = await lockFolder(folder);
    await letGo();
  },
);

test('error: a folder that is not there', async () => {
  await expect(lockFolder(join(folder, 'missing'))).rejects.toThrow('ENOENT');
});
