/** Characters that are put together before they leave the heap. */
const PIECE_CHARACTERS = 64 * 1024;

/** Where long text goes on that is not to be kept. */
export interface Overflow {
  /** Bytes that are kept before the first of them go. */
  readonly keptMax: number;
  /**
   * Takes a piece, which follows those before; its bytes are others afterwards. It may take its time, and throw to end
   * the work.
   */
  write(piece: Buffer): void;
}

/**
 * Long ASCII text that is written from its beginning to its end, and is kept as bytes outside of the heap: all of it,
 * or as much as may be kept, and from there on nothing.
 */
export class TextPieces {
  readonly #overflow: Overflow | undefined;
  #pieces: Buffer[] = [];
  #text = '';
  #length = 0;
  #hasOverflowed = false;
  /** What pieces that are not kept are written to, since each of their own would have to be collected. */
  #passing = EMPTY;

  /** @param overflow where the text goes on once too much of it is kept; absent: all is kept */
  constructor(overflow?: Overflow) {
    this.#overflow = overflow;
  }

  /** Characters so far, which are bytes. */
  get length(): number {
    return this.#length;
  }

  /** Adds text of ASCII characters. */
  add(text: string): void {
    this.#length += text.length;
    this.#text += text;
    if (this.#text.length >= PIECE_CHARACTERS) this.#flush();
  }

  /** Whether some of the text has gone to the overflow; then the rest goes there, too, and nothing is kept. */
  hasOverflowed(): boolean {
    if (this.#hasOverflowed) this.#flush();
    return this.#hasOverflowed;
  }

  /** Takes the text out, piece by piece; afterwards there is none. */
  *take(): Generator<Buffer, void> {
    this.#flush();
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#length = 0;
    for (let index = 0; index < pieces.length; index += 1) {
      const [piece] = pieces.splice(index, 1, EMPTY);
      if (piece !== undefined) yield piece;
    }
  }

  /** Takes all of the text out. */
  takeText(): string {
    let text = '';
    for (const piece of this.take()) text += piece.toString('latin1');
    return text;
  }

  #flush(): void {
    const text = this.#text;
    if (text.length === 0) return;
    this.#text = '';
    const overflow = this.#overflow;
    if (overflow !== undefined && this.#length > overflow.keptMax) {
      this.#hasOverflowed = true;
      for (let piece = this.#pieces.shift(); piece !== undefined; piece = this.#pieces.shift()) {
        overflow.write(piece);
      }
      if (this.#passing.length < text.length) this.#passing = Buffer.allocUnsafeSlow(text.length);
      overflow.write(this.#passing.subarray(0, this.#passing.write(text, 'latin1')));
    } else {
      this.#pieces.push(Buffer.from(text, 'latin1'));
    }
  }
}

const EMPTY = Buffer.alloc(0);
