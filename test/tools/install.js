/** The installation of the tools, which happens when they are not those of the lock file. */

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const LIMIT_MS = 600_000;

/**
 * Installs the packages of a folder's lock file, if they are missing.
 *
 * @param {string} folder
 * @throws {Error} with npm's words
 */
export function install(folder) {
  const mark = join(folder, 'node_modules', '.installed');
  const wanted = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return;
  const words = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error'];
  const { status, stdout, stderr } = spawnSync('npm', words, {
    cwd: folder,
    encoding: 'utf8',
    timeout: LIMIT_MS,
  });
  if (status !== 0) throw new Error(`npm ${words.join(' ')} ended with ${status}\n${stdout}\n${stderr}`);
  writeFileSync(mark, wanted);
}
