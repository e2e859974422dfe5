import { type Address, bytesToHex, readUint32 } from '../../protocol/index.ts';
import { CommitSize } from '../file/commit-size.ts';
import { type DatabaseRoot, type Tables, tableOf } from '../file/opened-file.ts';
import type { SpaceReserve } from '../file/space-reserve.ts';
import type { InvolvedAddress, OperationIndexing, RecordedBlock } from '../operations.ts';
import { decodeTransaction } from '../reading/transaction-record.ts';
import { addressOperationKey, decodeCount, OPERATION_HASH_BYTES, positionKey } from '../tables/keys.ts';
import type { TableName } from '../tables/tables.ts';
import { encodeUndo, UndoRecord } from '../undo/undo-record.ts';
import { undoKey } from '../undo/undo-table.ts';
import { UNDO_ENTRY_BYTES } from './block-size.ts';
import { writeInvolved } from './write-block.ts';

/** Entries of the index of operations by address in one commit of a migration. */
const ENTRIES_PER_COMMIT = 20_000;

/** The greatest number of a block and of an operation. */
const LAST = 0xffff_ffff;

/** The file to index, which no other process has open. */
export interface StoredOperations {
  readonly root: DatabaseRoot;
  readonly tables: Tables;
  readonly reserve: SpaceReserve;
  readonly history: boolean;
  readonly indexing: OperationIndexing;
}

type InvolvedBlock = { readonly number: number; readonly involved: readonly InvolvedAddress[] };

/**
 * Indexes the operations of all stored blocks by the addresses that they involve, as commits of these blocks would have
 * done, in commits of a bounded size.
 *
 * @param onBlock called with the last indexed block after each commit
 * @throws errors of `indexing` and of the file
 */
export function indexStored(operations: StoredOperations, onBlock: (number: number) => void): void {
  const counts = new SenderCounts(operations);
  let blocks: InvolvedBlock[] = [];
  let entries = 0;
  const write = (): void => {
    writeTogether(operations, blocks, counts);
    const last = blocks.at(-1);
    blocks = [];
    entries = 0;
    if (last !== undefined) onBlock(last.number);
  };
  let number = blockWithOperations(operations, 0);
  while (number !== undefined) {
    const involved = operations.indexing.involvedIn(recordedBlock(operations, number));
    blocks.push({ number, involved });
    entries += involved.length;
    if (entries >= ENTRIES_PER_COMMIT) write();
    number = blockWithOperations(operations, number + 1);
  }
  write();
}

function writeTogether(
  { root, tables, reserve, history }: StoredOperations,
  blocks: readonly InvolvedBlock[],
  counts: SenderCounts,
): void {
  if (blocks.length === 0) return;
  const table = tableOf(tables, 'addressOperations');
  reserve.require(sizeOf(tables, blocks));
  root.transactionSync(() => {
    for (const { number, involved } of blocks) {
      counts.goTo(number);
      const entered = writeInvolved(
        table,
        { number, involved },
        history ? (sender) => counts.take(sender) : undefined,
      );
      const key = undoKey(number);
      const overwritten = tableOf(tables, 'blocks').get(key);
      if (overwritten === undefined) continue;
      const record = new UndoRecord(new Uint8Array(overwritten));
      tableOf(tables, 'blocks').putSync(key, encodeUndo([...record.entries(), ...entered]));
    }
  });
}

function sizeOf(tables: Tables, blocks: readonly InvolvedBlock[]): CommitSize {
  const size = new CommitSize(2);
  for (const { number, involved } of blocks) {
    size.scattered(involved.length);
    const overwritten = tableOf(tables, 'blocks').get(undoKey(number))?.length;
    if (overwritten !== undefined) size.scattered(1, overwritten + involved.length * UNDO_ENTRY_BYTES);
  }
  return size;
}

/** Returns the first block with operations from a number on; undefined for none. */
function blockWithOperations({ tables }: StoredOperations, from: number): number | undefined {
  const range = { start: positionKey(from, 0), limit: 1 };
  for (const key of tableOf(tables, 'transactions').getKeys(range)) return readUint32(key, 0);
  return undefined;
}

function recordedBlock({ tables }: StoredOperations, number: number): RecordedBlock {
  const range = { start: positionKey(number, 0), end: positionKey(number, LAST), inclusiveEnd: true };
  const entries = (name: TableName) =>
    Array.from(tableOf(tables, name).getRange(range), ({ key, value }) => ({
      key: new Uint8Array(key),
      value: new Uint8Array(value),
    }));
  return {
    number,
    transactions: entries('transactions').map(decodeTransaction),
    receipts: entries('receipts').map(({ value }) => value.subarray(OPERATION_HASH_BYTES)),
    state: (key) => {
      const value = tableOf(tables, 'state').get(key);
      return value && new Uint8Array(value);
    },
  };
}

/** Counts of the operations that senders paid for, block by block: from their newest entry or a later patch. */
class SenderCounts {
  readonly #operations: StoredOperations;
  /** Counts by patches, until the sender's next operation. */
  readonly #patched = new Map<string, number>();
  /** The first block whose patches were not read. */
  #next = 0;

  constructor(operations: StoredOperations) {
    this.#operations = operations;
  }

  /** Reads the patches before a block. */
  goTo(block: number): void {
    const { tables, indexing } = this.#operations;
    const range = { start: positionKey(this.#next, 0), end: positionKey(block, 0) };
    for (const { value } of tableOf(tables, 'patches').getRange(range)) {
      for (const { payer, count } of indexing.countsOf(new Uint8Array(value))) {
        this.#patched.set(bytesToHex(payer), count);
      }
    }
    this.#next = block;
  }

  /** Returns the count of a sender before its next operation. */
  take(sender: Address): number {
    const name = bytesToHex(sender);
    const patched = this.#patched.get(name);
    this.#patched.delete(name);
    return patched ?? this.#stored(sender);
  }

  #stored(sender: Address): number {
    const range = {
      start: addressOperationKey(sender, true, LAST, LAST),
      end: addressOperationKey(sender, true, 0, 0),
      inclusiveEnd: true,
      reverse: true,
      limit: 1,
    };
    const table = tableOf(this.#operations.tables, 'addressOperations');
    for (const { value } of table.getRange(range)) return decodeCount(value) + 1;
    return 0;
  }
}
