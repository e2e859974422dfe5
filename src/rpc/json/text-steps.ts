import {
  CACHED_RESPONSE_CHARACTERS_MAX,
  LONG_RESPONSE_CHARACTERS,
  RESPONSE_CHARACTERS_MAX,
} from '../../limits.ts';
import { LimitError } from '../errors.ts';
import { type BodySteps, ResponseBody } from './response-body.ts';
import { TextWriter } from './text-writer.ts';

/** Options of a text that is written in steps. */
export interface TextStepsOptions {
  /** Advice to a caller whose text is too long. */
  readonly advice: string;
  /** Caches the text at the end of the pieces. Absent: it is not cached. */
  keep?(text: string | Buffer): void;
}

/**
 * JSON text of ASCII characters that takes long to write: between two of its pieces other work may run. A piece may be
 * empty, after work that has written nothing.
 */
export class TextSteps implements BodySteps {
  readonly pieces: Generator<string, void>;
  readonly #options: TextStepsOptions;
  #text = '';
  /** The text once it is long, outside of the heap. */
  #long: TextWriter | undefined;

  constructor(pieces: Generator<string, void>, options: TextStepsOptions) {
    this.pieces = pieces;
    this.#options = options;
  }

  get length(): number {
    return this.#long?.length ?? this.#text.length;
  }

  /** @throws LimitError for a text that is too long, and as the work */
  step(): ResponseBody | undefined {
    const next = this.pieces.next();
    if (next.done === true) return this.#whole();
    const { value } = next;
    if (this.length + value.length > RESPONSE_CHARACTERS_MAX) {
      throw new LimitError(
        `the answer has more than ${RESPONSE_CHARACTERS_MAX} characters, the limit of one answer: ` +
          this.#options.advice,
      );
    }
    if (this.#long !== undefined) this.#long.add(value);
    else this.#text += value;
    if (this.#text.length > LONG_RESPONSE_CHARACTERS) {
      this.#long = new TextWriter();
      this.#long.add(this.#text);
      this.#text = '';
    }
    return undefined;
  }

  #whole(): ResponseBody {
    const { keep } = this.#options;
    if (this.#long === undefined) {
      keep?.(this.#text);
      return new ResponseBody(this.#text);
    }
    const isKept = keep !== undefined && this.#long.length <= CACHED_RESPONSE_CHARACTERS_MAX;
    const body = this.#long.body();
    if (!isKept) return body;
    const bytes = body.gathered();
    keep(bytes);
    return new ResponseBody(bytes);
  }
}

/** Runs all steps, and returns their result. */
export function runSteps<T>(steps: Iterator<string, T>): T {
  for (;;) {
    const next = steps.next();
    if (next.done === true) return next.value;
  }
}
