import {
  PIECE_BYTES_MIN,
  QUICK_BODY_BYTES_MAX,
  SMALL_PIECES_MAX,
  WHOLE_BODY_BYTES_MAX,
} from '../../limits.ts';
import { LongBody } from '../../rpc/index.ts';
import { GatheredBytes } from '../gathered-bytes.ts';
import type { RequestHead } from '../http-answer.ts';
import { costOf, type OpenBody } from '../long-bodies.ts';
import type { BodyRefusal, ParseProblem } from '../refusals.ts';
import { ChunkedBody } from './chunked-body.ts';

/** Bounds of reading a body. */
export interface BodyBounds {
  readonly bytesMax: number;
  /** Bytes of the extensions and trailers of a chunked one. */
  readonly extraBytesMax: number;
  /** True if the bytes are kept; else they are only counted. */
  readonly isKept: boolean;
  /** Counts bytes that are kept; returns false if there is no room for them. */
  hold(bytes: number): boolean;
  /** Releases bytes that are not kept after all. */
  release(bytes: number): void;
  /** Schedules the reading of a long body. */
  openLong(): OpenBody;
}

/** The body of a request while it arrives. */
export class RequestBody {
  readonly #bounds: BodyBounds;
  readonly #contentLength: number;
  readonly #chunks: ChunkedBody | undefined;
  readonly #gathered = new GatheredBytes();
  #bytes = 0;
  #pieces = 0;
  #cost = 0;
  #heldBytes = 0;
  #long: OpenBody | undefined;
  /** The reason for which it is not read to its end; undefined while there is none. */
  refusal: BodyRefusal | ParseProblem | undefined;

  constructor({ contentLength, isChunked }: RequestHead, bounds: BodyBounds) {
    this.#bounds = bounds;
    this.#contentLength = contentLength;
    this.#chunks = isChunked ? new ChunkedBody(bounds.extraBytesMax) : undefined;
    if (contentLength > bounds.bytesMax) this.refusal = 'BODY_TOO_LARGE';
  }

  get isComplete(): boolean {
    return this.#chunks?.isComplete ?? this.#bytes === this.#contentLength;
  }

  /**
   * Reads bytes up to the end of the body, or as many as are parsed at a time.
   *
   * @returns the position up to which they are read
   */
  read(bytes: Buffer, start: number): number {
    if (this.#chunks !== undefined) {
      const end = this.#chunks.decode(bytes, start, (piece) => this.#add(piece));
      this.refusal ??= this.#chunks.problem;
      return end;
    }
    const end = Math.min(bytes.length, start + this.#contentLength - this.#bytes);
    if (end > start) this.#add(bytes.subarray(start, end));
    return end;
  }

  /** Ends the reading; the body itself, which stays counted, is taken. One that is long stays in its pieces. */
  take(): Uint8Array | LongBody {
    const { length } = this.#gathered;
    const pieces = this.#gathered.take();
    this.#heldBytes = 0;
    this.close();
    const [first] = pieces;
    if (first !== undefined && pieces.length === 1) return first;
    return length > WHOLE_BODY_BYTES_MAX ? new LongBody(pieces) : Buffer.concat(pieces, length);
  }

  /** Ends the reading, and releases what is held. */
  close(): void {
    this.#long?.close();
    this.#long = undefined;
    this.#bounds.release(this.#heldBytes);
    this.#heldBytes = 0;
  }

  /** Adds the next piece; returns false if the body is refused. */
  #add(piece: Buffer): boolean {
    this.#bytes += piece.length;
    this.#pieces += 1;
    this.#cost += costOf(piece.length);
    this.refusal = this.#refusalOf(piece);
    if (this.refusal !== undefined) return false;
    if (this.#cost > QUICK_BODY_BYTES_MAX) this.#long ??= this.#bounds.openLong();
    this.#long?.note(piece.length);
    return true;
  }

  #refusalOf(piece: Buffer): BodyRefusal | undefined {
    const { bytesMax, isKept } = this.#bounds;
    if (this.#bytes > bytesMax) return 'BODY_TOO_LARGE';
    const areSmall = this.#bytes < this.#pieces * PIECE_BYTES_MIN;
    if (this.#pieces > SMALL_PIECES_MAX && areSmall) return 'TOO_MANY_PIECES';
    if (!isKept) return undefined;
    if (!this.#bounds.hold(piece.length)) return 'NO_ROOM';
    this.#heldBytes += piece.length;
    this.#gathered.add(piece);
    return undefined;
  }
}
