import { z } from 'zod';
import { lazily } from '../../caching/lazily.ts';
import { AMOUNT_MAX, CLOCK_TIME_MAX } from '../../consensus.ts';
import { readTextFile } from '../../files/bounded-file.ts';
import { publishFile } from '../../files/durable-files.ts';
import { messageOf } from '../../protocol/index.ts';
import type { ControlState } from '../../rpc/index.ts';
import { isThere } from '../data-folder.ts';
import { DataFolderError } from '../node-errors.ts';

/** Bytes of the file with the settings for the next blocks of a test chain. */
const CONTROL_FILE_BYTES_MAX = 4_096;

/** The control of a test chain that is saved between two runs: the parts without a command-line flag. */
export type SavedControl = Pick<ControlState, 'timing' | 'gasLimit'>;

export type ControlStorage = ReturnType<typeof controlFileAt>;

/** Version of the file format. */
const FILE_VERSION = 2;
const FILE_MODE = 0o600;

const controlFile = lazily(() => {
  const seconds = z.number().int().min(-CLOCK_TIME_MAX).max(CLOCK_TIME_MAX);
  return z.strictObject({
    version: z.literal(FILE_VERSION),
    reorgCount: z.number().int().nonnegative(),
    ahead: seconds,
    nextTimestamp: seconds.nonnegative().optional(),
    timestampInterval: seconds.nonnegative().optional(),
    gasLimit: z
      .string()
      .regex(/^[0-9]{1,19}$/)
      .transform(BigInt)
      .refine((gas) => gas <= AMOUNT_MAX, 'expected a signed 64-bit number')
      .optional(),
  });
});

/** Stores control in a JSON file of an existing folder, with the reorganisation count of the stored chain. */
export function controlFileAt(path: string, reorgCount: () => number) {
  let written = '';
  return {
    load: () => read(path)?.saved,
    save: (saved: SavedControl): void => {
      const text = JSON.stringify(contentOf(saved), undefined, 2);
      if (text === written) return;
      const record = { version: FILE_VERSION, reorgCount: reorgCount(), ...contentOf(saved) };
      publishFile(path, `${JSON.stringify(record, undefined, 2)}\n`, FILE_MODE);
      written = text;
    },
    /** Returns the reorganisation count of the saved control; 0 without a file. */
    reorgCount: () => read(path)?.reorgCount ?? 0,
  };
}

function contentOf({ timing: { step: _, ...timing }, gasLimit }: SavedControl): object {
  return { ...timing, gasLimit: gasLimit?.toString() };
}

function read(path: string): { readonly saved: SavedControl; readonly reorgCount: number } | undefined {
  if (!isThere(path)) return undefined;
  try {
    const text = readTextFile(path, CONTROL_FILE_BYTES_MAX, (reason) => damaged(path, reason));
    const file = controlFile().parse(JSON.parse(text));
    const { ahead, nextTimestamp, timestampInterval, gasLimit, reorgCount } = file;
    return { saved: { timing: { ahead, nextTimestamp, timestampInterval }, gasLimit }, reorgCount };
  } catch (cause) {
    if (cause instanceof DataFolderError) throw cause;
    throw damaged(path, messageOf(cause), { cause });
  }
}

function damaged(path: string, reason: string, options?: ErrorOptions): DataFolderError {
  return new DataFolderError('unusable', `${path} is damaged: ${reason}`, options);
}
