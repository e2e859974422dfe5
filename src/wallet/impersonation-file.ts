import { z } from 'zod';
import { IMPERSONATED_ADDRESSES_MAX } from '../limits.ts';
import { WalletFileError } from './errors.ts';
import type { ImpersonationState, ImpersonationStorage } from './impersonation.ts';
import { readIfPresent, reasonOf, replaceFile } from './kept-file.ts';

/** Version of the file's form. The first one does not say how often blocks had been taken back. */
const FILE_VERSION = 2;

const state = {
  impersonated: z
    .array(z.string().regex(/^[0-9a-f]{40}$/, 'expected 40 lower-case hex digits'))
    .max(IMPERSONATED_ADDRESSES_MAX),
  auto: z.boolean(),
};

const impersonationFile = z.discriminatedUnion('version', [
  z.strictObject({ version: z.literal(1), ...state }),
  z.strictObject({ version: z.literal(FILE_VERSION), epoch: z.number().int().nonnegative(), ...state }),
]);

/** What a file says. */
interface ImpersonationFile {
  readonly state: ImpersonationState;
  readonly epoch: number;
}

/**
 * Keeps the impersonated addresses in a JSON file, which is replaced as a whole.
 *
 * `load` and `save` throw `WalletFileError`.
 * @param path the file; its folder exists
 * @param epoch how often blocks of the stored chain were taken back; absent: never
 */
export function impersonationFileAt(path: string, epoch: () => number = () => 0): ImpersonationStorage {
  return {
    load: () => readFile(path).state,
    save: ({ impersonated, auto }) => {
      const record = { version: FILE_VERSION, epoch: epoch(), impersonated, auto };
      replaceFile(path, `${JSON.stringify(record, undefined, 2)}\n`);
    },
    epoch: () => readFile(path).epoch,
  };
}

function readFile(path: string): ImpersonationFile {
  const text = readIfPresent(path);
  if (text === undefined) return { state: { impersonated: [], auto: false }, epoch: 0 };
  try {
    const file = impersonationFile.parse(JSON.parse(text));
    const { impersonated, auto } = file;
    return { state: { impersonated, auto }, epoch: file.version === FILE_VERSION ? file.epoch : 0 };
  } catch (cause) {
    throw new WalletFileError(
      `the file ${path} with the impersonated addresses is damaged: ${reasonOf(cause)}`,
      {
        cause,
      },
    );
  }
}
