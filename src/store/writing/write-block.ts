import { LOG_TOPICS_MAX } from '../../consensus.ts';
import { type Address, bytesToHex, concatBytes, hexToBytes, invariant } from '../../protocol/index.ts';
import type { Database } from '../file/database.ts';
import type { Table } from '../file/opened-file.ts';
import { lastPatch, readHead } from '../file/table-reading.ts';
import { encodePosition, listsOf, POSITION_BYTES } from '../logs/log-postings.ts';
import { encodeTransaction } from '../reading/transaction-record.ts';
import type { BlockCommit, IndexedLog, PatchCommit } from '../store.ts';
import { StoreError } from '../store-error.ts';
import type { StoreOptions } from '../store-options.ts';
import {
  addressOperationKey,
  blockKey,
  decodeCount,
  encodeCount,
  isBlockNumber,
  isOperationIndex,
  operationPositionKey,
  positionKey,
} from '../tables/keys.ts';
import { META_KEY_BYTES } from '../tables/tables.ts';
import { encodeUndo, isOverwritten, type OverwrittenEntry } from '../undo/undo-record.ts';
import { noteUndo, pruneUndo, undoKey } from '../undo/undo-table.ts';
import { sizeOfBlocks, sizeOfPatch } from './block-size.ts';
import { removePending } from './write-pending.ts';

/** Value of an entry whose key contains all its data. */
const NOTHING = new Uint8Array();

/** The optional data of a store: `history`, and the number of newest blocks with undo records. */
type Retention = Required<Pick<StoreOptions, 'history' | 'undoBlocks'>>;

/**
 * Writes blocks that `checkParts` has accepted, in one transaction.
 *
 * @throws StoreError STORE_WRONG_NUMBER or STORE_COMMIT_FAILED; nothing is written then
 */
export function writeBlocks(database: Database, commits: readonly BlockCommit[], retention: Retention): void {
  database.commit(sizeOfBlocks(commits), () => {
    for (const commit of commits) writeBlock(database, commit, retention);
  });
}

function writeBlock(database: Database, commit: BlockCommit, { history, undoBlocks }: Retention): void {
  // Inside the transaction no other writer can add a block in between.
  if (commit.genesis !== undefined || !isNext(database, commit.number))
    checkNumber(commit, readHead(database));
  writeRecords(database, commit);
  const found = writePositions(database, commit);
  writeLogs(database, commit);
  writeState(database, commit);
  if (commit.genesis !== undefined) {
    database.table('meta').putSync(META_KEY_BYTES.genesis, commit.genesis);
  }
  removePending(database, commit.removedPending ?? []);
  const counted = history ? countOperations(database, commit.payers) : [];
  const entered = writeInvolved(database, commit, history ? countsBefore(counted) : undefined);
  // Nothing precedes the first block.
  const isFirst = commit.number === 0 || commit.genesis !== undefined;
  if (undoBlocks > 0 && !isFirst) {
    const record = encodeUndo([...overwrittenState(commit), ...counted, ...found, ...entered]);
    append(database.table('blocks'), undoKey(commit.number), record);
    noteUndo(database, commit.number);
    pruneUndo(database, commit.number, undoBlocks);
  }
}

/** Returns true if a block follows the head: two look-ups cost less than the search for the head. */
function isNext(database: Database, number: number): boolean {
  if (number === 0 || !isBlockNumber(number)) return false;
  const table = database.table('blocks');
  return table.doesExist(blockKey(number - 1)) && !table.doesExist(blockKey(number));
}

/**
 * Rejects a block that does not follow the head. The first one has any number with the genesis, else 0.
 * @throws StoreError STORE_WRONG_NUMBER, STORE_INVALID_COMMIT
 */
export function checkNumber(
  { number, genesis }: Pick<BlockCommit, 'number' | 'genesis'>,
  head: number | undefined,
): void {
  if (genesis !== undefined && head !== undefined) throw invalid(`a genesis record with block ${number}`);
  const first = genesis === undefined ? 0 : number;
  const next = head === undefined ? first : head + 1;
  if (number === next && isBlockNumber(number)) return;
  throw new StoreError('STORE_WRONG_NUMBER', `block ${number} can't be stored: the next block is ${next}`);
}

/** Rejects a commit whose parts are inconsistent. @throws StoreError STORE_INVALID_COMMIT */
export function checkParts(commit: BlockCommit): void {
  const { transactions, receipts, operationHashes, logs } = commit;
  const { otherHashes = [], involved = [] } = commit;
  const operations = receipts.length;
  if (operationHashes.length !== operations) {
    throw invalid(`${operations} receipts and ${operationHashes.length} operation hashes`);
  }
  if (involved.some(({ operation }) => !(operation < operations))) {
    throw invalid('an address of an operation that does not exist');
  }
  if (otherHashes.some(({ operation }) => operation >= operations)) {
    throw invalid('another hash of an operation that does not exist');
  }
  if (transactions.length === 0 && operations > 0)
    throw invalid(`${operations} operations without a transaction`);
  let least = 0;
  for (const [index, { firstOperation }] of transactions.entries()) {
    const greatest = index === 0 ? 0 : operations - 1;
    if (!Number.isInteger(firstOperation) || firstOperation < least || firstOperation > greatest) {
      throw invalid(`transaction ${index} begins with operation ${firstOperation} of ${operations}`);
    }
    least = firstOperation + 1;
  }
  if (least > operations) throw invalid('a transaction without operations');
  checkLogs(logs, operations);
}

function checkLogs(logs: readonly IndexedLog[], operations: number): void {
  let lastOperation = 0;
  let lastOffset = -1;
  for (const [index, { operation, offset, topics }] of logs.entries()) {
    const follows = operation > lastOperation || (operation === lastOperation && offset > lastOffset);
    if (!isOperationIndex(operation) || !isOperationIndex(offset) || !follows || operation >= operations) {
      throw invalid(`log ${index} is log ${offset} of operation ${operation} of ${operations}`);
    }
    if (topics.length > LOG_TOPICS_MAX) throw invalid(`log ${index} has ${topics.length} topics`);
    lastOperation = operation;
    lastOffset = offset;
  }
}

function invalid(reason: string): StoreError {
  return new StoreError('STORE_INVALID_COMMIT', `the parts of the block are inconsistent: ${reason}`);
}

/** Writes the records that are appended to their tables, where LMDB fills its pages. */
function writeRecords(database: Database, commit: BlockCommit): void {
  const { number, block, transactions, receipts, operationHashes } = commit;
  append(database.table('blocks'), blockKey(number), block);
  const transactionTable = database.table('transactions');
  for (const [index, { firstOperation, bytes }] of transactions.entries()) {
    const end = transactions[index + 1]?.firstOperation ?? receipts.length;
    append(
      transactionTable,
      positionKey(number, firstOperation),
      encodeTransaction(end - firstOperation, bytes),
    );
  }
  const receiptTable = database.table('receipts');
  for (const [index, hash] of operationHashes.entries()) {
    const receipt = receipts[index];
    invariant(receipt !== undefined, 'there are as many receipts as operation hashes');
    append(receiptTable, positionKey(number, index), concatBytes(hash, receipt));
  }
}

/** Indexes operations by their hashes. Returns undo entries of the other hashes, which the receipts do not contain. */
function writePositions(
  database: Database,
  { number, operationHashes, otherHashes = [] }: BlockCommit,
): OverwrittenEntry[] {
  const table = database.table('operationPositions');
  for (const [index, hash] of operationHashes.entries()) {
    table.putSync(operationPositionKey(hash, number, index), NOTHING);
  }
  return otherHashes.map(({ operation, hash }) => {
    const key = operationPositionKey(hash, number, operation);
    table.putSync(key, NOTHING);
    return { table: 'operationPositions', key, before: undefined };
  });
}

/**
 * Indexes the operations of a block by the addresses that they involve, inside its commit.
 *
 * @param countOf returns the number of operations that a sender paid for before its next one, called once for each;
 *   absent: they are not counted
 * @returns the undo entries: the store cannot derive them from the records of the block
 */
function writeInvolved(
  database: Database,
  { number, involved = [] }: Pick<BlockCommit, 'number' | 'involved'>,
  countOf: ((sender: Address) => number) | undefined,
): OverwrittenEntry[] {
  const table = database.table('addressOperations');
  return involved.map(({ operation, address, isSender }) => {
    const key = addressOperationKey(address, isSender, number, operation);
    table.putSync(key, isSender && countOf !== undefined ? encodeCount(countOf(address)) : NOTHING);
    return { table: 'addressOperations', key, before: undefined };
  });
}

function writeLogs(database: Database, { number, logs }: BlockCommit): void {
  const table = database.table('logs');
  // One array for all: the library needs its address, which takes long for a new one.
  const position = new Uint8Array(POSITION_BYTES);
  for (const log of logs) {
    encodePosition({ block: number, operation: log.operation, offset: log.offset }, position);
    for (const list of listsOf(log)) table.putSync(list, position);
  }
}

function writeState(
  database: Database,
  { state, accumulator }: Pick<BlockCommit, 'state' | 'accumulator'>,
): void {
  const table = database.table('state');
  for (const { key, after } of state) {
    if (after === undefined) table.removeSync(key);
    else table.putSync(key, after);
  }
  database.table('meta').putSync(META_KEY_BYTES.accumulator, accumulator);
}

/** Returns the entries of the state that a block or a patch overwrites. */
function overwrittenState({ state }: Pick<BlockCommit, 'state'>): OverwrittenEntry[] {
  return state
    .filter(({ before, after }) => isOverwritten(before, after))
    .map(({ key, before }) => ({ table: 'state', key, before }));
}

/** Adds the operations of a block to the counts of their payers. Returns the previous counts. */
function countOperations(database: Database, payers: readonly Address[]): OverwrittenEntry[] {
  const counts = new Map<string, number>();
  for (const payer of payers) {
    const key = bytesToHex(payer);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const table = database.table('operationCounts');
  return Array.from(counts, ([address, count]) => {
    const key = hexToBytes(address);
    const before = table.get(key);
    table.putSync(key, encodeCount(decodeCount(before) + count));
    return { table: 'operationCounts', key, before };
  });
}

/** Returns a function that counts the operations of senders, from the counts before a block on. */
function countsBefore(counted: readonly OverwrittenEntry[]): (sender: Address) => number {
  const counts = new Map(counted.map(({ key, before }) => [bytesToHex(key), decodeCount(before)]));
  return (sender) => {
    const key = bytesToHex(sender);
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    return count;
  };
}

/** Implements `Store.commitPatch`; `hasUndo` is true if the patch gets an undo record. */
export function writePatch(database: Database, commit: PatchCommit, hasUndo: boolean): number {
  return database.commit(sizeOfPatch(commit), () => {
    const head = readHead(database);
    if (head === undefined) {
      throw new StoreError('STORE_WRONG_NUMBER', "a store that has no blocks can't be patched");
    }
    const sequence = lastPatch(database, head) + 1;
    database.table('patches').putSync(positionKey(head, sequence), commit.patch);
    writeState(database, commit);
    const overwritten = [...overwrittenState(commit), ...patchCounts(database, commit)];
    if (hasUndo) database.table('blocks').putSync(undoKey(head, sequence), encodeUndo(overwritten));
    return sequence;
  });
}

function patchCounts(database: Database, { counts }: PatchCommit): OverwrittenEntry[] {
  const table = database.table('operationCounts');
  return counts.map(({ payer, count }) => {
    const before = database.get('operationCounts', payer);
    if (count === 0) table.removeSync(payer);
    else table.putSync(payer, encodeCount(count));
    return { table: 'operationCounts', key: payer, before };
  });
}

function append(table: Table, key: Uint8Array, value: Uint8Array): void {
  // The library returns true if the key was accepted, although its types omit that.
  const accepted: unknown = table.putSync(key, value, { append: true });
  if (accepted !== true) {
    throw new StoreError('STORE_COMMIT_FAILED', 'the file already holds entries beyond the new block');
  }
}
