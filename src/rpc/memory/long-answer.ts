/**
 * A long response as UTF-8 bytes, in the pieces in which it was made: put together it would be copied at once, and what
 * many responses have in common is there once.
 */
export class LongAnswer {
  readonly pieces: readonly AnswerPiece[];
  /** Bytes of all of them. */
  readonly length: number;

  constructor(pieces: readonly AnswerPiece[]) {
    this.pieces = pieces;
    this.length = pieces.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  /** Bytes that are there for this response alone. */
  get ownBytes(): number {
    return this.pieces.reduce((sum, piece) => sum + ownBytesOf(piece), 0);
  }

  /** All of it in one piece. */
  whole(): Buffer {
    return Buffer.concat(
      this.pieces.map(({ bytes }) => bytes),
      this.length,
    );
  }

  toString(): string {
    return this.whole().toString();
  }
}

/** Some bytes of a response. */
export interface AnswerPiece {
  readonly bytes: Buffer;
  /** Whether they are there once for all responses that have them. */
  readonly isShared: boolean;
}

/** Bytes that are there for one response alone. */
export function ownBytesOf({ bytes, isShared }: AnswerPiece): number {
  return isShared ? 0 : bytes.length;
}

/** Bytes that are in no other response. */
export function ownPiece(bytes: Buffer): AnswerPiece {
  return { bytes, isShared: false };
}
