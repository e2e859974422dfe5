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
