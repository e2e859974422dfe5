import { REVERT_BATCH_RECORDS } from '../../limits.ts';
import { toOperationHash } from '../../protocol/index.ts';
import type { Database } from '../file/database.ts';
import { encodePosition, listsOf } from '../logs/log-postings.ts';
import type { RevertedBlocks } from '../store.ts';
import { OPERATION_HASH_BYTES, operationPositionKey, positionKey, readUint32 } from '../tables/keys.ts';
import type { TableName } from '../tables/tables.ts';

/** The tables that hold records of operations alone. */
const EMPTIED = ['operationPositions', 'addressOperations', 'logs', 'receipts', 'transactions'] as const;
/** No index of an operation is greater. */
const LAST_INDEX = 0xffff_ffff;

/** The tables ordered by block: the entries of reverted blocks are at their end. */
export type RevertedTable = Extract<TableName, 'blocks' | 'patches' | 'receipts' | 'transactions'>;

/** Returns the least key of a table's reverted entries. */
export function startOf(table: RevertedTable, { to, patches = 0 }: RevertedBlocks): Uint8Array {
  const hasPatches = table === 'blocks' || table === 'patches';
  return positionKey(to, hasPatches ? patches + 1 : LAST_INDEX);
}

/** Reads the operation of an entry of the receipts. @throws what `logsOf` throws */
export function operationOf(key: Uint8Array, value: Uint8Array, { logsOf }: RevertedBlocks) {
  const [block, index] = [readUint32(key, 0), readUint32(key, 4)];
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
    for (let keys = keysOf(); keys.length > 0; keys = keysOf()) for (const key of keys) table.removeSync(key);

    function keysOf(): Uint8Array[] {
      return Array.from(table.getKeys(range), (shared) => shared.slice());
    }
  }
}

/** Returns true if only the genesis stays, which has no operations. */
export function isWholeChain({ to }: RevertedBlocks): boolean {
  return to === 0;
}

/** Empties tables, which takes the same time whatever they hold. */
function removeWholeChain(database: Database, blocks: RevertedBlocks): void {
  for (const name of EMPTIED) {
    database.table(name).clearSync();
  }
  for (const name of ['patches', 'blocks'] as const) {
    const kept = [...database.entries(name, { end: startOf(name, blocks) })];
    database.table(name).clearSync();
    for (const { key, value } of kept) database.table(name).putSync(key, value);
  }
}

function removeOperations(database: Database, blocks: RevertedBlocks): void {
  const [receipts, positions] = [database.table('receipts'), database.table('operationPositions')];
  const logs = database.table('logs');
  const range = { start: startOf('receipts', blocks), limit: REVERT_BATCH_RECORDS };
  for (let entries = entriesOf(); entries.length > 0; entries = entriesOf()) {
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

  function entriesOf() {
    return [...database.entries('receipts', range)];
  }
}
