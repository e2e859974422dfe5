/**
 * The numbered tables. A number keeps its meaning for ever: a table that goes out of use leaves its number
 * unused. Every key is binary, its numbers fixed-width and big-endian, so that the order of keys is the order
 * of what they stand for.
 */

/**
 * Version of everything in this file and of the records the store writes. A file of an earlier version, from
 * `FORMAT_VERSION_LEAST` on, is migrated when it is opened for writing.
 */
export const FORMAT_VERSION = 5;

/** The earliest version of which files are read and migrated. */
export const FORMAT_VERSION_LEAST = 3;

/** The tables of the database file, by number. */
export const TABLES = {
  /** name of a fact about the file, ASCII -> its value (`META_KEYS`) */
  meta: 1,
  /** number of a state table (1 byte) ‖ its key -> one entry of the ledger's state (`STATE_TABLES`) */
  state: 2,
  /**
   * block number (4) -> block record, decided by the ledger; and behind it, since there they cost a commit no further
   * page: block number (4) ‖ sequence (4) -> what was overwritten in other tables (`encodeUndo`), by the block itself
   * under the sequence 0, from block 1 on, and by each patch after it under that patch's sequence
   */
  blocks: 3,
  /** block number (4) ‖ index of the first operation (4) -> number of operations (4) ‖ transaction record */
  transactions: 4,
  /** block number (4) ‖ operation index (4) -> operation hash (20) ‖ receipt, decided by the ledger */
  receipts: 5,
  /** operation hash (20) ‖ block number (4) ‖ operation index (4) -> nothing */
  operationPositions: 6,
  /** address (20) -> number of included operations that it paid for (8); only with history */
  operationCounts: 7,
  /** number of a kind of list (1) ‖ value -> a list of positions of logs: block, operation and offset (4 each) */
  logs: 8,
  /** sequence (8) -> record of a transaction that waits for its block, decided by the ledger */
  pending: 9,
  /** block number (4) ‖ sequence from 1 on (4) -> record of a patch after the block, decided by the ledger */
  patches: 10,
  /** id (8) -> block number (4) ‖ patches after it (4) ‖ what else the snapshot holds, decided by the ledger */
  snapshots: 11,
  /**
   * address (20) ‖ 0 where it is the operation's sender, else 1 (1) ‖ block number (4) ‖ operation index (4) ->
   * nothing; of a sender, with history, how many operations it had paid for before (8)
   */
  addressOperations: 12,
} as const;

/** Name of a table of the database file. */
export type TableName = keyof typeof TABLES;

/** Tables that came with a format: a file of an earlier one is read as if it had them and they were empty. */
export const TABLES_SINCE: Readonly<Partial<Record<TableName, number>>> = {
  patches: 4,
  snapshots: 4,
  addressOperations: 5,
};

/** The tables in which a key has a sorted list of values of equal length (`dupSort` and `dupFixed` of LMDB). */
export const LIST_TABLES: ReadonlySet<TableName> = new Set(['logs']);

/** The tables inside `state`: the first byte of each of its keys. All values are decided by the ledger. */
export const STATE_TABLES = {
  /** address (20) -> balance, nonce and code hash of the account */
  account: 1,
  /** address (20) ‖ slot (32) -> storage word (32) */
  storage: 2,
  /** code hash (32) -> code */
  code: 3,
  /** account instance (6) -> native account: name, authority, key, options */
  nativeAccount: 4,
  /** account name, UTF-8 -> account id */
  accountName: 5,
  /** contract instance (6) -> address of the contract */
  contractAddress: 6,
  /** address of a contract (20) -> contract id */
  contractId: 7,
  /** registered EVM address (20) -> account id */
  evmAddress: 8,
  /** nothing: one entry -> the next free instances and what else the ledger counts */
  counters: 9,
} as const;

/** The facts that `meta` holds, by their keys. */
export const META_KEYS = {
  /** format version (4) */
  format: 'format',
  /** 1 byte: 1 when operations are counted by payer, else 0 */
  history: 'history',
  /** lattice accumulator of the state after the head, as the last commit gave it */
  accumulator: 'accumulator',
  /** what the chain begins with, decided by the ledger */
  genesis: 'genesis',
  /** id of the chain that the file was opened for when its chain was replaced (32); absent where it never was */
  openedWith: 'openedWith',
  /** how often blocks were taken back (8); absent where none ever was */
  reorgCount: 'epoch',
  /** newest id that a snapshot of the chain was given (8); absent where none ever was */
  snapshot: 'snapshot',
  /**
   * reorganisation count (8) that the newest return to a snapshot gave ‖ what it brought back, decided by the ledger;
   * absent: none
   */
  restored: 'restored',
  /** number (4) of the first block of which is kept what it overwrote, as of all later ones; absent where of none */
  undoStart: 'undoStart',
} as const;

export const META_KEY_BYTES = Object.fromEntries(
  Object.entries(META_KEYS).map(([fact, key]) => [fact, new TextEncoder().encode(key)]),
) as Readonly<Record<keyof typeof META_KEYS, Uint8Array>>;

/** The tables' names in the order of their numbers. */
export const TABLE_NAMES: readonly TableName[] = (Object.keys(TABLES) as TableName[]).sort(
  (left, right) => TABLES[left] - TABLES[right],
);

/** The name of a table's database inside the file: its number and name, `3-blocks`. */
export function databaseName(table: TableName): string {
  return `${TABLES[table]}-${table}`;
}
