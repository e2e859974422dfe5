import { createReadStream, existsSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { flush } from '../../durable-files.ts';
import { equalBytes, messageOf } from '../../protocol/index.ts';
import type { StoreReader } from '../../store/index.ts';
import { ByteSource, readHeader, readItems } from './archive-reader.ts';
import { ArchiveError, encodeChunk, encodeClock, encodeEnd, encodeHeader } from './format.ts';

/** Bytes of serialized blocks after which a chunk of an archive is closed (4 MiB). */
const ARCHIVE_CHUNK_TARGET_BYTES = 4 * 1024 * 1024;

/** A receiver of the bytes of an archive. */
export interface ArchiveSink {
  /** Resolves when there is room for more. */
  write(bytes: Uint8Array): Promise<void>;
}

/** Writes blocks and patches as chunks into a sink, behind a header that was written already. */
export class ArchiveWriter {
  readonly #sink: ArchiveSink;
  readonly #first: number;
  #next: number;
  /** Patches after the block before `next`, those in memory included. */
  #patches: number;
  /** Records of the next chunk. */
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #waitingKind: 'blocks' | 'patches' = 'blocks';
  #recordBytes = 0;

  /**
   * @param first number of the archive's first block
   * @param next number of the next block; greater than `first` where an archive is continued
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
    await this.#keep(block);
  }

  /** Adds the patches of a store after the archive's newest block, except for those that it has. */
  async addPatches(store: StoreReader): Promise<void> {
    let sequence = 0;
    for (const record of store.patchesAfter(this.#next - 1)) {
      sequence += 1;
      if (sequence <= this.#patches) continue;
      await this.#begin('patches');
      this.#patches += 1;
      await this.#keep(record);
    }
  }

  /** Adds how many seconds the clock of the chain is ahead. */
  async addClock(ahead: number): Promise<void> {
    await this.flush();
    await this.#sink.write(encodeClock(ahead));
  }

  /** Writes the last chunk, so that all blocks and patches so far can be read back. */
  async flush(): Promise<void> {
    const { length } = this.#waiting;
    if (length === 0) return;
    const chunk =
      this.#waitingKind === 'blocks'
        ? await encodeChunk(this.#next - length, this.#waiting)
        : await encodeChunk(this.#next - 1, this.#waiting, this.#patches - length + 1);
    this.#waiting = [];
    this.#waitingBytes = 0;
    await this.#sink.write(chunk);
  }

  /** Writes the rest and the end mark. */
  async end(): Promise<void> {
    await this.flush();
    const count = this.#next - this.#first;
    await this.#sink.write(encodeEnd(count === 0 ? 0 : this.#first, count));
  }

  async #begin(kind: 'blocks' | 'patches'): Promise<void> {
    if (kind !== this.#waitingKind) await this.flush();
    this.#waitingKind = kind;
  }

  async #keep(bytes: Uint8Array): Promise<void> {
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    this.#recordBytes += bytes.length;
    if (this.#waitingBytes >= ARCHIVE_CHUNK_TARGET_BYTES) await this.flush();
  }
}

/** The whole part of an archive. */
export interface ArchiveExtent {
  /** Number of its first block; undefined where it has none yet. */
  readonly first: number | undefined;
  /** Number and bytes of the last whole block. */
  readonly last: { readonly number: number; readonly block: Uint8Array } | undefined;
  /** The whole patches at its end, and the block before them; undefined where it ends otherwise. */
  readonly patches: { readonly block: number; readonly records: readonly Uint8Array[] } | undefined;
  /** Bytes up to the end of the last whole chunk; 0 without a whole header. */
  readonly bytes: number;
}

/**
 * Opens the file of an archive.
 * @param bytes of a file to continue: the rest is dropped; absent: a new file
 * @throws ArchiveError FILE if the name of a new file is in use, or the file can't be opened
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
 * Measures the whole part of an archive.
 *
 * @param header the bytes that it has to begin with
 * @returns undefined if there is no file
 * @throws ArchiveError NOT_AN_ARCHIVE, NEWER_FORMAT or OTHER_CHAIN for a file that must not be continued, FILE for
 *   one that can't be read
 */
export async function measureArchive(path: string, header: Uint8Array): Promise<ArchiveExtent | undefined> {
  if (!existsSync(path)) return undefined;
  const handle = await opening(path, 'r');
  try {
    const { size } = await handle.stat();
    const beginning = Buffer.alloc(Math.min(header.length, size));
    await handle.read(beginning, 0, beginning.length, 0);
    if (!equalBytes(beginning, header.subarray(0, beginning.length))) await refuse(path, header);
    if (beginning.length < header.length) {
      return { first: undefined, last: undefined, patches: undefined, bytes: 0 };
    }
  } finally {
    await handle.close();
  }
  return measureChunks(path, header.length);
}

/** Throws the error for a file with another beginning. */
async function refuse(path: string, header: Uint8Array): Promise<never> {
  const source = new ByteSource(createReadStream(path));
  try {
    const { chain, genesis, version } = await readHeader(source);
    const isSame = equalBytes(encodeHeader({ chain, genesis }), header);
    if (isSame) {
      const reason = `has version ${version} of the format, which has no place for patches`;
      throw new ArchiveError('FILE', `${path} ${reason}: export the chain into another file`);
    }
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
        // What has come is whole. A clock is written anew, behind what follows.
        const whole = patches && { ...patches, records: [...patches.records] };
        extent = { first, last, patches: whole, bytes: headerBytes + item.end };
      }
    }
  } catch (error) {
    // What is not whole is written again.
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
      ? 'is there already: --resume continues it, another name keeps it'
      : `can't be opened: ${messageOf(cause)}`;
    throw new ArchiveError('FILE', `${path} ${reason}`, { cause });
  }
}
