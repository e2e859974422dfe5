import type { TableReading } from '../file/table-reading.ts';
import { positionKey, readUint32 } from '../tables/keys.ts';

/** Reads the sequence of the last patch after a block; 0 for none. */
export function lastPatch(tables: TableReading, block: number): number {
  const range = { start: positionKey(block, 0xffff_ffff), end: positionKey(block, 0), reverse: true };
  const key = tables.firstKey('patches', range);
  return key === undefined ? 0 : readUint32(key, 4);
}
