import { existsSync } from 'node:fs';
import { z } from 'zod';
import { publishFile } from '../../durable-files.ts';
import { AMOUNT_MAX, CLOCK_TIME_MAX, CONTROL_FILE_BYTES_MAX } from '../../limits.ts';
import type { ControlState } from '../../rpc/index.ts';
import { DataFolderError } from '../errors.ts';
import { describeFault, fileFault, readTextFile } from '../text-files.ts';

/** What of the control over a chain is kept between two runs: all that no flag of the command line says. */
export type KeptControl = Pick<ControlState, 'timing' | 'gasLimit'>;

/** Where it is kept. */
export interface ControlStorage {
  /** Undefined where nothing is kept yet. */
  load(): KeptControl | undefined;
  save(kept: KeptControl): void;
}

/** Version of the file's form. */
const FILE_VERSION = 1;
/** Like the other files of test mode, it is its owner's. */
const FILE_MODE = 0o600;

const seconds = z.number().int().min(-CLOCK_TIME_MAX).max(CLOCK_TIME_MAX);

const controlFile = z.strictObject({
  version: z.literal(FILE_VERSION),
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

/**
 * Keeps it in a JSON file, which is replaced as a whole. Nothing is written while nothing changes.
 *
 * @param path the file; its folder exists
 */
export function controlFileAt(path: string): ControlStorage {
  let written = '';
  return {
    load: () => (existsSync(path) ? read(path) : undefined),
    save: (kept) => {
      const text = serialize(kept);
      if (text === written) return;
      publishFile(path, text, FILE_MODE);
      written = text;
    },
  };
}

function serialize({ timing, gasLimit }: KeptControl): string {
  const record = { version: FILE_VERSION, ...timing, gasLimit: gasLimit?.toString() };
  return `${JSON.stringify(record, undefined, 2)}\n`;
}

function read(path: string): KeptControl {
  try {
    const text = readTextFile(path, (stats) => {
      const fault = fileFault(stats, CONTROL_FILE_BYTES_MAX);
      if (fault !== undefined) throw damaged(path, describeFault(fault));
    });
    const { ahead, nextTimestamp, timestampInterval, gasLimit } = controlFile.parse(JSON.parse(text));
    return { timing: { ahead, nextTimestamp, timestampInterval }, gasLimit };
  } catch (cause) {
    if (cause instanceof DataFolderError) throw cause;
    throw damaged(path, cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function damaged(path: string, reason: string, options?: ErrorOptions): DataFolderError {
  return new DataFolderError('unusable', `${path} is damaged: ${reason}`, options);
}
