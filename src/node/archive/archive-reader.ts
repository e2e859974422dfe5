import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { concatBytes, DecodeError, FrameReader } from '../../protocol/index.ts';
import { CODE_SET_BYTES_MAX } from '../../rpc/index.ts';
import { SIGNED_BLOCK_BYTES_MAX } from '../keys/signed-records.ts';
import {
  ARCHIVE_CHUNK_BYTES_MAX,
  ArchiveError,
  type ArchiveHeader,
  checkEntry,
  checkGenesis,
  damagedChunk,
  decodeClock,
  decodeEntryStart,
  decodeHeaderStart,
  ENTRY_BYTES,
  type EntryStart,
  HEADER_BYTES,
  splitPatches,
} from './format.ts';

/** Bytes of a chunk of a decompressed archive (64 KiB). */
const INFLATED_CHUNK_BYTES = 64 * 1024;
/** Bytes of the shortest encoded block: no transactions, account ids of one byte. */
export const BLOCK_BYTES_MIN = 156;
/** Bytes of the shortest patch, which sets no balance, and of the longest, which sets code. */
export const PATCH_BYTES_MIN = 3;
export const PATCH_BYTES_MAX = 2 * CODE_SET_BYTES_MAX;

/** Bytes of the shortest and the longest record of each kind. */
const RECORD_BYTES = {
  blocks: { blockBytesMin: BLOCK_BYTES_MIN, blockBytesMax: SIGNED_BLOCK_BYTES_MAX },
  patches: { blockBytesMin: PATCH_BYTES_MIN, blockBytesMax: PATCH_BYTES_MAX },
};

type RecordsEntry = EntryStart & { readonly kind: keyof typeof RECORD_BYTES };

export type ArchiveItem =
  | { readonly kind: 'block'; readonly number: number; readonly bytes: Uint8Array }
  | {
      readonly kind: 'patch';
      /** Number of the block before it. */
      readonly block: number;
      /** Position among all patches after the block, from 1 on. */
      readonly sequence: number;
      readonly record: Uint8Array;
    }
  /** Seconds by which the clock of the chain was ahead. */
  | { readonly kind: 'clock'; readonly ahead: number }
  /** The offset in bytes of the end of a chunk of blocks or patches. */
  | { readonly kind: 'chunkEnd'; readonly end: number };

/** Bounds the memory for an untrusted archive. An error of its functions ends the reading. */
export interface ArchiveGuard {
  /** Called with the length of the genesis before it is read. */
  beforeGenesis(bytes: number): void;
  /** Called with the length of a payload before it is read. */
  beforePayload(bytes: number): void;
  /** Called with the length of a block or patch before it is stored. */
  beforeRecord(bytes: number): void;
}

/** Reads the header. @throws ArchiveError NOT_AN_ARCHIVE, OTHER_FORMAT, CUT or DAMAGED, and the guard's errors */
export async function readHeader(source: ByteSource, guard?: ArchiveGuard): Promise<ArchiveHeader> {
  const start = decodeHeaderStart(await source.take(HEADER_BYTES));
  guard?.beforeGenesis(start.genesisBytes);
  const genesis = requireWhole(await source.take(start.genesisBytes), start.genesisBytes, 'its header');
  checkGenesis(start, genesis);
  return { chain: start.chain, genesis };
}

/**
 * Reads the items between the header and the end mark, one at a time. Blocks are consecutive, and so are the patches
 * after each of them.
 *
 * @throws ArchiveError CUT or DAMAGED, and the guard's errors
 */
export async function* readItems(source: ByteSource, guard?: ArchiveGuard): AsyncGenerator<ArchiveItem> {
  const order = new ChunkOrder();
  for (;;) {
    const { position } = order;
    const entry = decodeEntryStart(requireWhole(await source.take(ENTRY_BYTES), ENTRY_BYTES, position));
    if (entry.kind === 'end') return await checkEnd(entry, source, order.first, order.count);
    order.check(entry);
    guard?.beforePayload(entry.payloadBytes);
    const payload = requireWhole(await source.take(entry.payloadBytes), entry.payloadBytes, position);
    await checkEntry(entry, payload);
    if (entry.kind === 'clock') {
      yield { kind: 'clock', ahead: decodeClock(entry, payload) };
      continue;
    }
    yield* readRecords({ ...entry, kind: entry.kind }, payload, order, guard);
    yield { kind: 'chunkEnd', end: source.offset };
  }
}

async function* readRecords(
  entry: RecordsEntry,
  payload: Uint8Array,
  order: ChunkOrder,
  guard: ArchiveGuard | undefined,
): AsyncGenerator<ArchiveItem> {
  const { kind, first } = entry;
  if (kind === 'blocks') {
    order.passBlocks(entry);
    let number = first;
    for await (const bytes of unpackRecords(entry, payload, guard)) {
      yield { kind: 'block', number, bytes };
      number += 1;
    }
    return;
  }
  const { sequence, packed } = splitPatches(payload);
  order.passPatches(entry, sequence);
  let next = sequence;
  for await (const record of unpackRecords(entry, packed, guard)) {
    yield { kind: 'patch', block: first, sequence: next, record };
    next += 1;
  }
}

/** The position in an archive, which determines the next entry. */
class ChunkOrder {
  /** Number of the next block; undefined at the beginning. */
  #next: number | undefined;
  /** Number of patches after the block before that. */
  #patches = 0;
  first = 0;
  count = 0;

  get position(): string {
    return this.count === 0 ? 'its first block' : `block ${this.#next}`;
  }

  /** @throws ArchiveError DAMAGED for an entry at the wrong position */
  check({ kind, first }: EntryStart): void {
    const next = kind === 'patches' ? first + 1 : first;
    if (kind === 'clock' || this.#next === undefined || next === this.#next) return;
    const entry = kind === 'patches' ? `a patch after block ${first}` : `block ${first}`;
    throw new ArchiveError('DAMAGED', `the archive has ${entry} at the position of ${this.position}`);
  }

  passBlocks({ first, count }: EntryStart): void {
    if (this.count === 0) this.first = first;
    this.count += count;
    this.#next = first + count;
    this.#patches = 0;
  }

  /** @throws ArchiveError DAMAGED for patches that do not follow those before them */
  passPatches({ first, count }: EntryStart, sequence: number): void {
    if (sequence !== this.#patches + 1) {
      const position = `patch ${this.#patches + 1} after block ${first}`;
      throw new ArchiveError('DAMAGED', `the archive has patch ${sequence} at the position of ${position}`);
    }
    this.#next = first + 1;
    this.#patches += count;
  }
}

async function checkEnd(entry: EntryStart, source: ByteSource, first: number, count: number): Promise<void> {
  await checkEntry(entry, new Uint8Array());
  if (entry.count !== count || (count > 0 && entry.first !== first)) {
    throw new ArchiveError(
      'DAMAGED',
      `the archive's end mark names ${entry.count} blocks from ${entry.first} on; it has ${count} from ${first} on`,
    );
  }
  if ((await source.take(1)).length > 0) {
    throw new ArchiveError('DAMAGED', 'the archive has data after its end mark');
  }
}

function requireWhole(bytes: Uint8Array, length: number, part: string): Uint8Array {
  if (bytes.length === length) return bytes;
  throw new ArchiveError('CUT', `the archive is cut off before the end of ${part}`);
}

/**
 * Decompresses the blocks or patches of a chunk one at a time, since a few bytes of gzip can become very many bytes and
 * records.
 *
 * @throws ArchiveError DAMAGED, and the guard's errors
 */
async function* unpackRecords(
  entry: RecordsEntry,
  packed: Uint8Array,
  guard: ArchiveGuard | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { kind, count } = entry;
  const bounds = RECORD_BYTES[kind];
  const most = Math.floor(ARCHIVE_CHUNK_BYTES_MAX / bounds.blockBytesMin);
  if (count > most)
    throw damagedChunk(entry, `its header has ${count} ${kind}, and a chunk has at most ${most}`);
  const frames = new FrameReader(
    { blocksMax: count, bytesMax: ARCHIVE_CHUNK_BYTES_MAX, headBytes: 0, ...bounds },
    (_head, length) => guard?.beforeRecord(length),
  );
  try {
    for await (const piece of inflated(packed)) yield* frames.read(piece);
    frames.finish();
  } catch (error) {
    if (!(error instanceof DecodeError || isOfGzip(error))) throw error;
    throw damagedChunk(entry, error.message, error);
  }
  if (frames.count !== count)
    throw damagedChunk(entry, `it has ${frames.count} ${kind}, and its header ${count}`);
}

/** Decompresses gzip in pieces, on demand. */
export function inflated(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  const stream = createGunzip({ chunkSize: INFLATED_CHUNK_BYTES });
  stream.end(bytes);
  return stream;
}

/** Returns true for an error about invalid gzip. */
export function isOfGzip(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}

/** Reads the number of an archive's last block from its end mark; undefined for an incomplete or special file. */
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

/** Reads exact numbers of bytes from a stream, with one part of the stream in memory. */
export class ByteSource {
  readonly #stream: Readable;
  readonly #parts: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array();
  #offset = 0;

  /** @param stop ends the stream: `take` then fails with the signal's reason */
  constructor(stream: Readable, stop?: AbortSignal) {
    this.#stream = stream;
    this.#parts = stream[Symbol.asyncIterator]();
    // The iterator reports errors, but without a listener they would end the process.
    stream.on('error', () => undefined);
    const end = (): void => void stream.destroy(stop?.reason);
    if (stop?.aborted === true) end();
    else stop?.addEventListener('abort', end, { once: true });
    stream.once('close', () => stop?.removeEventListener('abort', end));
  }

  /** Bytes taken so far. */
  get offset(): number {
    return this.#offset;
  }

  /** Takes the next bytes: fewer than requested only at the end of the stream. */
  async take(count: number): Promise<Uint8Array> {
    const taken: Uint8Array[] = [];
    let missing = count;
    while (missing > 0 && (await this.#fill())) {
      const part = this.#rest.subarray(0, missing);
      this.#rest = this.#rest.subarray(part.length);
      missing -= part.length;
      taken.push(part);
    }
    this.#offset += count - missing;
    return concatBytes(...taken);
  }

  close(): void {
    this.#stream.destroy();
  }

  /** Reads on until a byte is available; false at the end of the stream. */
  async #fill(): Promise<boolean> {
    while (this.#rest.length === 0) {
      const step = await this.#parts.next();
      if (step.done === true) return false;
      this.#rest = step.value;
    }
    return true;
  }
}
