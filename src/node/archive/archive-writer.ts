import type { StoreReader } from '../../store/index.ts';
import { encodeChunk, encodeClock, encodeEnd } from './format.ts';

/** Bytes of serialized blocks after which a chunk of an archive is closed (4 MiB). */
const ARCHIVE_CHUNK_TARGET_BYTES = 4 * 1024 * 1024;

/** A receiver of the bytes of an archive. */
export interface ArchiveSink {
  /** Resolves when there is room for more. */
  write(bytes: Uint8Array): Promise<void>;
}

/** The position in an archive at which writing begins. */
export interface ArchiveProgress {
  /** Number of the archive's first block. */
  readonly first: number;
  /** Number of the next block; greater than `first` where an archive is continued. */
  readonly next: number;
  /** Number of patches in it after the block before that. */
  readonly patches: number;
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

  constructor(sink: ArchiveSink, { first, next, patches }: ArchiveProgress) {
    this.#sink = sink;
    this.#first = first;
    this.#next = next;
    this.#patches = patches;
  }

  /** Number of the next block. */
  get next(): number {
    return this.#next;
  }

  /** Bytes of all added blocks and patches before compression. */
  get recordBytes(): number {
    return this.#recordBytes;
  }

  /** Adds a serialized block. */
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
