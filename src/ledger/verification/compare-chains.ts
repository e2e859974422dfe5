import { compareBytes } from '../../protocol/index.ts';
import { type StoreReader, TABLE_NAMES, type TableEntry } from '../../store/index.ts';
import { WorkSlices } from '../work-slices.ts';
import type { CheckOptions } from './verify-state.ts';

/** Where two stores of the same chain differ first. */
export interface ChainDifference {
  readonly table: TableEntry['table'];
  readonly key: Uint8Array;
  /** What each has there; undefined where it has no such entry. */
  readonly left: Uint8Array | undefined;
  readonly right: Uint8Array | undefined;
}

/**
 * Compares all that two stores hold, but for the transactions that wait. Nobody may be adding blocks meanwhile.
 *
 * @returns the first difference; undefined where there is none
 * @throws what the stores throw, and the signal's reason once it is aborted
 */
export async function compareChains(
  left: StoreReader,
  right: StoreReader,
  { stop, onProgress }: CheckOptions = {},
): Promise<ChainDifference | undefined> {
  const slices = new WorkSlices();
  const others = entriesOf(right);
  let compared = 0;
  try {
    for (const entry of entriesOf(left)) {
      stop?.throwIfAborted();
      const difference = differenceOf(entry, others.next().value);
      if (difference !== undefined) return difference;
      compared += 1;
      onProgress?.(compared);
      await slices.next();
    }
    const surplus = others.next().value;
    return surplus === undefined ? undefined : onlyIn('right', surplus);
  } finally {
    others.return(undefined);
  }
}

function* entriesOf(store: StoreReader): Generator<TableEntry, undefined> {
  for (const entry of store.tables()) if (entry.table !== 'pending') yield entry;
}

/** Compares what comes next on either side. */
function differenceOf(left: TableEntry, right: TableEntry | undefined): ChainDifference | undefined {
  if (right === undefined) return onlyIn('left', left);
  const place = comparePlaces(left, right);
  const values = compareBytes(left.value, right.value);
  if (place === 0 && values === 0) return undefined;
  if (place === 0) return { table: left.table, key: left.key, left: left.value, right: right.value };
  return place < 0 ? onlyIn('left', left) : onlyIn('right', right);
}

/** Entries come by the number of their table, then by key. */
function comparePlaces(left: TableEntry, right: TableEntry): number {
  const tables = TABLE_NAMES.indexOf(left.table) - TABLE_NAMES.indexOf(right.table);
  return tables === 0 ? compareBytes(left.key, right.key) : tables;
}

function onlyIn(side: 'left' | 'right', { table, key, value }: TableEntry): ChainDifference {
  return { table, key, left: undefined, right: undefined, [side]: value };
}
