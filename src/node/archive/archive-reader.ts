import type { ByteSource } from './byte-source.ts';
import { ArchiveError } from './errors.ts';
import {
  type ArchiveHeader,
  checkEntry,
  checkGenesis,
  decodeChunk,
  decodeEntryStart,
  decodeHeaderStart,
  ENTRY_BYTES,
  type EntryStart,
  HEADER_BYTES,
} from './format.ts';

/** Some blocks of an archive that follow each other. */
export interface ArchiveChunk {
  /** Number of its first block. */
  readonly first: number;
  /** The blocks, serialized; at least one. */
  readonly blocks: readonly Uint8Array[];
  /** Bytes of the archive up to the end of the chunk. */
  readonly end: number;
}

/** @throws ArchiveError NOT_AN_ARCHIVE, NEWER_FORMAT, CUT or DAMAGED */
export async function readHeader(source: ByteSource): Promise<ArchiveHeader> {
  const start = decodeHeaderStart(await source.take(HEADER_BYTES));
  const genesis = requireWhole(await source.take(start.genesisBytes), start.genesisBytes, 'its header');
  checkGenesis(start, genesis);
  return { chain: start.chain, genesis };
}

/**
 * The chunks that follow the header, each checked, up to the end mark. They follow each other without a gap.
 * @throws ArchiveError CUT or DAMAGED
 */
export async function* readChunks(source: ByteSource): AsyncGenerator<ArchiveChunk> {
  let [first, count] = [0, 0];
  for (;;) {
    const place = count === 0 ? 'its first block' : `block ${first + count}`;
    const entry = decodeEntryStart(requireWhole(await source.take(ENTRY_BYTES), ENTRY_BYTES, place));
    if (entry.kind === 'end') return checkEnd(entry, source, first, count);
    if (count > 0 && entry.first !== first + count) {
      throw new ArchiveError(
        'DAMAGED',
        `block ${entry.first} stands in the archive at the place of ${place}`,
      );
    }
    const payload = requireWhole(await source.take(entry.payloadBytes), entry.payloadBytes, place);
    const blocks = await decodeChunk(entry, payload);
    if (count === 0) first = entry.first;
    count += blocks.length;
    yield { first: entry.first, blocks, end: source.offset };
  }
}

async function checkEnd(entry: EntryStart, source: ByteSource, first: number, count: number): Promise<void> {
  checkEntry(entry, new Uint8Array());
  if (entry.count !== count || (count > 0 && entry.first !== first)) {
    throw new ArchiveError(
      'DAMAGED',
      `the archive's end mark speaks of ${entry.count} blocks from ${entry.first} on; it has ${count} from ${first} on`,
    );
  }
  if ((await source.take(1)).length > 0) {
    throw new ArchiveError('DAMAGED', "something follows the archive's end mark");
  }
}

function requireWhole(bytes: Uint8Array, length: number, place: string): Uint8Array {
  if (bytes.length === length) return bytes;
  throw new ArchiveError('CUT', `the archive is cut off before the end of ${place}`);
}
