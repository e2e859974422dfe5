/** Characters that are put together before they leave the heap. */
const PIECE_CHARACTERS = 64 * 1024;

/** Long ASCII text that is written from its beginning to its end, and is kept as bytes outside of the heap. */
export class TextPieces {
  #pieces: Buffer[] = [];
  #text = '';
  #length = 0;

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
    if (this.#text.length === 0) return;
    this.#pieces.push(Buffer.from(this.#text, 'latin1'));
    this.#text = '';
  }
}

const EMPTY = Buffer.alloc(0);
