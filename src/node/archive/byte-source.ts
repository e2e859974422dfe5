import type { Readable } from 'node:stream';
import { concatBytes } from '../../protocol/index.ts';

/** Takes exact numbers of bytes from a stream, and holds no more of it than what is taken and one of its parts. */
export class ByteSource {
  readonly #stream: Readable;
  readonly #parts: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array();
  #offset = 0;

  /** @param stop ends the stream, also while it is waited for: what is taken then fails with the signal's reason */
  constructor(stream: Readable, stop?: AbortSignal) {
    this.#stream = stream;
    this.#parts = stream[Symbol.asyncIterator]();
    // The iterator tells of it; without anyone who listens it would end the process.
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

  /** The next bytes: as many as were asked for, or fewer where the stream ends before. */
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

  /** Lets go of the stream, also before its end. */
  close(): void {
    this.#stream.destroy();
  }

  /** Makes sure that a byte is at hand; false at the end of the stream. */
  async #fill(): Promise<boolean> {
    while (this.#rest.length === 0) {
      const step = await this.#parts.next();
      if (step.done === true) return false;
      this.#rest = step.value;
    }
    return true;
  }
}
