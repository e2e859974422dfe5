import { LimitError } from '../rpc-errors.ts';
import { type BodyJob, ResponseBody } from './response-body.ts';
import { LONG_RESPONSE_CHARACTERS, TextWriter } from './text-writer.ts';

/** Characters of the cached immutable responses of a node, such as blocks (64 MiB): those of all its chains. */
export const RESPONSE_CACHE_CHARACTERS_MAX = 64 * 1024 * 1024;
/** Characters of one response that lists contents of blocks (64 MiB): no single receipt is as long. */
export const RESPONSE_CHARACTERS_MAX = 64 * 1024 * 1024;
/** Characters of one response that is cached because it is immutable (8 MiB). */
const CACHED_RESPONSE_CHARACTERS_MAX = RESPONSE_CACHE_CHARACTERS_MAX / 8;

/**
 * Returns a JSON text of ASCII characters that is written in pieces, between which other tasks may run; errors of the
 * pieces are thrown then, and LimitError for too long a text. A piece may be empty, after a step without text.
 *
 * @param advice alternative for the caller, for the error of too long a text
 * @param cache caches the finished text; absent: it is not cached
 */
export function writtenInPieces<T = unknown>(
  pieces: Generator<string, void>,
  advice: string,
  cache?: (text: string | Buffer) => void,
): ResponseBody<T> {
  return new ResponseBody(new TextInPieces(pieces, advice, cache));
}

class TextInPieces implements BodyJob {
  readonly pieces: Generator<string, void>;
  readonly #advice: string;
  readonly #cache: ((text: string | Buffer) => void) | undefined;
  #text = '';
  #long: TextWriter | undefined;

  constructor(
    pieces: Generator<string, void>,
    advice: string,
    cache: ((text: string | Buffer) => void) | undefined,
  ) {
    this.pieces = pieces;
    this.#advice = advice;
    this.#cache = cache;
  }

  get length(): number {
    return this.#long?.length ?? this.#text.length;
  }

  *write(): Generator<void, ResponseBody> {
    for (const piece of this.pieces) {
      this.#add(piece);
      yield;
    }
    return this.#whole();
  }

  #add(piece: string): void {
    if (this.length + piece.length > RESPONSE_CHARACTERS_MAX) {
      throw new LimitError(
        `the response has more than ${RESPONSE_CHARACTERS_MAX} characters, the limit of one response: ` +
          this.#advice,
      );
    }
    if (this.#long !== undefined) this.#long.add(piece);
    else this.#text += piece;
    if (this.#text.length > LONG_RESPONSE_CHARACTERS) {
      this.#long = new TextWriter();
      this.#long.add(this.#text);
      this.#text = '';
    }
  }

  #whole(): ResponseBody {
    const cache = this.#cache;
    if (this.#long === undefined) {
      cache?.(this.#text);
      return new ResponseBody(this.#text);
    }
    const isCached = cache !== undefined && this.#long.length <= CACHED_RESPONSE_CHARACTERS_MAX;
    const body = this.#long.body();
    if (!isCached) return body;
    const bytes = body.gathered();
    cache(bytes);
    return new ResponseBody(bytes);
  }
}
