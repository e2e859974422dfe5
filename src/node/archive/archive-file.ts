import { createReadStream, existsSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { flush } from '../../durable-files.ts';
import { equalBytes, messageOf } from '../../protocol/index.ts';
import { readHeader, readItems } from './archive-reader.ts';
import type { ArchiveSink } from './archive-writer.ts';
import { ByteSource } from './byte-source.ts';
import { ArchiveError } from './errors.ts';
import { encodeHeader } from './format.ts';

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

/** The file of an archive that is being written. */
export class ArchiveFile implements ArchiveSink {
  readonly path: string;
  readonly #handle: FileHandle;
  #length: number;

  private constructor(path: string, handle: FileHandle, length: number) {
    this.path = path;
    this.#handle = handle;
    this.#length = length;
  }

  /** Creates a file. @throws ArchiveError FILE if the name is in use, or the file can't be made */
  static async create(path: string): Promise<ArchiveFile> {
    return new ArchiveFile(path, await opening(path, 'ax'), 0);
  }

  /** Opens a file to continue behind its first bytes; the rest is dropped. */
  static async continue(path: string, bytes: number): Promise<ArchiveFile> {
    const handle = await opening(path, 'a');
    await handle.truncate(bytes);
    return new ArchiveFile(path, handle, bytes);
  }

  /** Bytes so far. */
  get length(): number {
    return this.#length;
  }

  async write(bytes: Uint8Array): Promise<void> {
    await this.#handle.appendFile(bytes);
    this.#length += bytes.length;
  }

  /** Flushes the file to the disk and closes it. */
  async close(): Promise<void> {
    try {
      await this.#handle.sync();
    } finally {
      await this.#handle.close();
    }
    flush(dirname(this.path));
  }
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
