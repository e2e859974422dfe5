import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';

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
