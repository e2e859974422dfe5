import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { KEY_FILES_MAX } from '../../limits.ts';
import { messageOf } from '../../protocol/index.ts';
import { KeyFileError } from '../errors.ts';
import { type AccountKey, octal, readKeyFile } from './key-file.ts';

/** The bits that let others than the owner put files into a folder. */
const OTHERS_WRITE = 0o022;

/** A key with the file that it stands in. */
export interface StoredKey extends AccountKey {
  readonly path: string;
}

/**
 * Reads the key files of a folder, which are those whose names end in `.json`, by name.
 *
 * @returns undefined where there is no such folder
 * @throws KeyFileError when the folder or one of the files cannot be used
 */
export function readKeyFolder(path: string): StoredKey[] | undefined {
  const names = listFolder(path);
  return names
    ?.filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => ({ ...readKeyFile(join(path, name)), path: join(path, name) }));
}

function listFolder(path: string): string[] | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    // Windows has no such bits.
    if (process.platform !== 'win32' && (stats.mode & OTHERS_WRITE) !== 0) {
      throw new KeyFileError(
        `others than its owner can write to the folder of keys ${path} (mode ${octal(stats.mode)}): chmod 700`,
      );
    }
    const names = readdirSync(path);
    if (names.length <= KEY_FILES_MAX) return names;
    throw new KeyFileError(
      `the folder of keys ${path} holds ${names.length} files, more than ${KEY_FILES_MAX}`,
    );
  } catch (cause) {
    if (cause instanceof KeyFileError) throw cause;
    throw new KeyFileError(`the folder of keys ${path} cannot be read: ${messageOf(cause)}`, { cause });
  }
}
