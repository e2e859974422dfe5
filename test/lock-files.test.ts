import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** Asks npm whether it could install what a folder's lock file names, without installing or asking anybody. */
function checkLockFile(folder: string) {
  const flags = [
    '--dry-run',
    '--offline',
    '--ignore-scripts',
    '--no-audit',
    '--no-update-notifier',
    '--logs-max=0',
  ];
  return spawnSync('npm', ['ci', ...flags], {
    cwd: fileURLToPath(new URL(folder, import.meta.url)),
    encoding: 'utf8',
    // npm is a script on Windows, which only a shell can start.
    shell: process.platform === 'win32',
  });
}

test.each(['../', './', '../bench/', './tools/', './explorer/', '../site/', '../.ci/node/'])(
  'default: the lock file of %s fits its package.json',
  (folder) => {
    const { status, stderr } = checkLockFile(folder);
    expect(status, stderr).toBe(0);
  },
);
