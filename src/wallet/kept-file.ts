import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { WalletFileError } from './errors.ts';

/** Only the owner may read what a wallet keeps. */
const FILE_MODE = 0o600;

/** The text of a file; undefined where there is none. @throws WalletFileError where it cannot be read */
export function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
    throw new WalletFileError(`the file ${path} cannot be read: ${reasonOf(cause)}`, { cause });
  }
}

/**
 * Replaces a file as a whole: written beside, flushed, renamed, and the folder flushed, so that a crash leaves either
 * the old or the new one.
 *
 * @throws WalletFileError where it cannot be written
 */
export function replaceFile(path: string, text: string): void {
  const beside = `${path}.new`;
  try {
    // A file left behind by a crash would keep its own mode.
    rmSync(beside, { force: true });
    writeFileSync(beside, text, { mode: FILE_MODE, flag: 'wx', flush: true });
    renameSync(beside, path);
    flushFolder(dirname(path));
  } catch (cause) {
    throw new WalletFileError(`the file ${path} cannot be written: ${reasonOf(cause)}`, { cause });
  }
}

function flushFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** What is wrong with the contents of a file, in one line. */
export function reasonOf(cause: unknown): string {
  if (cause instanceof z.ZodError) {
    return cause.issues.map((issue) => `${issue.path.join('.') || 'file'}: ${issue.message}`).join('; ');
  }
  return cause instanceof Error ? cause.message : String(cause);
}
