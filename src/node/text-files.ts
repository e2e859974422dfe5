import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';

/**
 * Reads a plain file as text.
 * @param refuse makes the error for a file that is not plain or too large out of the reason, a part of a sentence
 * @param check inspects the file before it is read, and may throw; it sees the same file as the reader
 */
export function readTextFile(
  path: string,
  bytesMax: number,
  refuse: (fault: string) => Error,
  check?: (stats: Stats) => void,
): string {
  // Not blocking: the other end of a pipe may never come.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw refuse('it is not a file');
    if (stats.size > bytesMax) throw refuse(`it has ${stats.size} bytes`);
    check?.(stats);
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}
