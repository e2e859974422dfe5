import type { TableReading } from '../file/table-reading.ts';
import { afterPrefix, blockKey, positionKey, readUint32 } from '../tables/record-keys.ts';

/** Reads the sequence of the last patch after a block; 0 for none. */
export function lastPatch(tables: TableReading, block: number): number {
  const range = { start: positionKey(block, 0xffff_ffff), end: positionKey(block, 0), reverse: true };
  const key = tables.firstKey('patches', range);
  return key === undefined ? 0 : readUint32(key, 4);
}

/** Reads the patches after a block, in order. */
export function* readPatches(tables: TableReading, block: number): Generator<Uint8Array> {
  const start = blockKey(block);
  const end = afterPrefix(start);
  for (const { value } of tables.entries('patches', end === undefined ? { start } : { start, end }))
    yield value;
}

/** Reads the newest patch of the chain. */
export function newestPatch(tables: TableReading): Uint8Array | undefined {
  const key = tables.firstKey('patches', { reverse: true });
  return key && tables.get('patches', key);
}
