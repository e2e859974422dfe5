import {
  CHUNK_BYTES_MIN,
  QUICK_BODY_BYTES_MAX,
  SMALL_CHUNKS_MAX,
  WHOLE_BODY_BYTES_MAX,
} from '../../limits.ts';
import { LongBody } from '../../rpc/index.ts';
import { costOf, type ScheduledBody } from '../body-scheduler.ts';
import { BufferList } from '../buffer-list.ts';
import type { Connection } from '../connections.ts';
import type { BodyRefusal, ParseProblem } from '../http-response.ts';
import type { ServerLimits } from '../server-limits.ts';
import { ChunkedBody } from './chunked-body.ts';
import type { RequestPlan } from './request-plans.ts';

/** The body of a request while it arrives. Its bytes are kept and counted only if its plan takes the body. */
export class RequestBody {
  readonly #isKept: boolean;
  readonly #bytesMax: number;
  readonly #connection: Connection;
  readonly #openLong: () => ScheduledBody;
  readonly #contentLength: number;
  readonly #chunks: ChunkedBody | undefined;
  readonly #gathered = new BufferList();
  #bytes = 0;
  #pieces = 0;
  #cost = 0;
  #heldBytes = 0;
  #long: ScheduledBody | undefined;
  /** The reason for which it is not read to its end. */
  refusal: BodyRefusal | ParseProblem | undefined;

  /** @param openLong schedules the reading of a long body */
  constructor(
    { head: { contentLength, isChunked }, takesBody }: RequestPlan,
    { bodyBytesMax, headerBytesMax }: ServerLimits,
    connection: Connection,
    openLong: () => ScheduledBody,
  ) {
    this.#isKept = takesBody;
    this.#bytesMax = bodyBytesMax;
    this.#connection = connection;
    this.#openLong = openLong;
    this.#contentLength = contentLength;
    this.#chunks = isChunked ? new ChunkedBody(headerBytesMax) : undefined;
    if (contentLength > bodyBytesMax) this.refusal = 'BODY_TOO_LARGE';
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

  /** Ends the reading; takes out the body, which stays counted. A long one stays in its pieces. */
  take(): Uint8Array | LongBody {
    const { length } = this.#gathered;
    const pieces = this.#gathered.take();
    this.#heldBytes = 0;
    this.close();
    const [first] = pieces;
    if (first !== undefined && pieces.length === 1) return first;
    return length > WHOLE_BODY_BYTES_MAX ? new LongBody(pieces) : Buffer.concat(pieces, length);
  }

  /** Ends the reading, and releases the held bytes. */
  close(): void {
    this.#long?.close();
    this.#long = undefined;
    this.#connection.budget.release('requests', this.#heldBytes);
    this.#heldBytes = 0;
  }

  /** Adds the next piece; returns false if the body is refused. */
  #add(piece: Buffer): boolean {
    this.#bytes += piece.length;
    this.#pieces += 1;
    this.#cost += costOf(piece.length);
    this.refusal = this.#refusalOf(piece);
    if (this.refusal !== undefined) return false;
    if (this.#cost > QUICK_BODY_BYTES_MAX) this.#long ??= this.#openLong();
    this.#long?.note(piece.length);
    return true;
  }

  #refusalOf(piece: Buffer): BodyRefusal | undefined {
    if (this.#bytes > this.#bytesMax) return 'BODY_TOO_LARGE';
    const areSmall = this.#bytes < this.#pieces * CHUNK_BYTES_MIN;
    if (this.#pieces > SMALL_CHUNKS_MAX && areSmall) return 'TOO_MANY_PIECES';
    if (!this.#isKept) return undefined;
    if (!this.#connection.receive(piece.length)) return 'NO_ROOM';
    this.#heldBytes += piece.length;
    this.#gathered.add(piece);
    return undefined;
  }
}
