import { z } from 'zod';
import { IMPERSONATED_ADDRESSES_MAX } from '../limits.ts';
import { WalletFileError } from './errors.ts';
import type { ImpersonationState, ImpersonationStorage } from './impersonation.ts';
import { readIfPresent, reasonOf, replaceFile } from './kept-file.ts';

/** Version of the file's form. */
const FILE_VERSION = 1;

const impersonationFile = z.strictObject({
  version: z.literal(FILE_VERSION),
  impersonated: z
    .array(z.string().regex(/^[0-9a-f]{40}$/, 'expected 40 lower-case hex digits'))
    .max(IMPERSONATED_ADDRESSES_MAX),
  auto: z.boolean(),
});

/**
 * Keeps the impersonated addresses in a JSON file, which is replaced as a whole.
 *
 * `load` and `save` throw `WalletFileError`.
 * @param path the file; its folder exists
 */
export function impersonationFileAt(path: string): ImpersonationStorage {
  return {
    load: () => readState(path),
    save: ({ impersonated, auto }) =>
      replaceFile(path, `${JSON.stringify({ version: FILE_VERSION, impersonated, auto }, undefined, 2)}\n`),
  };
}

function readState(path: string): ImpersonationState {
  const text = readIfPresent(path);
  if (text === undefined) return { impersonated: [], auto: false };
  try {
    const { impersonated, auto } = impersonationFile.parse(JSON.parse(text));
    return { impersonated, auto };
  } catch (cause) {
    throw new WalletFileError(
      `the file ${path} with the impersonated addresses is damaged: ${reasonOf(cause)}`,
      {
        cause,
      },
    );
  }
}
