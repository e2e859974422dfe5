import { createGunzip } from 'node:zlib';
import {
  ARCHIVE_CHUNK_BYTES_MAX,
  BLOCK_BYTES_MIN,
  INFLATED_PIECE_BYTES,
  PATCH_BYTES_MAX,
  PATCH_BYTES_MIN,
  SIGNED_BLOCK_BYTES_MAX,
} from '../../limits.ts';
import { DecodeError, FrameReader } from '../../protocol/index.ts';
import { damagedChunk, type EntryStart } from './format.ts';

/** Bytes of the shortest and of the longest record of a kind. */
const RECORD_BYTES = {
  blocks: { blockBytesMin: BLOCK_BYTES_MIN, blockBytesMax: SIGNED_BLOCK_BYTES_MAX },
  patches: { blockBytesMin: PATCH_BYTES_MIN, blockBytesMax: PATCH_BYTES_MAX },
};

/** An entry of an archive that has records. */
export type RecordsEntry = EntryStart & { readonly kind: keyof typeof RECORD_BYTES };

/** Decompresses bytes of gzip piece by piece; the next piece is made when it is asked for. */
export function inflated(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  const stream = createGunzip({ chunkSize: INFLATED_PIECE_BYTES });
  stream.end(bytes);
  return stream;
}

/**
 * Reads the blocks or patches of a chunk one at a time: a few bytes of gzip can become very many, and very many records
 * by their lengths.
 *
 * @param guard told of the length of each record before it is kept; what it throws, this throws
 * @throws ArchiveError DAMAGED
 */
export async function* unpackRecords(
  entry: RecordsEntry,
  packed: Uint8Array,
  guard?: { beforeRecord(bytes: number): void },
): AsyncGenerator<Uint8Array, void, undefined> {
  const { kind, count } = entry;
  const bounds = RECORD_BYTES[kind];
  const most = Math.floor(ARCHIVE_CHUNK_BYTES_MAX / bounds.blockBytesMin);
  if (count > most) throw damagedChunk(entry, `it says ${count} ${kind}, and a chunk has at most ${most}`);
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
  if (frames.count !== count) throw damagedChunk(entry, `it has ${frames.count} ${kind} and says ${count}`);
}

/** Returns true if an error says that bytes are not gzip. */
export function isOfGzip(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}
