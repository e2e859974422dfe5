import { LONG_ANSWER_CHARACTERS } from '../../limits.ts';
import { invariant } from '../../protocol/index.ts';
import type { ConnectionBudget } from '../../scheduling/index.ts';
import { type Chunk, ownBytesOf, ownChunk, type Response, ResponseBody } from '../json/response-body.ts';

/** The responses of a batch, added one by one: a JSON array. Long texts leave the heap as chunks. */
export class BatchBody {
  readonly #account: ConnectionBudget | undefined;
  /** UTF-8 of the array so far, and the text after it. */
  readonly #chunks: Chunk[] = [];
  #bytes = 0;
  #texts: string[] = [];
  #textCharacters = 0;

  /** @param account counts held bytes, until its owner releases them */
  constructor(account: ConnectionBudget | undefined) {
    this.#account = account;
  }

  /** Characters, or written bytes, of all responses. */
  get length(): number {
    return this.#bytes + this.#textCharacters;
  }

  /** Adds the response of the next request; undefined for none. */
  add(response: Response): void {
    if (response === undefined) return;
    if (typeof response !== 'string') {
      invariant(response.rest === undefined, 'what is part of a batch is produced before it is sent');
      this.#write();
      if (this.#bytes > 0) this.#push(COMMA);
      for (const chunk of response.chunks) this.#push(chunk);
      return;
    }
    this.#account?.hold('answers', response.length);
    this.#texts.push(response);
    this.#textCharacters += response.length;
    if (this.#textCharacters >= LONG_ANSWER_CHARACTERS) this.#write();
  }

  /** Returns the whole array; undefined for no responses at all. */
  whole(): Response {
    if (this.#bytes === 0) return this.#texts.length === 0 ? undefined : `[${this.#texts.join(',')}]`;
    this.#write();
    return new ResponseBody([OPENING, ...this.#chunks, CLOSING]);
  }

  #write(): void {
    if (this.#texts.length === 0) return;
    this.#push(ownChunk(Buffer.from(`${this.#bytes === 0 ? '' : ','}${this.#texts.join(',')}`)));
    this.#account?.release('answers', this.#textCharacters);
    this.#texts = [];
    this.#textCharacters = 0;
  }

  #push(chunk: Chunk): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.bytes.length;
    this.#account?.hold('answers', ownBytesOf(chunk));
  }
}

const OPENING = ownChunk(Buffer.from('['));
const COMMA = ownChunk(Buffer.from(','));
const CLOSING = ownChunk(Buffer.from(']'));
