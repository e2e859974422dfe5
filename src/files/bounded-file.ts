import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';

/** Creates the error for a file that cannot be read. */
type Refuse = (reason: string, cause?: unknown) => Error;

/** An opened file, which the caller closes. */
export interface OpenedFile {
  readonly file: number;
  readonly stats: Stats;
}

/**
 * Opens a regular file of at most a number of bytes. No other kind of file is opened, since a device or a pipe may have
 * no end or never begin.
 *
 * @param refuse creates the error from the reason, and from the system's error if that is the cause
 * @param check inspects the opened file, and may throw
 * @throws the errors of `refuse` and `check`
 */
export function openBoundedFile(
  path: string,
  bytesMax: number,
  refuse: Refuse,
  check?: (stats: Stats) => void,
): OpenedFile {
  // Not blocking: the other end of a pipe may never open it.
  const file = converted(refuse, () => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK));
  try {
    const stats = converted(refuse, () => fstatSync(file));
    if (!stats.isFile()) throw refuse('it is not a regular file');
    if (stats.size > bytesMax) throw refuse(tooLarge(stats.size, bytesMax));
    check?.(stats);
    return { file, stats };
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** Calls the system, and converts its error. */
function converted<T>(refuse: Refuse, call: () => T): T {
  try {
    return call();
  } catch (cause) {
    throw refuse(cause instanceof Error ? cause.message : String(cause), cause);
  }
}

function tooLarge(bytes: number | string, bytesMax: number): string {
  return `it has ${bytes} bytes, and ${bytesMax} are the most that are read`;
}

/** Reads a file that `openBoundedFile` opens. @throws as it does */
export function readBoundedFile(...parameters: Parameters<typeof openBoundedFile>): Buffer {
  const { file, stats } = openBoundedFile(...parameters);
  const [, bytesMax, refuse] = parameters;
  try {
    const bytes = converted(refuse, () => readStart(file, stats.size, bytesMax));
    if (bytes.length > bytesMax) throw refuse(tooLarge('more', bytesMax));
    return bytes;
  } finally {
    closeSync(file);
  }
}

/** Reads a regular file as text in UTF-8, like `readBoundedFile`. */
export function readTextFile(...parameters: Parameters<typeof readBoundedFile>): string {
  return readBoundedFile(...parameters).toString('utf8');
}

/** Bytes by which a buffer grows for a file that is longer than its size: one that grows, or one of `/proc`. */
const FURTHER_BYTES = 64 * 1024;

/** Reads a file from its start to its end, or to the first byte beyond a bound. */
function readStart(file: number, size: number, bytesMax: number): Buffer {
  let buffer = Buffer.allocUnsafeSlow(size + 1);
  for (let length = 0; ; ) {
    const read = readSync(file, buffer, length, buffer.length - length, length);
    length += read;
    if (read === 0 || length > bytesMax) return buffer.subarray(0, length);
    if (length === buffer.length) {
      const longer = Buffer.allocUnsafeSlow(Math.min(2 * length + FURTHER_BYTES, bytesMax + 1));
      buffer.copy(longer);
      buffer = longer;
    }
  }
}
