import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROGRAM } from '../program.ts';

/** Returns the words before a program that runs without the permissions of root; undefined where that is impossible. */
function unprivileged(): readonly string[] | undefined {
  if (process.getuid?.() !== 0) return [];
  const words = ['--reuid=65534', '--regid=65534', '--clear-groups'];
  return spawnSync('setpriv', [...words, 'true']).status === 0 ? ['setpriv', ...words] : undefined;
}

test.skipIf(unprivileged() === undefined)(
  'error: a data folder without permission (skipped where root cannot be another user)',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'ledgerd-unreadable-'));
    const chain = join(folder, 'chain');
    mkdirSync(chain);
    chmodSync(folder, 0o755);
    chmodSync(chain, 0o000);
    // As root, which may build what changed.
    expect(spawnSync(PROGRAM, ['--version']).status).toBe(0);
    for (const words of [['info'], ['start', '--port', '0']]) {
      const [program = '', ...before] = [...(unprivileged() ?? []), PROGRAM];
      const { status, stderr } = spawnSync(program, [...before, ...words, '--data-dir', chain], {
        encoding: 'utf8',
        cwd: '/',
      });
      expect([status, stderr]).toEqual([
        3,
        expect.stringContaining(`EACCES: permission denied, stat '${chain}/`),
      ]);
    }
    chmodSync(chain, 0o700);
    rmSync(folder, { recursive: true });
  },
);
