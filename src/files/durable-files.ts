import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Creates a file and flushes it to the disk. Throws the system's EEXIST for an existing one. */
export function writeNewFile(path: string, text: string, mode: number): void {
  writeFileSync(path, text, { mode, flag: 'wx', flush: true });
}

/**
 * Creates or replaces a file atomically: writes a temporary file, flushes it, renames it and flushes the folder, so
 * that a crash leaves the former file or the new one.
 */
export function publishFile(path: string, text: string, mode: number): void {
  const temporary = `${path}.new`;
  // A file left by a crash may have another mode.
  rmSync(temporary, { force: true });
  writeNewFile(temporary, text, mode);
  renameSync(temporary, path);
  flush(dirname(path));
}

/**
 * Creates or replaces a file of any length atomically, like `publishFile`. A crash leaves a file with `.partial-` in
 * its name; an error of the chunks leaves nothing.
 */
export async function publishChunks(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  mode: number,
): Promise<void> {
  // Of its own for each process, since two may write the same file.
  const temporary = `${path}.partial-${randomBytes(4).toString('hex')}`;
  const file = openSync(temporary, 'wx', mode);
  try {
    try {
      for await (const chunk of chunks) writeFileSync(file, chunk);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  flush(dirname(path));
}

/** Flushes a file or a folder to the disk. Does nothing on Windows. */
export function flush(path: string): void {
  // Windows cannot open folders.
  if (process.platform === 'win32') return;
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
