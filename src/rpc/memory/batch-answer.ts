import { LONG_ANSWER_CHARACTERS } from '../../limits.ts';
import type { Account } from './accountant.ts';
import { type AnswerPiece, LongAnswer, ownBytesOf, ownPiece } from './long-answer.ts';

/** The answers of a batch, as they come: a JSON array of them. What is long leaves the heap as bytes by and by. */
export class BatchAnswer {
  readonly #account: Account | undefined;
  /** UTF-8 of the array up to here, and what follows as text. */
  readonly #chunks: AnswerPiece[] = [];
  #bytes = 0;
  #texts: string[] = [];
  #textCharacters = 0;

  /** @param account counts what is held, until its owner releases it */
  constructor(account: Account | undefined) {
    this.#account = account;
  }

  /** Characters, or bytes where they are written already, of all responses. */
  get length(): number {
    return this.#bytes + this.#textCharacters;
  }

  /** Adds the response of the next request; undefined for none. */
  add(answer: string | Buffer | LongAnswer | undefined): void {
    if (answer === undefined) return;
    if (typeof answer !== 'string') {
      this.#write();
      if (this.#bytes > 0) this.#push(COMMA);
      for (const piece of answer instanceof LongAnswer ? answer.pieces : [ownPiece(answer)])
        this.#push(piece);
      return;
    }
    this.#account?.hold('answers', answer.length);
    this.#texts.push(answer);
    this.#textCharacters += answer.length;
    if (this.#textCharacters >= LONG_ANSWER_CHARACTERS) this.#write();
  }

  /** The whole array; undefined for no responses at all. */
  whole(): string | LongAnswer | undefined {
    if (this.#bytes === 0) return this.#texts.length === 0 ? undefined : `[${this.#texts.join(',')}]`;
    this.#write();
    return new LongAnswer([OPENING, ...this.#chunks, CLOSING]);
  }

  #write(): void {
    if (this.#texts.length === 0) return;
    this.#push(ownPiece(Buffer.from(`${this.#bytes === 0 ? '' : ','}${this.#texts.join(',')}`)));
    this.#account?.release('answers', this.#textCharacters);
    this.#texts = [];
    this.#textCharacters = 0;
  }

  #push(chunk: AnswerPiece): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.bytes.length;
    this.#account?.hold('answers', ownBytesOf(chunk));
  }
}

const [OPENING, COMMA, CLOSING] = ['[', ',', ']'].map((text) => ownPiece(Buffer.from(text))) as [
  AnswerPiece,
  AnswerPiece,
  AnswerPiece,
];
