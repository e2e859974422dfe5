import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The temporary folders of this process that still exist. */
const folders = new Set<string>();

/**
 * Creates an empty folder among the system's temporary files. It is removed at the exit of the process, if not earlier.
 */
export function createTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerd-'));
  if (folders.size === 0) process.on('exit', removeTemporaryFolders);
  folders.add(folder);
  return folder;
}

export function removeTemporaryFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  folders.delete(folder);
  if (folders.size === 0) process.off('exit', removeTemporaryFolders);
}

function removeTemporaryFolders(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}
