/** The files of the state tests. */

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Unpacks an archive into a folder, unless it is already there. */
export async function unpackOnce(archive, folder) {
  const hash = createHash('sha256').update(readFileSync(archive)).digest('hex');
  const stamp = join(folder, '.stamp');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  const aside = `${folder}.${process.pid}`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(aside, { recursive: true });
  const { status, stderr, error } = spawnSync('tar', ['-xf', archive, '-C', aside], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`tar cannot unpack ${archive}: ${error?.message ?? stderr}`);
  writeFileSync(join(aside, '.stamp'), hash);
  mkdirSync(dirname(folder), { recursive: true });
  renameSync(aside, folder);
}

/** Lists the test files below a folder, or the file at the path; the largest first, since they take longest. */
export async function testFiles(root) {
  const { size } = await stat(root);
  const isFile = (await stat(root)).isFile();
  const entries = isFile ? [] : await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map((entry) => join(entry.parentPath, entry.name));
  const files = isFile ? [{ path: root, size }] : await Promise.all(paths.map(withSize));
  return files.sort((a, b) => b.size - a.size || (a.path < b.path ? -1 : 1)).map(({ path }) => path);
}

async function withSize(path) {
  return { path, size: (await stat(path)).size };
}
