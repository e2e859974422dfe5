import type { StoreReader } from '../../store/index.ts';
import { encodeChunk, encodeClock, encodeEnd, encodePatches } from './format.ts';

/** Bytes of serialized blocks after which a chunk of an archive is closed (4 MiB). */
const ARCHIVE_CHUNK_TARGET_BYTES = 4 * 1024 * 1024;

/** Takes the bytes of an archive one after the other. */
export interface ArchiveSink {
  /** Resolves when there is room for more. */
  write(bytes: Uint8Array): Promise<void>;
}

/** How far an archive has come that is continued. */
export interface ArchiveProgress {
  /** Number of the archive's first block. */
  readonly first: number;
  /** Number of the block that is added next; greater than `first` where an archive is continued. */
  readonly next: number;
  /** How many of the patches after the block before that are in it. */
  readonly patches: number;
}

/** Puts blocks and patches into chunks, and chunks into a sink, behind a header that was written already. */
export class ArchiveWriter {
  readonly #sink: ArchiveSink;
  readonly #first: number;
  #next: number;
  /** Patches after the block before `next`, those that wait included. */
  #patches: number;
  /** Blocks, or patches, that are written together. */
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

  /** Number of the block that is added next. */
  get next(): number {
    return this.#next;
  }

  /** Bytes of all blocks and patches that were added, not compressed. */
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

  /** Adds those of the patches of a store after the newest block of the archive that are not in it yet. */
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

  /** Writes the chunk that is under way, so that all blocks and patches so far can be read back. */
  async flush(): Promise<void> {
    const { length } = this.#waiting;
    if (length === 0) return;
    const chunk =
      this.#waitingKind === 'blocks'
        ? await encodeChunk(this.#next - length, this.#waiting)
        : await encodePatches(this.#next - 1, this.#patches - length + 1, this.#waiting);
    this.#waiting = [];
    this.#waitingBytes = 0;
    await this.#sink.write(chunk);
  }

  /** Writes what is missing, and the end mark. */
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
