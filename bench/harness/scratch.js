import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Gives a new folder to an action, and removes it afterwards.
 *
 * @template T
 * @param {string} name of what it is for
 * @param {(folder: string) => T | Promise<T>} action
 */
export async function withScratch(name, action) {
  const folder = mkdtempSync(join(tmpdir(), `ledgerd-${name}-`));
  try {
    return await action(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
