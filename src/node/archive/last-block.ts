import { open } from 'node:fs/promises';
import { ArchiveError } from './errors.ts';
import { checkEntry, decodeEntryStart, ENTRY_BYTES, HEADER_BYTES } from './format.ts';

/**
 * The number of an archive's last block, from its end mark, without reading the archive; undefined for one that is
 * not whole, or is no plain file.
 */
export async function readLastBlock(path: string): Promise<number | undefined> {
  const file = await open(path, 'r');
  try {
    const stats = await file.stat();
    if (!stats.isFile() || stats.size < HEADER_BYTES + ENTRY_BYTES) return undefined;
    const mark = new Uint8Array(ENTRY_BYTES);
    await file.read(mark, 0, mark.length, stats.size - mark.length);
    const entry = decodeEntryStart(mark);
    await checkEntry(entry, new Uint8Array());
    return entry.kind === 'end' ? entry.first + entry.count - 1 : undefined;
  } catch (error) {
    if (error instanceof ArchiveError) return undefined;
    throw error;
  } finally {
    await file.close();
  }
}
