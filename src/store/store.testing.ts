import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open } from 'lmdb';
import { type Address, type OperationHash, toAddress, toOperationHash } from '../protocol/index.ts';
import {
  type BlockCommit,
  openStore,
  openStoreForReading,
  type Store,
  StoreError,
  type StoreReader,
} from './index.ts';
import type { StoreOptions } from './store-options.ts';

/** Bytes written one by one. */
export function bytes(...values: number[]): Uint8Array {
  return Uint8Array.from(values);
}

/** An address of 20 equal bytes. */
export function addressOf(byte: number): Address {
  return toAddress(new Uint8Array(20).fill(byte));
}

/** An operation hash of 20 equal bytes. */
export function hashOf(byte: number): OperationHash {
  return toOperationHash(new Uint8Array(20).fill(byte));
}

/** A block with nothing in it but what is given. */
export function commitOf(parts: Partial<BlockCommit> & { number: number }): BlockCommit {
  return {
    block: bytes(0xb0, parts.number),
    transactions: [],
    receipts: [],
    operationHashes: [],
    logs: [],
    payers: [],
    state: [],
    accumulator: bytes(0xac, parts.number),
    ...parts,
  };
}

/** Writes one entry with LMDB itself, as another program or version would. */
export async function writeEntry(
  folder: string,
  table: string,
  key: string,
  value: Uint8Array,
): Promise<void> {
  const binary = { keyEncoding: 'binary', encoding: 'binary' } as const;
  const root = open<Uint8Array, Uint8Array>({ path: join(folder, 'ledger.mdb'), noSubdir: true, ...binary });
  root.openDB<Uint8Array, Uint8Array>(table, binary).putSync(Buffer.from(key), value);
  await root.close();
}

/** Folders and stores that one test uses, all gone after `clean`. */
export class TestFolders {
  readonly #folders: string[] = [];
  readonly #stores: StoreReader[] = [];

  /** A new, empty folder. */
  folder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'ledgerd-test-'));
    this.#folders.push(folder);
    return folder;
  }

  /** An opened store, in a new folder unless one is named. */
  open(options: Partial<StoreOptions> = {}): Store {
    const store = openStore({ path: options.path ?? this.folder(), durable: false, ...options });
    this.#stores.push(store);
    return store;
  }

  /** A store opened for reading. */
  read(path: string): StoreReader {
    const store = openStoreForReading(path);
    this.#stores.push(store);
    return store;
  }

  async clean(): Promise<void> {
    for (const store of this.#stores.splice(0)) await store.close();
    for (const folder of this.#folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  }
}

/** The StoreError that an action throws; fails when it throws none. */
export function storeErrorOf(action: () => unknown): StoreError {
  try {
    action();
  } catch (error) {
    if (error instanceof StoreError) return error;
    throw error;
  }
  throw new TypeError('no error was thrown');
}

/** The StoreError that a promise is rejected with; fails when it is not. */
export async function rejectionOf(promise: Promise<unknown>): Promise<StoreError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return storeErrorOf(() => {
    if (error !== undefined) throw error;
  });
}
