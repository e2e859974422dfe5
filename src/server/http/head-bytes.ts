import { GatheredBytes } from '../gathered-bytes.ts';

/** The empty line that ends a head (RFC 9112, 2.1). */
export const END_OF_HEAD = '\r\n\r\n';
const NOTHING = Buffer.alloc(0);

/** Bytes of a request head that arrives in several pieces. */
export class HeadBytes {
  readonly #gathered = new GatheredBytes();
  /** The last bytes that arrived, in which the end may have begun. */
  #tail: Buffer = NOTHING;

  get length(): number {
    return this.#gathered.length;
  }

  /** Returns the position behind the end of the head in the next bytes; -1 if it does not end there. */
  endIn(bytes: Buffer): number {
    if (this.#tail.length > 0) {
      const seam = Buffer.concat([this.#tail, bytes.subarray(0, END_OF_HEAD.length - 1)]);
      const index = seam.indexOf(END_OF_HEAD, 0, 'latin1');
      if (index >= 0) return index + END_OF_HEAD.length - this.#tail.length;
    }
    const index = bytes.indexOf(END_OF_HEAD, 0, 'latin1');
    return index < 0 ? -1 : index + END_OF_HEAD.length;
  }

  add(bytes: Buffer): void {
    this.#gathered.add(bytes);
    const tail = bytes.length < END_OF_HEAD.length ? Buffer.concat([this.#tail, bytes]) : bytes;
    this.#tail = Buffer.from(tail.subarray(1 - END_OF_HEAD.length));
  }

  /** Takes all bytes out. */
  take(): Buffer {
    this.#tail = NOTHING;
    return Buffer.concat(this.#gathered.take());
  }
}
