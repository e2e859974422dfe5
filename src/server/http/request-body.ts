import { LongBody } from '../../rpc/index.ts';
import { QUICK_BODY_BYTES_MAX } from '../../scheduling/index.ts';
import { costOf, type ScheduledBody } from '../body-scheduler.ts';
import { BufferList } from '../buffer-list.ts';
import type { Connection } from '../connections.ts';
import { type BodyRefusal, CHUNK_BYTES_MIN, type ParseProblem, SMALL_CHUNKS_MAX } from '../http-response.ts';
import type { ServerLimits } from '../server-limits.ts';
import { ChunkedBody } from './chunked-body.ts';
import type { RequestPlan } from './request-plans.ts';

/** Bytes of a body up to which it is concatenated. */
const WHOLE_BODY_BYTES_MAX = 64 * 1024;

/** The body of a request while it arrives. Its bytes are stored and counted only if the plan takes the body. */
export class RequestBody {
  readonly #isStored: boolean;
  readonly #bytesMax: number;
  readonly #connection: Connection;
  readonly #openLong: () => ScheduledBody;
  readonly #contentLength: number;
  readonly #chunks: ChunkedBody | undefined;
  readonly #buffers = new BufferList();
  #bytes = 0;
  #chunkCount = 0;
  #cost = 0;
  #heldBytes = 0;
  #long: ScheduledBody | undefined;
  /** The reason for which the body is not read to its end. */
  refusal: BodyRefusal | ParseProblem | undefined;

  /** @param openLong schedules the reading of a long body */
  constructor(
    { head: { contentLength, isChunked }, takesBody, bodyBytesMax }: RequestPlan,
    { headerBytesMax }: ServerLimits,
    connection: Connection,
    openLong: () => ScheduledBody,
  ) {
    this.#isStored = takesBody;
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
   * Reads bytes up to the end of the body, or as many as are parsed in one step.
   *
   * @returns the position after the read bytes
   */
  read(bytes: Buffer, start: number): number {
    if (this.#chunks !== undefined) {
      const end = this.#chunks.decode(bytes, start, (chunk) => this.#add(chunk));
      this.refusal ??= this.#chunks.problem;
      return end;
    }
    const end = Math.min(bytes.length, start + this.#contentLength - this.#bytes);
    if (end > start) this.#add(bytes.subarray(start, end));
    return end;
  }

  /** Ends the reading and returns the body, which stays counted. A long one is not concatenated. */
  take(): Uint8Array | LongBody {
    const { length } = this.#buffers;
    const buffers = this.#buffers.take();
    this.#heldBytes = 0;
    this.close();
    const [first] = buffers;
    if (first !== undefined && buffers.length === 1) return first;
    return length > WHOLE_BODY_BYTES_MAX ? new LongBody(buffers) : Buffer.concat(buffers, length);
  }

  /** Ends the reading, and releases the held bytes. */
  close(): void {
    this.#long?.close();
    this.#long = undefined;
    this.#connection.budget.release('requests', this.#heldBytes);
    this.#heldBytes = 0;
  }

  /** Adds the next chunk; returns false if the body is refused. */
  #add(chunk: Buffer): boolean {
    this.#bytes += chunk.length;
    this.#chunkCount += 1;
    this.#cost += costOf(chunk.length);
    this.refusal = this.#refusalOf(chunk);
    if (this.refusal !== undefined) return false;
    if (this.#cost > QUICK_BODY_BYTES_MAX) this.#long ??= this.#openLong();
    this.#long?.note(chunk.length);
    return true;
  }

  #refusalOf(chunk: Buffer): BodyRefusal | undefined {
    if (this.#bytes > this.#bytesMax) return 'BODY_TOO_LARGE';
    const areSmall = this.#bytes < this.#chunkCount * CHUNK_BYTES_MIN;
    if (this.#chunkCount > SMALL_CHUNKS_MAX && areSmall) return 'TOO_MANY_PIECES';
    if (!this.#isStored) return undefined;
    if (!this.#connection.receive(chunk.length)) return 'NO_ROOM';
    this.#heldBytes += chunk.length;
    this.#buffers.add(chunk);
    return undefined;
  }
}
