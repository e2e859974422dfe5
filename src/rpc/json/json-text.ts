import type { TextPieces } from '../../text-pieces.ts';

/** What a text is written from. */
export type TextSource = string | Buffer | TextPieces;

/** The JSON text of a `T`: a method that has its result as text gives it as it stands. */
export class JsonText<T = unknown> {
  /** What the text shows; only for the type. */
  declare readonly shown?: T;
  readonly #source: TextSource;

  /** @param source pieces are taken out of it once, with the answer; bytes of UTF-8 are those of all answers */
  constructor(source: TextSource) {
    this.#source = source;
  }

  get text(): string {
    const source = this.#source;
    return typeof source === 'string' || Buffer.isBuffer(source) ? source.toString() : source.takeText();
  }

  /** What an answer is written from. */
  get source(): TextSource {
    return this.#source;
  }
}

/** The JSON text of what a method answers. */
export function textOfResult(result: unknown): TextSource {
  return result instanceof JsonText ? result.source : JSON.stringify(result);
}
