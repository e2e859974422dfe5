import { readUint32, toOperationHash } from '../../protocol/index.ts';
import type { Database } from '../file/database.ts';
import { encodePosition, listsOf } from '../logs/log-postings.ts';
import type { RevertedBlocks } from '../store.ts';
import { OPERATION_HASH_BYTES, operationPositionKey, positionKey } from '../tables/keys.ts';
import type { TableName } from '../tables/tables.ts';

/** Undo records that a revert reads or removes in one batch. */
export const REVERT_BATCH_RECORDS = 1_024;

/** The tables that contain only records of operations. */
const OPERATION_TABLES = [
  ...(['operationPositions', 'addressOperations', 'logs', 'receipts', 'transactions'] as const),
];
/** The greatest index of an operation. */
const LAST_INDEX = 0xffff_ffff;

/** The tables ordered by block: the entries of reverted blocks are at their end. */
export type RevertedTable = Extract<TableName, 'blocks' | 'patches' | 'receipts' | 'transactions'>;

/** Returns the first key of a table's reverted entries. */
export function startOf(table: RevertedTable, { to, patches = 0 }: RevertedBlocks): Uint8Array {
  const hasPatches = table === 'blocks' || table === 'patches';
  return positionKey(to, hasPatches ? patches + 1 : LAST_INDEX);
}

/** Decodes an entry of the receipts. @throws errors of `logsOf` */
export function operationOf(key: Uint8Array, value: Uint8Array, { logsOf }: RevertedBlocks) {
  const block = readUint32(key, 0);
  const index = readUint32(key, 4);
  const hash = toOperationHash(value.slice(0, OPERATION_HASH_BYTES));
  return { block, index, hash, logs: logsOf(value.subarray(OPERATION_HASH_BYTES), block, index) };
}

/** Removes all records of reverted blocks and patches, inside a commit. */
export function removeReverted(database: Database, blocks: RevertedBlocks): void {
  if (isWholeChain(blocks)) {
    removeWholeChain(database, blocks);
    return;
  }
  removeOperations(database, blocks);
  for (const name of ['transactions', 'patches', 'blocks'] as const) {
    const table = database.table(name);
    const range = { start: startOf(name, blocks), limit: REVERT_BATCH_RECORDS };
    const nextKeys = () => Array.from(table.getKeys(range), (shared) => shared.slice());
    for (let keys = nextKeys(); keys.length > 0; keys = nextKeys()) {
      for (const key of keys) table.removeSync(key);
    }
  }
}

/** Returns true if only the genesis remains, which has no operations. */
export function isWholeChain({ to }: RevertedBlocks): boolean {
  return to === 0;
}

/** Clears the tables, in a time that does not depend on their content. */
function removeWholeChain(database: Database, blocks: RevertedBlocks): void {
  for (const name of OPERATION_TABLES) database.table(name).clearSync();
  for (const name of ['patches', 'blocks'] as const) {
    const remaining = [...database.entries(name, { end: startOf(name, blocks) })];
    database.table(name).clearSync();
    for (const { key, value } of remaining) database.table(name).putSync(key, value);
  }
}

function removeOperations(database: Database, blocks: RevertedBlocks): void {
  const receipts = database.table('receipts');
  const positions = database.table('operationPositions');
  const logs = database.table('logs');
  const range = { start: startOf('receipts', blocks), limit: REVERT_BATCH_RECORDS };
  const nextEntries = () => [...database.entries('receipts', range)];
  for (let entries = nextEntries(); entries.length > 0; entries = nextEntries()) {
    for (const { key, value } of entries) {
      const { block, index, hash, logs: written } = operationOf(key, value, blocks);
      for (const log of written) {
        const position = encodePosition({ block, operation: log.operation, offset: log.offset });
        for (const list of listsOf(log)) logs.removeSync(list, position);
      }
      positions.removeSync(operationPositionKey(hash, block, index));
      receipts.removeSync(key);
    }
  }
}
