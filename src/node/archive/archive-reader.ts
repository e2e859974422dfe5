import type { ByteSource } from './byte-source.ts';
import { ArchiveError } from './errors.ts';
import {
  type ArchiveHeader,
  checkEntry,
  checkGenesis,
  decodeChunk,
  decodeClock,
  decodeEntryStart,
  decodeHeaderStart,
  decodePatches,
  ENTRY_BYTES,
  type EntryStart,
  HEADER_BYTES,
} from './format.ts';

/** A part of an archive. */
export type ArchiveChunk = (BlocksChunk | PatchesChunk | ClockChunk) & {
  /** Bytes of the archive up to the end of the chunk. */
  readonly end: number;
};

/** Some blocks that follow each other. */
interface BlocksChunk {
  readonly kind: 'blocks';
  /** Number of its first block. */
  readonly first: number;
  /** The blocks, serialized; at least one. */
  readonly blocks: readonly Uint8Array[];
}

/** Some patches after a block that follow each other. */
interface PatchesChunk {
  readonly kind: 'patches';
  readonly block: number;
  /** Place of the first one among all patches after the block, from 1 on. */
  readonly sequence: number;
  /** At least one. */
  readonly records: readonly Uint8Array[];
}

/** How many seconds the clock of the chain was ahead. */
interface ClockChunk {
  readonly kind: 'clock';
  readonly ahead: number;
}

/** @throws ArchiveError NOT_AN_ARCHIVE, NEWER_FORMAT, CUT or DAMAGED */
export async function readHeader(source: ByteSource): Promise<Required<ArchiveHeader>> {
  const start = decodeHeaderStart(await source.take(HEADER_BYTES));
  const genesis = requireWhole(await source.take(start.genesisBytes), start.genesisBytes, 'its header');
  checkGenesis(start, genesis);
  const { chain, version } = start;
  return { chain, genesis, version };
}

/**
 * The chunks that follow the header, each checked, up to the end mark. Blocks follow each other without a gap, and so
 * do the patches after each of them.
 *
 * @throws ArchiveError CUT or DAMAGED
 */
export async function* readChunks(source: ByteSource): AsyncGenerator<ArchiveChunk> {
  const order = new ChunkOrder();
  for (;;) {
    const { place } = order;
    const entry = decodeEntryStart(requireWhole(await source.take(ENTRY_BYTES), ENTRY_BYTES, place));
    if (entry.kind === 'end') return checkEnd(entry, source, order.first, order.count);
    order.check(entry);
    const payload = requireWhole(await source.take(entry.payloadBytes), entry.payloadBytes, place);
    const chunk = await decodeEntry(entry, payload);
    order.pass(chunk);
    yield { ...chunk, end: source.offset };
  }
}

async function decodeEntry(
  entry: EntryStart,
  payload: Uint8Array,
): Promise<BlocksChunk | PatchesChunk | ClockChunk> {
  const { kind, first } = entry;
  if (kind === 'clock') return { kind, ahead: decodeClock(entry, payload) };
  if (kind === 'patches') return { kind, block: first, ...(await decodePatches(entry, payload)) };
  return { kind: 'blocks', first, blocks: await decodeChunk(entry, payload) };
}

/** What has come of an archive, and so what may come next. */
class ChunkOrder {
  /** Number of the next block; undefined at the beginning. */
  #next: number | undefined;
  /** How many patches there were after the block before that. */
  #patches = 0;
  first = 0;
  count = 0;

  /** Where it is, for messages. */
  get place(): string {
    return this.count === 0 ? 'its first block' : `block ${this.#next}`;
  }

  /** @throws ArchiveError DAMAGED for an entry that stands in the wrong place */
  check({ kind, first }: EntryStart): void {
    const place = kind === 'patches' ? first + 1 : first;
    if (kind === 'clock' || this.#next === undefined || place === this.#next) return;
    const what = kind === 'patches' ? `a patch after block ${first}` : `block ${first}`;
    throw new ArchiveError('DAMAGED', `${what} stands in the archive at the place of ${this.place}`);
  }

  /** @throws ArchiveError DAMAGED for patches that do not follow those before them */
  pass(chunk: BlocksChunk | PatchesChunk | ClockChunk): void {
    if (chunk.kind === 'clock') return;
    if (chunk.kind === 'blocks') {
      if (this.count === 0) this.first = chunk.first;
      this.count += chunk.blocks.length;
      this.#next = chunk.first + chunk.blocks.length;
      this.#patches = 0;
      return;
    }
    const { block, sequence, records } = chunk;
    if (sequence !== this.#patches + 1) {
      const place = `patch ${this.#patches + 1} after block ${block}`;
      throw new ArchiveError('DAMAGED', `patch ${sequence} stands in the archive at the place of ${place}`);
    }
    this.#next = block + 1;
    this.#patches += records.length;
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
