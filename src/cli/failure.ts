import {
  ChainDamagedError,
  GenesisMismatchError,
  InvalidGenesisError,
  NoGenesisError,
} from '../ledger/index.ts';
import {
  DataFolderError,
  GenesisFileError,
  KeyFileError,
  StateFileError,
  UnsafeHostError,
} from '../node/index.ts';
import { messageOf } from '../protocol/index.ts';
import { StoreError, type StoreErrorCode } from '../store/index.ts';
import { WalletFileError } from '../wallet/index.ts';
import { CommandError, UsageError } from './command-errors.ts';
import { printable } from './node-log/printable.ts';

/** Characters of the line with which a command fails: paths and the advice after them fit. */
const FAILURE_CHARACTERS_MAX = 10_000;

export const STATUS = {
  success: 0,
  /** The command could not be carried out. */
  failure: 1,
  /** The command line or the configuration is invalid. */
  usage: 2,
  /** The data folder cannot be used. */
  dataFolder: 3,
  inUse: 4,
  /** The disk failed during a write. Confirmed data exists; the next start recovers the rest. */
  diskFailed: 5,
} as const;

const USAGE_ERRORS = [UsageError, UnsafeHostError, InvalidGenesisError, GenesisFileError, StateFileError];

const DATA_FOLDER_ERRORS = [
  DataFolderError,
  ChainDamagedError,
  GenesisMismatchError,
  NoGenesisError,
  KeyFileError,
  WalletFileError,
];

const STORE_CODES: readonly StoreErrorCode[] = [
  'STORE_MISSING',
  'STORE_FOREIGN',
  'STORE_NEWER_FORMAT',
  'STORE_OLDER_FORMAT',
  'STORE_UNREADABLE',
  'STORE_READ_ONLY',
  'STORE_HISTORY_DIFFERS',
];

/** Advice for errors of the operating system. */
const MEANINGS = new Map(
  Object.entries({
    EADDRINUSE: 'the port is in use; --port names another, --port 0 takes a free one',
    EADDRNOTAVAIL: 'the address of --host is not an address of this machine',
    ENOTFOUND: 'the name of --host is unknown',
    EAI_AGAIN: 'the name of --host cannot be resolved now',
    EPIPE: 'nobody reads the output any more',
    ENOSPC: 'no space is left on the device',
    EROFS: 'the file system is read-only',
    ENOTDIR: 'a part of the path is not a folder',
  }),
);

/** Returns the exit status of a command that threw. */
export function statusOf(error: unknown): number {
  if (error instanceof DataFolderError && error.reason === 'inUse') return STATUS.inUse;
  if (error instanceof StoreError) {
    if (error.code === 'STORE_LIMITED') return STATUS.usage;
    if (error.code === 'STORE_DISK_FAILED') return STATUS.diskFailed;
    return STORE_CODES.includes(error.code) ? STATUS.dataFolder : STATUS.failure;
  }
  if (USAGE_ERRORS.some((kind) => error instanceof kind)) return STATUS.usage;
  return DATA_FOLDER_ERRORS.some((kind) => error instanceof kind) ? STATUS.dataFolder : STATUS.failure;
}

/**
 * Describes the failure of a command in one line.
 * @param error any thrown value, whose causes are searched for an error of the operating system
 */
export function failureText(error: unknown): string {
  const message = printable(messageOf(error), FAILURE_CHARACTERS_MAX);
  // The advice is for a node that starts, not for one that is called.
  const meaning = error instanceof CommandError ? undefined : MEANINGS.get(systemCode(error) ?? '');
  return meaning === undefined ? message : `${message}: ${meaning}`;
}

function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string' && MEANINGS.has(error.code)) return error.code;
  return systemCode(error.cause);
}
