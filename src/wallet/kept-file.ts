import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { publishFile } from '../durable-files.ts';
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

/** Replaces a file as a whole, so that a crash leaves the former one or the new one. @throws WalletFileError */
export function replaceFile(path: string, text: string): void {
  try {
    publishFile(path, text, FILE_MODE);
  } catch (cause) {
    throw new WalletFileError(`the file ${path} cannot be written: ${reasonOf(cause)}`, { cause });
  }
}

/** What is wrong with the contents of a file, in one line. */
export function reasonOf(cause: unknown): string {
  if (cause instanceof z.ZodError) {
    return cause.issues.map((issue) => `${issue.path.join('.') || 'file'}: ${issue.message}`).join('; ');
  }
  return cause instanceof Error ? cause.message : String(cause);
}
