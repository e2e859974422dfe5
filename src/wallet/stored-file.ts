import { z } from 'zod';
import { lazily } from '../caching/lazily.ts';
import { readTextFile } from '../files/bounded-file.ts';
import { publishFile } from '../files/durable-files.ts';
import { messageOf } from '../protocol/index.ts';
import { WalletFileError } from './wallet-errors.ts';

/** Readable and writable by the owner only. */
const FILE_MODE = 0o600;
/** Bytes of a file (64 MiB): the bounds of its entries allow fewer. */
const MOST_FILE_BYTES = 64 * 1024 * 1024;

/** A persistent value of a wallet. Reading a damaged file throws WalletFileError. */
export interface StoredValue<T> {
  /** Returns the stored value, or the empty one. */
  load(): T;
  /** Replaces the stored value. Throws WalletFileError. */
  save(value: T): void;
  /** Returns the reorganisation count at the time the value was stored; 0 without a stored value. */
  reorgCount(): number;
  /** Returns true if blocks were reverted since the value was stored. */
  isBehind(): boolean;
}

/** The format of a value in its file. */
export interface StoredFormat<T, Content extends object> {
  /** Returns a description of the file for messages. */
  name(path: string): string;
  readonly content: z.ZodType<Content>;
  readonly empty: T;
  read(content: Content): T;
  write(value: T): Content;
}

/** Version of all formats. */
const FILE_VERSION = 2;

/** The fields of all files; `epoch` is the reorganisation count. */
const header = lazily(() =>
  z.object({ version: z.literal(FILE_VERSION), epoch: z.number().int().nonnegative() }),
);

/**
 * Stores a value in a JSON file that only its owner may read. Replaces the file atomically.
 *
 * @param path the file; its folder must exist
 * @param reorgCount returns the reorganisation count of the stored chain; absent: always 0
 */
export function storedFile<T, Content extends object>(
  path: string,
  { name, content, empty, read, write }: StoredFormat<T, Content>,
  reorgCount: () => number = () => 0,
): StoredValue<T> {
  const readFile = (): { readonly value: T; readonly reorgCount: number } => {
    const text = readIfPresent(path);
    if (text === undefined) return { value: empty, reorgCount: 0 };
    try {
      const json = JSON.parse(text);
      const head = header().parse(json);
      const others = Object.entries(json).filter(([key]) => !Object.hasOwn(head, key));
      const value = read(content.parse(Object.fromEntries(others)));
      return { value, reorgCount: head.epoch };
    } catch (cause) {
      throw new WalletFileError(`${name(path)} is damaged: ${reasonOf(cause)}`, { cause });
    }
  };
  return {
    load: () => readFile().value,
    save: (value) => {
      const record = { version: FILE_VERSION, epoch: reorgCount(), ...write(value) };
      replaceFile(path, `${JSON.stringify(record, undefined, 2)}\n`);
    },
    reorgCount: () => readFile().reorgCount,
    isBehind: () => readFile().reorgCount < reorgCount(),
  };
}

function readIfPresent(path: string): string | undefined {
  const unreadable = (reason: string, cause?: unknown) =>
    new WalletFileError(`the file ${path} cannot be read: ${reason}`, { cause });
  try {
    return readTextFile(path, MOST_FILE_BYTES, unreadable);
  } catch (error) {
    const { cause } = error as WalletFileError;
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
    throw error;
  }
}

function replaceFile(path: string, text: string): void {
  try {
    publishFile(path, text, FILE_MODE);
  } catch (cause) {
    throw new WalletFileError(`the file ${path} cannot be written: ${reasonOf(cause)}`, { cause });
  }
}

function reasonOf(cause: unknown): string {
  if (cause instanceof z.ZodError) {
    return cause.issues.map((issue) => `${issue.path.join('.') || 'file'}: ${issue.message}`).join('; ');
  }
  return messageOf(cause);
}
