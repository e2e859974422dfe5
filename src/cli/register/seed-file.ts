import { closeSync, fsyncSync, lstatSync, openSync, writeSync } from 'node:fs';
import { messageOf, type Seed, toPrefixedHex } from '../../protocol/index.ts';
import { CommandError } from '../errors.ts';

/** Readable and writable by its owner alone. */
const MODE = 0o600;

/** @throws CommandError `SEED_FILE` where something has the name already */
export function requireFreePath(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) throw taken(path);
}

/**
 * Writes a seed to a new file: hexadecimal digits behind `0x`, and a line feed.
 * @throws CommandError `SEED_FILE` where something has the name already, or the file cannot be written
 */
export function writeSeedFile(path: string, seed: Seed): void {
  try {
    const file = openSync(path, 'wx', MODE);
    try {
      writeSync(file, `${toPrefixedHex(seed)}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw taken(path);
    throw new CommandError('SEED_FILE', `the seed file ${path} cannot be written: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

function taken(path: string): CommandError {
  return new CommandError(
    'SEED_FILE',
    `the seed file ${path} is there already and may hold a key: name another`,
  );
}
