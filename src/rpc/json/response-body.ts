import { invariant } from '../../protocol/index.ts';
import { completeJob } from '../../time/job.ts';

export interface Chunk {
  readonly bytes: Buffer;
  /** True if all responses that contain the bytes share their memory. */
  readonly isShared: boolean;
}

/** Text that is written in pieces, between which other tasks may run. */
export interface BodyJob {
  readonly length: number;
  /** Pieces of the text, for a caller that includes them in another text. */
  readonly pieces: Generator<string, void>;
  /** Writes the rest of the pieces. Returns the whole text. */
  write(): Generator<void, ResponseBody>;
}

/**
 * The JSON text of a `T`: the result of a method, or a whole response. A short body is a string, a long one a list of
 * UTF-8 chunks outside of the heap, which are never copied together. The rest of a body that is too long to be buffered
 * is produced while it is sent.
 */
export class ResponseBody<T = unknown> {
  /** Never set: carries the type of the value. */
  declare readonly shown?: T;
  /** Writer of the text; undefined if it is written. */
  readonly job: BodyJob | undefined;
  /** Bytes after the chunks, produced as fast as they are read. Reading rejects if producing fails. */
  readonly rest: AsyncIterable<Buffer> | undefined;
  #content: string | readonly Chunk[] | undefined;
  readonly #length: number;

  /**
   * @param source a buffer is shared by all responses
   * @param rest absent: the source is complete
   */
  constructor(source: string | Buffer | readonly Chunk[] | BodyJob, rest?: AsyncIterable<Buffer>) {
    this.rest = rest;
    if (typeof source === 'object' && 'pieces' in source) {
      this.job = source;
      this.#length = 0;
      return;
    }
    this.#content = Buffer.isBuffer(source) ? [{ bytes: source, isShared: true }] : source;
    this.#length =
      typeof this.#content === 'string'
        ? this.#content.length
        : this.#content.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  /** Characters of a text, or bytes of chunks, without job and rest. */
  get length(): number {
    return this.#length;
  }

  /** Text or chunks, after the job. */
  get content(): string | readonly Chunk[] {
    this.#content ??= this.job === undefined ? '' : completeJob(this.job.write()).content;
    return this.#content;
  }

  get chunks(): readonly Chunk[] {
    const { content } = this;
    return typeof content === 'string' ? [ownChunk(Buffer.from(content))] : content;
  }

  get buffers(): readonly Buffer[] {
    return this.chunks.map(({ bytes }) => bytes);
  }

  get ownBytes(): number {
    return this.chunks.reduce((sum, chunk) => sum + ownBytesOf(chunk), 0);
  }

  get text(): string {
    const { content } = this;
    return typeof content === 'string' ? content : this.gathered().toString();
  }

  *pieces(): Generator<string> {
    if (this.job !== undefined) yield* this.job.pieces;
    else yield this.text;
  }

  /** Copies all chunks into one buffer. */
  gathered(): Buffer {
    invariant(this.rest === undefined, 'a body with a rest is not buffered');
    return Buffer.concat(this.buffers);
  }

  toString(): string {
    return this.text;
  }
}

/** The response to a request or a body, a long one as bytes; undefined for notifications. */
export type Response = string | ResponseBody | undefined;

/** Returns the number of bytes of a chunk that no other response shares. */
export function ownBytesOf({ bytes, isShared }: Chunk): number {
  return isShared ? 0 : bytes.length;
}

/** Returns a chunk that no other response shares. */
export function ownChunk(bytes: Buffer): Chunk {
  return { bytes, isShared: false };
}

/** Returns a body that no other response shares. */
export function ownBody(bytes: Uint8Array): ResponseBody {
  return new ResponseBody([ownChunk(viewOf(bytes))]);
}

/** Returns a body for all responses with these bytes: it holds no memory for a client that reads slowly. */
export function sharedBody(bytes: Uint8Array): ResponseBody {
  return new ResponseBody(viewOf(bytes));
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
