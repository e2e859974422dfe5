import { createHash, type Hash as Digest } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { DecodeError, type LedgerdError, messageOf } from '../protocol/index.ts';
import type { StateEntry } from '../store/index.ts';
import { ForkPackError } from './fork-errors.ts';
import type { ForkPoint } from './fork-point.ts';
import { forkPointIn } from './fork-point-record.ts';
import { type EntryCounts, kindOfKey, noEntries } from './fork-tables.ts';
import { FORK_STORED_RESULT_BYTES_MAX } from './stored-history.ts';

/** Bytes of a fork point and of a value in a pack. */
const FORK_PACK_POINT_BYTES_MAX = 4_096;
export const FORK_PACK_VALUE_BYTES_MAX = FORK_STORED_RESULT_BYTES_MAX;
/** Bytes of a pack that are read or written at a time (1 MiB). */
export const FORK_PACK_CHUNK_BYTES = 1024 * 1024;

/**
 * A pack is: magic ‖ format (2) ‖ length of the fork point (4) ‖ fork point ‖ entries ‖ 0 (1) ‖ number of entries (6) ‖
 * SHA-256 of all before (32). An entry is: length of its key (1) ‖ length of its value (4) ‖ key ‖ value; the keys
 * ascend. Numbers are big-endian.
 */
export const PACK_MAGIC = Buffer.from('ledgerd fork\n');
export const PACK_FORMAT = 1;
export const PACK_COUNT_BYTES = 6;
const CHECKSUM_BYTES = 32;

/** A pack of a fork, of which the whole content was checked. */
export class ForkPack {
  readonly point: ForkPoint;
  readonly counts: EntryCounts;
  readonly bytes: number;
  readonly #file: number;
  readonly #path: string;

  /**
   * Opens a pack and checks all of it. The opened file stays the same while another one replaces it.
   * @throws ForkPackError for anything else than an intact pack of this format
   */
  constructor(path: string) {
    this.#path = path;
    this.#file = openFile(path);
    try {
      this.bytes = fstatSync(this.#file).size;
      this.counts = noEntries();
      let before: Uint8Array | undefined;
      const walk = this.#walk();
      let step = walk.next();
      for (; step.done !== true; step = walk.next()) {
        const { key } = step.value;
        const kind = kindOfKey(key);
        if (kind === undefined) throw damaged(path, 'it has an entry of an unknown kind');
        if (before !== undefined && Buffer.compare(before, key) >= 0)
          throw damaged(path, 'its entries are mixed up');
        this.counts[kind] += 1;
        before = key;
      }
      this.point = pointIn(path, step.value);
    } catch (error) {
      closeSync(this.#file);
      throw error;
    }
  }

  /** Reads the entries in the order of their keys. @throws ForkPackError if the file was changed meanwhile */
  entries(): Iterable<StateEntry> {
    return this.#walk();
  }

  close(): void {
    closeSync(this.#file);
  }

  /** Reads the entries, and returns the record of the fork point at the end, where all of it is checked. */
  *#walk(): Generator<StateEntry, Uint8Array> {
    const reader = new PackReader(this.#file, this.#path);
    if (!reader.take(PACK_MAGIC.length).equals(PACK_MAGIC)) throw noPack(this.#path);
    const format = reader.take(2).readUInt16BE();
    if (format !== PACK_FORMAT) {
      throw new ForkPackError(
        `${this.#path} has format ${format}, and this version of ledgerd reads packs of format ${PACK_FORMAT}`,
      );
    }
    const point = reader.take(reader.length(FORK_PACK_POINT_BYTES_MAX));
    let count = 0;
    for (;;) {
      const keyBytes = reader.take(1).readUInt8();
      if (keyBytes === 0) break;
      const valueBytes = reader.length(FORK_PACK_VALUE_BYTES_MAX);
      yield { key: reader.take(keyBytes), value: reader.take(valueBytes) };
      count += 1;
    }
    const isWhole = reader.take(PACK_COUNT_BYTES).readUIntBE(0, PACK_COUNT_BYTES) === count;
    reader.requireEnd();
    if (!isWhole) throw damaged(this.#path, 'it has another number of entries');
    return point;
  }
}

/** Returns true for the path of a pack, of any format, or of nothing. */
export function isPackOrFree(path: string): boolean {
  try {
    const file = openFile(path);
    try {
      const start = Buffer.alloc(PACK_MAGIC.length);
      return fstatSync(file).isFile() && readSync(file, start) === start.length && start.equals(PACK_MAGIC);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const { cause } = error instanceof Error ? error : {};
    return cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
  }
}

/** Reads a pack from its beginning, in chunks, and computes its checksum. */
class PackReader {
  readonly #file: number;
  readonly #path: string;
  readonly #digest: Digest = createHash('sha256');
  /** Bytes before the checksum that are not read yet, and their position. */
  #rest: number;
  #position = 0;
  /** Bytes that are read and not taken. */
  #chunk: Buffer = Buffer.alloc(0);

  constructor(file: number, path: string) {
    this.#file = file;
    this.#path = path;
    this.#rest = fstatSync(file).size - CHECKSUM_BYTES;
  }

  /** Returns a copy of the next bytes. */
  take(length: number): Buffer {
    if (this.#chunk.length < length) this.#fill(length);
    const taken = Buffer.from(this.#chunk.subarray(0, length));
    this.#chunk = this.#chunk.subarray(length);
    return taken;
  }

  /** Returns the next number, a length in bytes. */
  length(most: number): number {
    const length = this.take(4).readUInt32BE();
    if (length > most) throw damaged(this.#path, 'an entry is too long');
    return length;
  }

  /** Checks that nothing but the right checksum is left. */
  requireEnd(): void {
    if (this.#rest > 0 || this.#chunk.length > 0) throw damaged(this.#path, 'something follows its end');
    const checksum = this.#read(CHECKSUM_BYTES);
    if (!checksum.equals(this.#digest.digest())) throw damaged(this.#path, 'its checksum is wrong');
  }

  #fill(length: number): void {
    const wanted = Math.min(Math.max(length - this.#chunk.length, FORK_PACK_CHUNK_BYTES), this.#rest);
    if (this.#chunk.length + wanted < length) {
      throw this.#position === 0 ? noPack(this.#path) : damaged(this.#path, 'it ends too early');
    }
    const read = this.#read(wanted);
    this.#digest.update(read);
    this.#rest -= wanted;
    this.#chunk = Buffer.concat([this.#chunk, read]);
  }

  #read(length: number): Buffer {
    const bytes = Buffer.alloc(length);
    for (let done = 0; done < length; ) {
      const read = readSync(this.#file, bytes, done, length - done, this.#position);
      if (read === 0) throw damaged(this.#path, 'it ends too early');
      done += read;
      this.#position += read;
    }
    return bytes;
  }
}

function openFile(path: string): number {
  try {
    // Not blocking: the other end of a pipe of the system may never open it.
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    if (fstatSync(file).isFile()) return file;
    closeSync(file);
  } catch (cause) {
    throw new ForkPackError(`the pack ${path} cannot be read: ${messageOf(cause)}`, { cause });
  }
  throw noPack(path);
}

function pointIn(path: string, record: Uint8Array): ForkPoint {
  try {
    return forkPointIn(record);
  } catch (error) {
    if (error instanceof DecodeError) throw damaged(path, 'its fork point is unreadable');
    throw error;
  }
}

function noPack(path: string): LedgerdError {
  return new ForkPackError(`${path} is no pack of a fork: "ledgerd fork pack" writes one`);
}

function damaged(path: string, reason: string): LedgerdError {
  return new ForkPackError(`the pack ${path} is damaged, ${reason}: copy or write it again`);
}
