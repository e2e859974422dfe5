import {
  ChainDamagedError,
  GenesisMismatchError,
  InvalidGenesisError,
  NoGenesisError,
} from '../ledger/index.ts';
import { DataFolderError, GenesisFileError, KeyFileError, UnsafeHostError } from '../node/index.ts';
import { messageOf } from '../protocol/index.ts';
import { StoreError, type StoreErrorCode } from '../store/index.ts';
import { WalletFileError } from '../wallet/index.ts';
import { CommandError, UsageError } from './errors.ts';
import { printable } from './node-log/printable.ts';

/** The exit statuses of the program. */
export const STATUS = {
  /** The command did what it should. */
  success: 0,
  /** The command could not be carried out. */
  failure: 1,
  /** The command line or the configuration is wrong. */
  usage: 2,
  /** The data folder cannot be used. */
  dataFolder: 3,
  /** Another process works on the data folder; it may be done soon. */
  inUse: 4,
  /** The disk failed in the middle of a write. What was answered is there; another start finds out how far it got. */
  diskFailed: 5,
} as const;

/** What only other settings can put right. */
const USAGE_ERRORS = [UsageError, UnsafeHostError, InvalidGenesisError, GenesisFileError];

/** What is wrong with the files of a node, or does not fit them. */
const DATA_FOLDER_ERRORS = [
  DataFolderError,
  ChainDamagedError,
  GenesisMismatchError,
  NoGenesisError,
  KeyFileError,
  WalletFileError,
];

/** What makes a store that is there, or is not, one that cannot be used. */
const STORE_CODES: readonly StoreErrorCode[] = [
  'STORE_MISSING',
  'STORE_FOREIGN',
  'STORE_NEWER_FORMAT',
  'STORE_OLDER_FORMAT',
  'STORE_UNREADABLE',
  'STORE_READ_ONLY',
  'STORE_HISTORY_DIFFERS',
];

/** What the operating system's answers mean for somebody who runs a node. */
const MEANINGS = new Map(
  Object.entries({
    EADDRINUSE: 'the port is in use; --port names another, --port 0 takes a free one',
    EADDRNOTAVAIL: 'the address of --host is none of this machine',
    ENOTFOUND: 'the name of --host is unknown',
    EAI_AGAIN: 'the name of --host cannot be resolved at the moment',
    EPIPE: 'nobody reads the output any more',
    ENOSPC: 'no space is left on the device',
    EROFS: 'the file system is read-only',
    ENOTDIR: 'a part of the path is no folder',
  }),
);

/** The exit status of a command that threw. */
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
 * Says in one line why a command came to nothing.
 * @param error whatever was thrown; the reasons of the operating system are looked for along its causes
 */
export function failureText(error: unknown): string {
  const message = printable(messageOf(error));
  // What the system's answers mean for a node that starts, they do not mean for one that is called.
  const meaning = error instanceof CommandError ? undefined : MEANINGS.get(systemCode(error) ?? '');
  return meaning === undefined ? message : `${message}: ${meaning}`;
}

function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string' && MEANINGS.has(error.code)) return error.code;
  return systemCode(error.cause);
}
