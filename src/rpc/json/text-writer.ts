import { LONG_RESPONSE_CHARACTERS } from '../../limits.ts';
import { ownChunk, ResponseBody } from './response-body.ts';

/** Characters that are put together before they leave the heap: few, so that they are gone before they get old. */
const TEXT_CHARACTERS = 1024;
/** Bytes of a piece; one that was added as one text has as many as that. */
const PIECE_BYTES = 64 * 1024;

/** Receiver of long text that is not kept. */
export interface Overflow {
  /** Bytes that are kept before the first of them go. */
  readonly keptMax: number;
  /** Writes the next piece, whose memory is reused afterwards. It may block, and throw to end the work. */
  write(piece: Buffer): void;
}

/** Long ASCII text that is kept as bytes outside of the heap, up to the bound from which it overflows. */
export class TextWriter {
  readonly #overflow: Overflow | undefined;
  #pieces: Buffer[] = [];
  #text = '';
  #length = 0;
  /** The piece that is being written; what is not kept is written to the same memory again and again. */
  #piece = EMPTY;
  #pieceLength = 0;

  /** @param overflow receives the text once too much of it is kept; absent: all is kept */
  constructor(overflow?: Overflow) {
    this.#overflow = overflow;
  }

  get length(): number {
    return this.#length;
  }

  add(text: string): void {
    this.#length += text.length;
    this.#text += text;
    if (this.#text.length >= TEXT_CHARACTERS) this.#leaveHeap();
  }

  /** Returns the text, and clears it. Writes the rest of a text that overflowed, and returns none. */
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
    if (length > LONG_RESPONSE_CHARACTERS) return new ResponseBody(pieces.map(ownChunk));
    return new ResponseBody(Buffer.concat(pieces).toString('latin1'));
  }

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

  /** Keeps a piece, or writes it to the overflow. Returns true if it is kept. */
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

/** The bytes of a long body, in the pieces of the transport. */
export class LongBody {
  readonly pieces: readonly Uint8Array[];
  readonly length: number;
  /** Position of the first byte of each piece. */
  readonly #starts: readonly number[];

  /** @param pieces none of them empty */
  constructor(pieces: readonly Uint8Array[]) {
    let length = 0;
    this.pieces = pieces;
    this.#starts = pieces.map((piece) => {
      length += piece.length;
      return length - piece.length;
    });
    this.length = length;
  }

  /** Returns the bytes of a range: a view of a piece, or a copy of parts of several. */
  slice(start: number, end: number): Buffer {
    const parts: Uint8Array[] = [];
    for (let index = this.#pieceAt(start); index < this.pieces.length; index += 1) {
      const pieceStart = this.#starts[index] ?? this.length;
      if (pieceStart >= end) break;
      const from = Math.max(0, start - pieceStart);
      parts.push(this.pieces[index]?.subarray(from, end - pieceStart) ?? NOTHING);
    }
    const [first = NOTHING] = parts;
    if (parts.length > 1) return Buffer.concat(parts);
    return Buffer.from(first.buffer, first.byteOffset, first.length);
  }

  toString(): string {
    return this.slice(0, this.length).toString();
  }

  #pieceAt(position: number): number {
    let [low, high] = [0, this.pieces.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.#starts[middle] ?? this.length) <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

const NOTHING = new Uint8Array();
