import type { TextPieces } from '../../text-pieces.ts';

/** The JSON text of a `T`: a method that has its result as text gives it as it stands. */
export class JsonText<T = unknown> {
  /** What the text shows; only for the type. */
  declare readonly shown?: T;
  readonly #source: string | TextPieces;

  /** @param source pieces are taken out of it once, with the answer */
  constructor(source: string | TextPieces) {
    this.#source = source;
  }

  get text(): string {
    return typeof this.#source === 'string' ? this.#source : this.#source.takeText();
  }

  /** What an answer is written from. */
  get source(): string | TextPieces {
    return this.#source;
  }
}

/** The JSON text of what a method answers. */
export function textOfResult(result: unknown): string | TextPieces {
  return result instanceof JsonText ? result.source : JSON.stringify(result);
}
