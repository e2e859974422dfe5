import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** Why a file is not read; the message is a part of a sentence. */
export type FileFault = { readonly kind: 'notAFile' } | { readonly kind: 'tooLarge'; readonly bytes: number };

/**
 * Reads a plain file as text.
 *
 * @param check looks at the file before anything is read of it, and may throw; what it sees is the file that is
 *   read, whatever becomes of its name meanwhile
 */
export function readTextFile(path: string, check: (stats: Stats) => void): string {
  // Not blocking: the other end of a pipe may never come.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    check(fstatSync(file));
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

/** What makes a file no text of that length. */
export function fileFault(stats: Stats, bytesMax: number): FileFault | undefined {
  if (!stats.isFile()) return { kind: 'notAFile' };
  return stats.size > bytesMax ? { kind: 'tooLarge', bytes: stats.size } : undefined;
}

/** Says what is wrong with a file. */
export function describeFault(fault: FileFault): string {
  return fault.kind === 'notAFile' ? 'it is not a file' : `it has ${fault.bytes} bytes`;
}

/** Creates a file and puts it on the disk. Throws the system's EEXIST where something is there already. */
export function writeNewFile(path: string, text: string, mode: number): void {
  writeFileSync(path, text, { mode, flag: 'wx', flush: true });
}

/** Creates a file that is there as a whole or not at all, also after a crash. */
export function publishFile(path: string, text: string, mode: number): void {
  const beside = `${path}.new`;
  rmSync(beside, { force: true });
  writeNewFile(beside, text, mode);
  renameSync(beside, path);
  flushFolder(dirname(path));
}

/** Puts a folder's list of names on the disk, where the system has a way to. */
export function flushFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
