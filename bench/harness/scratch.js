import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Runs an action in a new folder, which is removed afterwards, also when the process exits before.
 *
 * @template T
 * @param {string} name of what it is for
 * @param {(folder: string) => T | Promise<T>} action
 */
export async function withScratch(name, action) {
  const folder = mkdtempSync(join(tmpdir(), `ledgerd-${name}-`));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    return await action(folder);
  } finally {
    remove();
    process.off('exit', remove);
  }
}
