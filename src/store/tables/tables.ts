/**
 * The numbered tables. A number keeps its meaning for ever: the number of a removed table stays unused. Every key is
 * binary with fixed-width, big-endian numbers, so that keys are ordered like the values that they encode.
 */

/** Version of everything in this file and of the records the store writes. A file of another version is refused. */
export const FORMAT_VERSION = 5;

/** The tables of the database file, by number. */
export const TABLES = {
  /** name of a fact about the file, ASCII -> its value (`META_KEYS`) */
  meta: 1,
  /** number of a state table (1 byte) ‖ its key -> one entry of the ledger's state (`STATE_TABLES`) */
  state: 2,
  /**
   * block number (4) -> block record, defined by the ledger; after it, where they change no further page of a commit:
   * block number (4) ‖ sequence (4) -> undo record (`encodeUndo`), of the block itself with sequence 0, from block 1
   * on, and of each patch after it with the sequence of the patch
   */
  blocks: 3,
  /** block number (4) ‖ index of the first operation (4) -> number of operations (4) ‖ transaction record */
  transactions: 4,
  /** block number (4) ‖ operation index (4) -> operation hash (20) ‖ receipt, defined by the ledger */
  receipts: 5,
  /** operation hash (20) ‖ block number (4) ‖ operation index (4) -> nothing */
  operationPositions: 6,
  /** address (20) -> number of included operations that it paid for (8); only with history */
  operationCounts: 7,
  /** number of a kind of list (1) ‖ value -> a list of positions of logs: block, operation and offset (4 each) */
  logs: 8,
  /** sequence (8) -> record of a pending transaction, defined by the ledger */
  pending: 9,
  /** block number (4) ‖ sequence from 1 on (4) -> record of a patch after the block, defined by the ledger */
  patches: 10,
  /** id (8) -> block number (4) ‖ number of patches after it (4) ‖ other data, defined by the ledger */
  snapshots: 11,
  /**
   * address (20) ‖ 0 for the operation's sender, else 1 (1) ‖ block number (4) ‖ operation index (4) -> nothing; for a
   * sender, with history, number of operations that it paid for before (8)
   */
  addressOperations: 12,
  /**
   * transaction hash (32) ‖ length of the sidecar (4) -> blobs of a pending or included transaction, with commitments
   * and proofs, defined by the ledger; not part of the chain
   */
  sidecars: 13,
} as const;

/** Name of a table of the database file. */
export type TableName = keyof typeof TABLES;

/** The tables with a sorted list of values of equal length per key (`dupSort` and `dupFixed` of LMDB). */
export const LIST_TABLES: ReadonlySet<TableName> = new Set(['logs']);

/** The tables inside `state`: the first byte of each of its keys. The ledger defines all values. */
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
  /** nothing: one entry -> the next free instances and other counters of the ledger */
  counters: 9,
  /** path (a nibble in each byte) -> record of the trie of accounts (`Trie`); only on chains with a state trie */
  accountTrie: 10,
  /** Keccak-256 of an address (32) ‖ path -> record of the trie of its storage; only on chains with a state trie */
  storageTrie: 11,
} as const;

export const META_KEYS = {
  /** format version (4) */
  format: 'format',
  /** 1 byte: 1 if operations are counted by payer, else 0 */
  history: 'history',
  /** lattice accumulator of the state after the head, of the last commit */
  accumulator: 'accumulator',
  /** genesis of the chain, defined by the ledger */
  genesis: 'genesis',
  /** id (32) of the chain for which the file was opened when its chain was replaced; absent: never replaced */
  openedWith: 'openedWith',
  /** number of reorganisations (8); absent: none */
  reorgCount: 'epoch',
  /** newest id of a snapshot of the chain (8); absent: none */
  snapshot: 'snapshot',
  /**
   * reorganisation count (8) after the newest restored snapshot ‖ restored data, defined by the ledger; absent: none
   */
  restored: 'restored',
  /** number (4) of the first block with an undo record, which all later ones have; absent: none */
  undoStart: 'undoStart',
} as const;

export const META_KEY_BYTES = Object.fromEntries(
  Object.entries(META_KEYS).map(([name, key]) => [name, new TextEncoder().encode(key)]),
) as Readonly<Record<keyof typeof META_KEYS, Uint8Array>>;

/** The tables' names in the order of their numbers. */
export const TABLE_NAMES: readonly TableName[] = (Object.keys(TABLES) as TableName[]).sort(
  (left, right) => TABLES[left] - TABLES[right],
);

/** Returns the name of a table's database inside the file: its number and name, `3-blocks`. */
export function databaseName(table: TableName): string {
  return `${TABLES[table]}-${table}`;
}
