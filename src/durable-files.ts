import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Creates a file and flushes it to the disk. Throws the system's EEXIST for an existing one. */
export function writeNewFile(path: string, text: string, mode: number): void {
  writeFileSync(path, text, { mode, flag: 'wx', flush: true });
}

/**
 * Creates or replaces a file as a whole: written beside, flushed, renamed, and the folder flushed, so that a crash
 * leaves the former one or the new one.
 */
export function publishFile(path: string, text: string, mode: number): void {
  const beside = `${path}.new`;
  // A file left behind by a crash would keep its own mode.
  rmSync(beside, { force: true });
  writeNewFile(beside, text, mode);
  renameSync(beside, path);
  flush(dirname(path));
}

/** Flushes a file, or the names in a folder, to the disk where the system can. */
export function flush(path: string): void {
  // Folders can't be opened there.
  if (process.platform === 'win32') return;
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
