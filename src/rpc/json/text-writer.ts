import { ownChunk, ResponseBody } from './response-body.ts';

/** Characters beyond which a response, or part of one, is moved out of the heap: its client may be slow. */
export const LONG_RESPONSE_CHARACTERS = 16 * 1024;

/** Characters that are joined before they leave the heap: few, so that the garbage collector finds them young. */
const TEXT_CHARACTERS = 1024;
/** Bytes of a piece; a longer text is a piece alone. */
const PIECE_BYTES = 64 * 1024;

/** Receiver of a text that is too long to be buffered. */
export interface Overflow {
  /** Bytes that are buffered before the receiver gets them. */
  readonly bufferedMax: number;
  /** Writes the next piece, whose memory is reused afterwards. May block, and throw to abort the text. */
  write(piece: Buffer): void;
}

/** A buffer of ASCII text outside of the heap, which overflows at a bound. */
export class TextWriter {
  readonly #overflow: Overflow | undefined;
  #pieces: Buffer[] = [];
  #text = '';
  #length = 0;
  /** The piece being filled, whose memory is reused after an overflow. */
  #piece = EMPTY;
  #pieceLength = 0;

  /** @param overflow receives the text beyond its bound; absent: all text is buffered */
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

  /** Returns the text and clears the buffer. Returns no text after an overflow, but writes the rest to it. */
  body(): ResponseBody {
    const length = this.#length;
    const text = this.#text;
    if (length === text.length) {
      this.#text = '';
      this.#length = 0;
      return new ResponseBody(text);
    }
    this.#leaveHeap();
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
    if (this.#pieceLength + text.length > PIECE_BYTES) this.#endPiece();
    if (text.length > PIECE_BYTES) {
      this.#store(Buffer.from(text, 'latin1'));
      return;
    }
    if (this.#piece.length === 0) this.#piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
    this.#pieceLength += this.#piece.write(text, this.#pieceLength, 'latin1');
  }

  #endPiece(): void {
    if (this.#pieceLength === 0) return;
    const piece = this.#piece.subarray(0, this.#pieceLength);
    this.#pieceLength = 0;
    if (this.#store(piece)) this.#piece = EMPTY;
  }

  /** Buffers a piece, or writes it to the overflow. Returns true if it is buffered. */
  #store(piece: Buffer): boolean {
    const overflow = this.#overflow;
    if (overflow === undefined || this.#length <= overflow.bufferedMax) {
      this.#pieces.push(piece);
      return true;
    }
    for (let buffered = this.#pieces.shift(); buffered !== undefined; buffered = this.#pieces.shift()) {
      overflow.write(buffered);
    }
    overflow.write(piece);
    return false;
  }
}

const EMPTY = Buffer.alloc(0);

/** A long request body in the pieces of the transport. */
export class LongBody {
  readonly pieces: readonly Uint8Array[];
  readonly length: number;
  readonly #starts: readonly number[];

  /** @param pieces each of at least a byte */
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
      parts.push(this.pieces[index]?.subarray(from, end - pieceStart) ?? NO_BYTES);
    }
    const [first = NO_BYTES] = parts;
    if (parts.length > 1) return Buffer.concat(parts);
    return Buffer.from(first.buffer, first.byteOffset, first.length);
  }

  toString(): string {
    return this.slice(0, this.length).toString();
  }

  #pieceAt(position: number): number {
    let low = 0;
    let high = this.pieces.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.#starts[middle] ?? this.length) <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

const NO_BYTES = new Uint8Array();
