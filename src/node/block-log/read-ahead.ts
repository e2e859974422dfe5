import { BLOCK_LOG_AHEAD_BLOCKS_MAX, BLOCK_LOG_AHEAD_BYTES_MAX } from '../../limits.ts';

/** Serialized blocks that follow each other, until a signal is aborted. */
type BlockStream = (stop: AbortSignal) => AsyncIterable<Uint8Array>;

/**
 * Reads a stream of blocks ahead of whoever takes them: while some are worked on, the next ones come, within a bound.
 * Ends the stream when it is left.
 *
 * @returns what has come since the last time, in order: one block at least. Throws what the stream throws, after all
 *   that came before
 */
export async function* readAhead(
  open: BlockStream,
  stop: AbortSignal,
): AsyncGenerator<readonly Uint8Array[], void, undefined> {
  const ahead = new Ahead(open, stop);
  try {
    for (;;) {
      const blocks = await ahead.take();
      if (blocks === undefined) return;
      yield blocks;
    }
  } finally {
    await ahead.leave();
  }
}

/** What was read and is not taken yet. */
class Ahead {
  readonly #left = new AbortController();
  readonly #reading: Promise<void>;
  readonly #stop: AbortSignal;
  readonly #leave = (): void => {
    this.#left.abort();
    this.#wake();
  };
  #blocks: Uint8Array[] = [];
  #bytes = 0;
  /** How the stream ended. */
  #end: { readonly failure?: unknown } | undefined;
  /** Wakes whoever waits: the one side for blocks, or the other for room. */
  #wake: () => void = () => undefined;

  constructor(open: BlockStream, stop: AbortSignal) {
    this.#stop = stop;
    stop.addEventListener('abort', this.#leave);
    if (stop.aborted) this.#leave();
    this.#reading = this.#read(open(this.#left.signal));
  }

  /** All that has come; waits for the first one. @returns undefined at the end */
  async take(): Promise<readonly Uint8Array[] | undefined> {
    while (this.#blocks.length === 0 && this.#end === undefined) await this.#change();
    const blocks = this.#blocks;
    if (blocks.length === 0) {
      if (this.#end !== undefined && 'failure' in this.#end) throw this.#end.failure;
      return undefined;
    }
    this.#blocks = [];
    this.#bytes = 0;
    this.#wake();
    return blocks;
  }

  /** Ends the stream, and waits until it has ended. */
  async leave(): Promise<void> {
    this.#stop.removeEventListener('abort', this.#leave);
    this.#leave();
    await this.#reading;
  }

  async #read(stream: AsyncIterable<Uint8Array>): Promise<void> {
    const { signal } = this.#left;
    try {
      for await (const block of stream) {
        this.#blocks.push(block);
        this.#bytes += block.length;
        this.#wake();
        while (this.#isFull() && !signal.aborted) await this.#change();
        if (signal.aborted) break;
      }
      this.#end = {};
    } catch (failure) {
      this.#end = { failure };
    }
    this.#wake();
  }

  #isFull(): boolean {
    return this.#blocks.length >= BLOCK_LOG_AHEAD_BLOCKS_MAX || this.#bytes >= BLOCK_LOG_AHEAD_BYTES_MAX;
  }

  /** Waits until the other side did something. Only one side waits: there are blocks, or there is room. */
  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
