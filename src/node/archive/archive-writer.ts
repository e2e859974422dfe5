import { ARCHIVE_CHUNK_TARGET_BYTES } from '../../limits.ts';
import { encodeChunk, encodeEnd } from './format.ts';

/** Takes the bytes of an archive one after the other. */
export interface ArchiveSink {
  /** Resolves when there is room for more. */
  write(bytes: Uint8Array): Promise<void>;
}

/** Puts blocks into chunks, and chunks into a sink, behind a header that was written already. */
export class ArchiveWriter {
  readonly #sink: ArchiveSink;
  readonly #first: number;
  #next: number;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;

  /**
   * @param first number of the archive's first block
   * @param next number of the block that is added next; greater than `first` where an archive is continued
   */
  constructor(sink: ArchiveSink, first: number, next: number) {
    this.#sink = sink;
    this.#first = first;
    this.#next = next;
  }

  /** Number of the block that is added next. */
  get next(): number {
    return this.#next;
  }

  /** Adds a serialized block. */
  async add(block: Uint8Array): Promise<void> {
    this.#waiting.push(block);
    this.#waitingBytes += block.length;
    this.#next += 1;
    if (this.#waitingBytes >= ARCHIVE_CHUNK_TARGET_BYTES) await this.flush();
  }

  /** Writes the chunk that is under way, so that all blocks so far can be read back. */
  async flush(): Promise<void> {
    if (this.#waiting.length === 0) return;
    const chunk = await encodeChunk(this.#next - this.#waiting.length, this.#waiting);
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
}
