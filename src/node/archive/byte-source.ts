import type { Readable } from 'node:stream';
import { concatBytes } from '../../protocol/index.ts';

/** Takes exact numbers of bytes from a stream; it holds only those and one part of the stream. */
export class ByteSource {
  readonly #stream: Readable;
  readonly #parts: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array();
  #offset = 0;

  /** @param stop ends the stream: `take` fails with the signal's reason then */
  constructor(stream: Readable, stop?: AbortSignal) {
    this.#stream = stream;
    this.#parts = stream[Symbol.asyncIterator]();
    // The iterator reports it; without a listener it would end the process.
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

  /** Takes the next bytes: fewer than requested only at the end of the stream. */
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

  /** Ends the stream. */
  close(): void {
    this.#stream.destroy();
  }

  /** Reads on until a byte is available; false at the end of the stream. */
  async #fill(): Promise<boolean> {
    while (this.#rest.length === 0) {
      const step = await this.#parts.next();
      if (step.done === true) return false;
      this.#rest = step.value;
    }
    return true;
  }
}
