import type { TextPieces } from '../../text-pieces.ts';
import { TextSteps } from './text-steps.ts';

/** What a text is written from. */
export type TextSource = string | Buffer | TextPieces;

/** The JSON text of a `T`: a method that has its result as text gives it as it stands. */
export class ResponseBody<T = unknown> {
  /** What the text shows; only for the type. */
  declare readonly shown?: T;
  readonly #source: TextSource | TextSteps;

  /** @param source pieces are taken out of it once, with the answer; bytes of UTF-8 are those of all answers */
  constructor(source: TextSource | TextSteps) {
    this.#source = source;
  }

  get text(): string {
    const { source } = this;
    return typeof source === 'string' || Buffer.isBuffer(source) ? source.toString() : source.takeText();
  }

  /** Characters of a text that is kept. */
  get length(): number {
    return this.#source.length;
  }

  /** What an answer is written from; what takes long is done. */
  get source(): TextSource {
    return this.#source instanceof TextSteps ? this.#source.whole() : this.#source;
  }

  /** The steps in which it is written; undefined where it is written already. */
  get steps(): TextSteps | undefined {
    return this.#source instanceof TextSteps ? this.#source : undefined;
  }

  /** The text, piece by piece. */
  *pieces(): Generator<string> {
    if (this.#source instanceof TextSteps) yield* this.#source.pieces;
    else yield this.text;
  }
}

/** The JSON text of what a method answers. */
export function textOfResult(result: unknown): TextSource {
  return result instanceof ResponseBody ? result.source : JSON.stringify(result);
}
