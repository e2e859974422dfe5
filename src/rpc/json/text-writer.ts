import { LONG_ANSWER_CHARACTERS } from '../../limits.ts';
import { ownChunk, ResponseBody } from './response-body.ts';

/** Characters that are put together before they leave the heap: few, so that they are gone before they get old. */
const TEXT_CHARACTERS = 1024;
/** Bytes of a piece; one that was added as one text has as many as that. */
const PIECE_BYTES = 64 * 1024;

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
export class TextWriter {
  readonly #overflow: Overflow | undefined;
  #pieces: Buffer[] = [];
  #text = '';
  #length = 0;
  /** The piece that is being written; what is not kept is written to the same memory again and again. */
  #piece = EMPTY;
  #pieceLength = 0;

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
    if (this.#text.length >= TEXT_CHARACTERS) this.#leaveHeap();
  }

  /** Returns the text and keeps nothing of it; no text where it overflowed, which the rest of it then does as well. */
  body(): ResponseBody {
    const [length, text] = [this.#length, this.#text];
    if (length === text.length) {
      this.#text = '';
      this.#length = 0;
      return new ResponseBody(text);
    }
    this.#endPiece();
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#length = 0;
    if (length > LONG_ANSWER_CHARACTERS) return new ResponseBody(pieces.map(ownChunk));
    return new ResponseBody(Buffer.concat(pieces).toString('latin1'));
  }

  /** Writes the text to the piece, and begins others where it does not fit. */
  #leaveHeap(): void {
    const text = this.#text;
    this.#text = '';
    if (this.#pieceLength + text.length > PIECE_BYTES) this.#passPiece();
    if (text.length > PIECE_BYTES) {
      this.#pass(Buffer.from(text, 'latin1'));
      return;
    }
    if (this.#piece.length === 0) this.#piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
    this.#pieceLength += this.#piece.write(text, this.#pieceLength, 'latin1');
  }

  /** Passes on all that there is. */
  #endPiece(): void {
    this.#leaveHeap();
    this.#passPiece();
  }

  #passPiece(): void {
    if (this.#pieceLength === 0) return;
    const piece = this.#piece.subarray(0, this.#pieceLength);
    this.#pieceLength = 0;
    if (this.#pass(piece)) this.#piece = EMPTY;
  }

  /** Keeps a piece, or has it written where too much is kept. @returns whether it is kept */
  #pass(piece: Buffer): boolean {
    const overflow = this.#overflow;
    if (overflow === undefined || this.#length <= overflow.keptMax) {
      this.#pieces.push(piece);
      return true;
    }
    for (let kept = this.#pieces.shift(); kept !== undefined; kept = this.#pieces.shift()) {
      overflow.write(kept);
    }
    overflow.write(piece);
    return false;
  }
}

const EMPTY = Buffer.alloc(0);
