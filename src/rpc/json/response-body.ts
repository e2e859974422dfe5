import { invariant } from '../../protocol/index.ts';

/** Some bytes of a response. */
export interface Chunk {
  readonly bytes: Buffer;
  /** True if they exist once for all responses that contain them. */
  readonly isShared: boolean;
}

/** Text that is written in steps, between which other work may run. */
export interface BodySteps {
  /** Characters so far. */
  readonly length: number;
  /** Pieces of the text, for a caller that writes them into a text of its own. */
  readonly pieces: Generator<string, void>;
  /**
   * Writes the next piece.
   *
   * @returns the whole text after the last one, before that undefined
   */
  step(): ResponseBody | undefined;
}

/**
 * The JSON text of a `T`: the result of a method, or a whole response. A short one is kept as text; a long one as
 * chunks of UTF-8 in the pieces in which it was made, outside of the heap, which are never copied together. The end of
 * one that is too long to be kept is produced while it is sent.
 */
export class ResponseBody<T = unknown> {
  /** Type of the value that the text shows; no value. */
  declare readonly shown?: T;
  /** Steps in which it is written; undefined where it is written already. */
  readonly steps: BodySteps | undefined;
  /** Bytes after the chunks, produced as fast as they are read. Reading rejects where producing fails. */
  readonly rest: AsyncIterable<Buffer> | undefined;
  /** Undefined until all steps are done. */
  #content: string | readonly Chunk[] | undefined;
  readonly #length: number;

  /**
   * @param source bytes that are given without chunks are shared by all responses
   * @param rest absent: the source is all
   */
  constructor(source: string | Buffer | readonly Chunk[] | BodySteps, rest?: AsyncIterable<Buffer>) {
    this.rest = rest;
    if (typeof source === 'object' && 'step' in source) {
      this.steps = source;
      this.#length = 0;
      return;
    }
    this.#content = Buffer.isBuffer(source) ? [{ bytes: source, isShared: true }] : source;
    this.#length =
      typeof this.#content === 'string'
        ? this.#content.length
        : this.#content.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  /** Characters of a text, bytes of chunks; what is still to be written or produced not included. */
  get length(): number {
    return this.#length;
  }

  /** Text or chunks, all steps done. */
  get content(): string | readonly Chunk[] {
    this.#content ??= this.steps === undefined ? '' : writeAll(this.steps).content;
    return this.#content;
  }

  get chunks(): readonly Chunk[] {
    const { content } = this;
    return typeof content === 'string' ? [ownChunk(Buffer.from(content))] : content;
  }

  get buffers(): readonly Buffer[] {
    return this.chunks.map(({ bytes }) => bytes);
  }

  /** Bytes that exist for this response alone. */
  get ownBytes(): number {
    return this.chunks.reduce((sum, chunk) => sum + ownBytesOf(chunk), 0);
  }

  /** The whole text. */
  get text(): string {
    const { content } = this;
    return typeof content === 'string' ? content : this.gathered().toString();
  }

  *pieces(): Generator<string> {
    if (this.steps !== undefined) yield* this.steps.pieces;
    else yield this.text;
  }

  /** Copies all chunks into one, for a writer that takes no chunks. */
  gathered(): Buffer {
    invariant(this.rest === undefined, 'a rest is produced only for a caller that takes it');
    return Buffer.concat(this.buffers);
  }

  toString(): string {
    return this.text;
  }
}

/** The response to a request or a body, a long one as bytes; undefined for notifications alone. */
export type Response = string | ResponseBody | undefined;

/** Returns the number of bytes of a chunk that exist for one response alone. */
export function ownBytesOf({ bytes, isShared }: Chunk): number {
  return isShared ? 0 : bytes.length;
}

/** Returns a chunk of bytes that are in no other response. */
export function ownChunk(bytes: Buffer): Chunk {
  return { bytes, isShared: false };
}

/** Returns a body of bytes that are in no other response. */
export function ownBody(bytes: Uint8Array): ResponseBody {
  return new ResponseBody([ownChunk(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))]);
}

function writeAll(steps: BodySteps): ResponseBody {
  for (;;) {
    const body = steps.step();
    if (body !== undefined) return body;
  }
}
