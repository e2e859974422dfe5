import { compareBytes, equalBytes } from '../../protocol/index.ts';
import {
  blockOfUndoKey,
  META_KEYS,
  type StoreReader,
  TABLE_NAMES,
  type TableEntry,
} from '../../store/index.ts';
import { inSlices } from '../../time/job.ts';
import type { CheckOptions } from './verify-state.ts';

/** Entries of the file itself, which may differ between the files of one chain. */
const OF_FILE = [
  META_KEYS.reorgCount,
  META_KEYS.format,
  META_KEYS.openedWith,
  META_KEYS.restored,
  META_KEYS.snapshot,
  META_KEYS.undoStart,
].map((name) => new TextEncoder().encode(name));

const BESIDE_CHAIN: ReadonlySet<TableEntry['table']> = new Set(['pending', 'snapshots', 'sidecars']);

/** The first difference between two stores of the same chain. */
export interface ChainDifference {
  readonly table: TableEntry['table'];
  readonly key: Uint8Array;
  /** Value of the entry in each store; undefined where it has no such entry. */
  readonly left: Uint8Array | undefined;
  readonly right: Uint8Array | undefined;
}

/**
 * Compares two stores of a chain, except pending transactions, snapshots, the file format and the reorganisation count.
 * Undo records are compared where both stores have them. No process may add blocks meanwhile.
 * @returns the first difference; undefined without one
 * @throws as the stores, and the signal's reason once it is aborted
 */
export function compareChains(
  left: StoreReader,
  right: StoreReader,
  options: CheckOptions = {},
): Promise<ChainDifference | undefined> {
  return inSlices(comparing(left, right, options));
}

function* comparing(
  left: StoreReader,
  right: StoreReader,
  { stop, onProgress }: CheckOptions,
): Generator<void, ChainDifference | undefined> {
  const undoStart = Math.max(undoStartOf(left), undoStartOf(right));
  const isCompared = (entry: TableEntry): boolean => isOfChain(entry, undoStart);
  const others = entriesOf(right, isCompared);
  let compared = 0;
  try {
    for (const entry of entriesOf(left, isCompared)) {
      stop?.throwIfAborted();
      const difference = differenceOf(entry, others.next().value);
      if (difference !== undefined) return difference;
      compared += 1;
      onProgress?.(compared);
      yield;
    }
    const surplus = others.next().value;
    return surplus === undefined ? undefined : onlyIn('right', surplus);
  } finally {
    others.return(undefined);
  }
}

/** Returns the number of the oldest block with an undo record. */
function undoStartOf(store: StoreReader): number {
  return store.undoStart() ?? Number.POSITIVE_INFINITY;
}

function* entriesOf(
  store: StoreReader,
  isCompared: (entry: TableEntry) => boolean,
): Generator<TableEntry, undefined> {
  for (const entry of store.tables()) if (isCompared(entry)) yield entry;
}

function isOfChain({ table, key }: TableEntry, undoStart: number): boolean {
  const overwriting = table === 'blocks' ? blockOfUndoKey(key) : undefined;
  if (overwriting !== undefined) return overwriting >= undoStart;
  return !BESIDE_CHAIN.has(table) && !(table === 'meta' && OF_FILE.some((name) => equalBytes(key, name)));
}

/** Compares the next entries of both stores. */
function differenceOf(left: TableEntry, right: TableEntry | undefined): ChainDifference | undefined {
  if (right === undefined) return onlyIn('left', left);
  const order = compareKeys(left, right);
  const values = compareBytes(left.value, right.value);
  if (order === 0 && values === 0) return undefined;
  if (order === 0) return { table: left.table, key: left.key, left: left.value, right: right.value };
  return order < 0 ? onlyIn('left', left) : onlyIn('right', right);
}

/** Compares entries by the number of their table, then by key. */
function compareKeys(left: TableEntry, right: TableEntry): number {
  const tables = TABLE_NAMES.indexOf(left.table) - TABLE_NAMES.indexOf(right.table);
  return tables === 0 ? compareBytes(left.key, right.key) : tables;
}

function onlyIn(side: 'left' | 'right', { table, key, value }: TableEntry): ChainDifference {
  return { table, key, left: undefined, right: undefined, [side]: value };
}
