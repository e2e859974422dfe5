import { type Address, type OperationHash, toOperationHash } from '../protocol/index.ts';
import type { Database } from './database.ts';
import { StoreError } from './errors.ts';
import { readLogPositions } from './log-positions.ts';
import {
  afterPrefix,
  blockKey,
  decodeCount,
  isBlockNumber,
  isOperationIndex,
  positionKey,
  readUint32,
} from './record-keys.ts';
import type {
  BlockCommit,
  LogPosition,
  LogPositionQuery,
  OperationPosition,
  StateEntry,
  Store,
  StoredTransaction,
  TableEntry,
} from './store.ts';
import { META_KEYS } from './tables.ts';
import { removeTemporaryFolder } from './temporary-folder.ts';
import { decodeTransaction, type TransactionRecord } from './transaction-record.ts';
import { writeBlock } from './write-block.ts';

/** Bytes of the operation hash in front of each receipt. */
const HASH_BYTES = 20;

const ACCUMULATOR_KEY = new TextEncoder().encode(META_KEYS.accumulator);

/** What an `LmdbStore` is made of. */
export interface LmdbStoreParts {
  readonly path: string;
  readonly history: boolean;
  readonly database: Database;
  /** Folder to remove with the store. */
  readonly temporaryFolder: string | undefined;
}

/** The store in an LMDB file: what each question means in tables and keys. */
export class LmdbStore implements Store {
  readonly path: string;
  readonly history: boolean;
  readonly #database: Database;
  readonly #temporaryFolder: string | undefined;
  #closing: Promise<void> | undefined;

  constructor(parts: LmdbStoreParts) {
    this.path = parts.path;
    this.history = parts.history;
    this.#database = parts.database;
    this.#temporaryFolder = parts.temporaryFolder;
  }

  head(): number | undefined {
    const key = this.#database.firstKey('blocks', { reverse: true });
    return key && readUint32(key, 0);
  }

  state(key: Uint8Array): Uint8Array | undefined {
    return this.#database.get('state', key);
  }

  stateEntries(prefix = new Uint8Array()): Iterable<StateEntry> {
    return this.#database.entries('state', prefixed(prefix));
  }

  block(number: number): Uint8Array | undefined {
    return isBlockNumber(number) ? this.#database.get('blocks', blockKey(number)) : undefined;
  }

  transaction(number: number, operationIndex: number): StoredTransaction | undefined {
    if (!isBlockNumber(number) || !isOperationIndex(operationIndex)) return undefined;
    // The transaction that holds an operation is the last one that does not begin after it.
    const range = {
      start: positionKey(number, operationIndex),
      end: positionKey(number, 0),
      inclusiveEnd: true,
      reverse: true,
      limit: 1,
    };
    for (const entry of this.#database.entries('transactions', range)) {
      const record = decodeTransaction(entry);
      if (operationIndex < record.firstOperation + record.operationCount) return withoutCount(record);
    }
    return undefined;
  }

  *transactionsOf(number: number): Iterable<StoredTransaction> {
    if (!isBlockNumber(number)) return;
    for (const entry of this.#database.entries('transactions', prefixed(blockKey(number)))) {
      yield withoutCount(decodeTransaction(entry));
    }
  }

  receipt(number: number, operationIndex: number): Uint8Array | undefined {
    if (!isBlockNumber(number) || !isOperationIndex(operationIndex)) return undefined;
    return this.#database.get('receipts', positionKey(number, operationIndex))?.subarray(HASH_BYTES);
  }

  *receiptsOf(number: number): Iterable<Uint8Array> {
    if (!isBlockNumber(number)) return;
    for (const { value } of this.#database.entries('receipts', prefixed(blockKey(number)))) {
      yield value.subarray(HASH_BYTES);
    }
  }

  operationHash(number: number, operationIndex: number): OperationHash | undefined {
    if (!isBlockNumber(number) || !isOperationIndex(operationIndex)) return undefined;
    const record = this.#database.get('receipts', positionKey(number, operationIndex));
    return record && toOperationHash(record.subarray(0, HASH_BYTES));
  }

  logPositions(query: LogPositionQuery): Iterable<LogPosition> {
    return readLogPositions(this.#database, query);
  }

  operationPositions(hash: OperationHash): readonly OperationPosition[] {
    const positions: OperationPosition[] = [];
    for (const { key } of this.#database.entries('operationPositions', prefixed(hash))) {
      positions.push({ block: readUint32(key, hash.length), index: readUint32(key, hash.length + 4) });
    }
    return positions;
  }

  operationCount(address: Address): number {
    if (!this.history) {
      throw new StoreError(
        'STORE_HISTORY_OFF',
        'the store does not count operations: it was created without history',
      );
    }
    const count = this.#database.get('operationCounts', address);
    return count === undefined ? 0 : decodeCount(count);
  }

  accumulator(): Uint8Array | undefined {
    return this.#database.get('meta', ACCUMULATOR_KEY);
  }

  commitBlock(commit: BlockCommit): void {
    writeBlock(this.#database, commit, this.history, () => this.head());
  }

  tables(): Iterable<TableEntry> {
    return this.#database.allEntries();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const folder = this.#temporaryFolder;
    try {
      await this.#database.close({ flush: folder === undefined });
    } finally {
      if (folder !== undefined) removeTemporaryFolder(folder);
    }
  }
}

function withoutCount({ firstOperation, bytes }: TransactionRecord): StoredTransaction {
  return { firstOperation, bytes };
}

/** The range of the keys that begin with a prefix. */
function prefixed(prefix: Uint8Array): { start?: Uint8Array; end?: Uint8Array } {
  const end = afterPrefix(prefix);
  // LMDB knows no empty key, and begins with the first one when none is given.
  return { ...(prefix.length > 0 && { start: prefix }), ...(end !== undefined && { end }) };
}
