import { createReadStream, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { flush } from '../../files/durable-files.ts';
import { equalBytes, messageOf } from '../../protocol/index.ts';
import type { StoreReader } from '../../store/index.ts';
import { ByteSource, readHeader, readItems } from './archive-reader.ts';
import { ArchiveError, encodeChunk, encodeClock, encodeEnd } from './format.ts';

/** Bytes of serialized blocks after which a chunk of an archive is closed (4 MiB). */
const ARCHIVE_CHUNK_TARGET_BYTES = 4 * 1024 * 1024;

/** A receiver of the bytes of an archive. */
export interface ArchiveSink {
  /** Resolves when more bytes may be written. */
  write(bytes: Uint8Array): Promise<void>;
}

/** Writes blocks and patches as chunks into a sink, after the header. */
export class ArchiveWriter {
  readonly #sink: ArchiveSink;
  readonly #first: number;
  #next: number;
  /** Patches after the block before `next`, those in memory included. */
  #patches: number;
  /** Records of the next chunk. */
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #pendingKind: 'blocks' | 'patches' = 'blocks';
  #recordBytes = 0;

  /**
   * @param first number of the archive's first block
   * @param next number of the next block; greater than `first` for a continued archive
   * @param patches number of patches in it after the block before that
   */
  constructor(sink: ArchiveSink, first = 1, next = first, patches = 0) {
    this.#sink = sink;
    this.#first = first;
    this.#next = next;
    this.#patches = patches;
  }

  get next(): number {
    return this.#next;
  }

  /** Bytes of all added blocks and patches before compression. */
  get recordBytes(): number {
    return this.#recordBytes;
  }

  async add(block: Uint8Array): Promise<void> {
    await this.#begin('blocks');
    this.#next += 1;
    this.#patches = 0;
    await this.#append(block);
  }

  /** Adds the missing patches of a store after the archive's newest block. */
  async addPatches(store: StoreReader): Promise<void> {
    let sequence = 0;
    for (const record of store.patchesAfter(this.#next - 1)) {
      sequence += 1;
      if (sequence <= this.#patches) continue;
      await this.#begin('patches');
      this.#patches += 1;
      await this.#append(record);
    }
  }

  /** Adds the seconds by which the clock of the chain is ahead. */
  async addClock(ahead: number): Promise<void> {
    await this.flush();
    await this.#sink.write(encodeClock(ahead));
  }

  /** Writes the last chunk, so that all blocks and patches so far are readable. */
  async flush(): Promise<void> {
    const { length } = this.#pending;
    if (length === 0) return;
    const chunk =
      this.#pendingKind === 'blocks'
        ? await encodeChunk(this.#next - length, this.#pending)
        : await encodeChunk(this.#next - 1, this.#pending, this.#patches - length + 1);
    this.#pending = [];
    this.#pendingBytes = 0;
    await this.#sink.write(chunk);
  }

  /** Writes the rest and the end mark. */
  async end(): Promise<void> {
    await this.flush();
    const count = this.#next - this.#first;
    await this.#sink.write(encodeEnd(count === 0 ? 0 : this.#first, count));
  }

  async #begin(kind: 'blocks' | 'patches'): Promise<void> {
    if (kind !== this.#pendingKind) await this.flush();
    this.#pendingKind = kind;
  }

  async #append(bytes: Uint8Array): Promise<void> {
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.length;
    this.#recordBytes += bytes.length;
    if (this.#pendingBytes >= ARCHIVE_CHUNK_TARGET_BYTES) await this.flush();
  }
}

/** The complete part of an archive file. */
export interface ArchiveExtent {
  /** Number of its first block; undefined without blocks. */
  readonly first: number | undefined;
  /** Number and bytes of the last complete block. */
  readonly last: { readonly number: number; readonly block: Uint8Array } | undefined;
  /** The complete patches at its end, and the block before them; undefined without patches there. */
  readonly patches: { readonly block: number; readonly records: readonly Uint8Array[] } | undefined;
  /** Bytes up to the end of the last complete chunk; 0 without a complete header. */
  readonly bytes: number;
}

/**
 * Opens the file of an archive.
 * @param bytes of a file to continue, which is truncated there; absent: a new file
 * @throws ArchiveError FILE if a new file exists already, or the file cannot be opened
 */
export async function openArchiveFile(path: string, bytes?: number) {
  const handle = await opening(path, bytes === undefined ? 'ax' : 'a');
  if (bytes !== undefined) await handle.truncate(bytes);
  let length = bytes ?? 0;
  return {
    /** Returns the bytes so far. */
    length: () => length,
    write: async (written: Uint8Array): Promise<void> => {
      await handle.appendFile(written);
      length += written.length;
    },
    /** Flushes the file to the disk and closes it. */
    close: async (): Promise<void> => {
      try {
        await handle.sync();
      } finally {
        await handle.close();
      }
      flush(dirname(path));
    },
  };
}

/**
 * Measures the complete part of an archive; undefined without a file.
 * @param header the expected first bytes
 * @throws ArchiveError NOT_AN_ARCHIVE, OTHER_FORMAT or OTHER_CHAIN for a file that must not be continued, FILE for an
 *   unreadable one
 */
export async function measureArchive(path: string, header: Uint8Array): Promise<ArchiveExtent | undefined> {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
  const handle = await opening(path, 'r');
  try {
    const { size } = await handle.stat();
    const beginning = Buffer.alloc(Math.min(header.length, size));
    await handle.read(beginning, 0, beginning.length, 0);
    if (!equalBytes(beginning, header.subarray(0, beginning.length))) await refuse(path);
    if (beginning.length < header.length) {
      return { first: undefined, last: undefined, patches: undefined, bytes: 0 };
    }
  } finally {
    await handle.close();
  }
  return measureChunks(path, header.length);
}

/** Throws the error for a file with another beginning. */
async function refuse(path: string): Promise<never> {
  const source = new ByteSource(createReadStream(path));
  try {
    await readHeader(source);
  } finally {
    source.close();
  }
  throw new ArchiveError('OTHER_CHAIN', `${path} is an archive of another chain`);
}

async function measureChunks(path: string, headerBytes: number): Promise<ArchiveExtent> {
  const source = new ByteSource(createReadStream(path, { start: headerBytes }));
  let extent: ArchiveExtent = { first: undefined, last: undefined, patches: undefined, bytes: headerBytes };
  let { first, last } = extent;
  let patches: { readonly block: number; readonly records: Uint8Array[] } | undefined;
  try {
    for await (const item of readItems(source)) {
      if (item.kind === 'block') {
        first ??= item.number;
        last = { number: item.number, block: item.bytes };
        patches = undefined;
      } else if (item.kind === 'patch') {
        patches ??= { block: item.block, records: [] };
        patches.records.push(item.record);
      } else if (item.kind === 'chunkEnd') {
        // A clock is written again, after the continuation.
        const whole = patches && { ...patches, records: [...patches.records] };
        extent = { first, last, patches: whole, bytes: headerBytes + item.end };
      }
    }
  } catch (error) {
    // An incomplete chunk is written again.
    if (!(error instanceof ArchiveError)) throw error;
  } finally {
    source.close();
  }
  return extent;
}

async function opening(path: string, flags: string): Promise<FileHandle> {
  try {
    return await open(path, flags);
  } catch (cause) {
    const exists = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
    const reason = exists
      ? 'exists already: give --resume to continue it, or another name'
      : `cannot be opened: ${messageOf(cause)}`;
    throw new ArchiveError('FILE', `${path} ${reason}`, { cause });
  }
}
