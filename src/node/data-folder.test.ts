import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDataFolder } from './data-folder.ts';

let parent: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'ledgerd-folder-'));
});

afterEach(() => rmSync(parent, { recursive: true, force: true }));

test('default: creates the folder and its parents, accessible only to the owner', () => {
  const path = join(parent, 'a', 'b');
  expect(openDataFolder(path)).toEqual({
    path,
    store: join(path, 'ledger'),
    forks: [join(path, 'fork'), join(path, 'fork-other')],
    wallet: join(path, 'wallet.json'),
    ethereumKeys: join(path, 'ethereum-keys.json'),
    control: join(path, 'control.json'),
    impersonation: join(path, 'impersonation.json'),
    genesis: join(path, 'genesis.json'),
    keys: join(path, 'keys'),
  });
  expect(existsSync(path)).toBe(true);
  expect(statSync(path).mode & 0o777).toBe(0o700);
});

test('behavior: a folder that is there stays as it is', () => {
  const path = join(parent, 'a');
  openDataFolder(path);
  writeFileSync(join(path, 'mine.txt'), 'x');
  openDataFolder(path);
  expect(existsSync(join(path, 'mine.txt'))).toBe(true);
});

test('error: a file at the path of the folder', () => {
  const path = join(parent, 'file');
  writeFileSync(path, '');
  expect(() => openDataFolder(path)).toThrow(`the data folder ${path} cannot be used: EEXIST`);
});

test('error: a file above it', () => {
  writeFileSync(join(parent, 'plain'), '');
  expect(() => openDataFolder(join(parent, 'plain', 'below'))).toThrow(/cannot be used: (ENOTDIR|EEXIST)/);
});

test.runIf(process.platform === 'linux')(
  'error: a folder in which no folder can be created fails at once',
  () => {
    expect(() => openDataFolder('/proc/ledgerd')).toThrow(
      'the data folder /proc/ledgerd cannot be used: ENOENT',
    );
  },
);
