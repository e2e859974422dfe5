import { TRACE_PIECES_AHEAD_MAX } from '../../limits.ts';
import { invariant } from '../../protocol/index.ts';
import type { Response } from './response.ts';

/** Who makes the pieces of an answer. */
export interface PieceSource {
  /** As many wait as may: no more are to come before `resume`. */
  pause(): void;
  resume(): void;
  /** Nobody takes the rest. */
  abandon(): void;
}

/**
 * A response of JSON-RPC that is too long to be kept, as pieces of its text. They come as fast as they are taken, by
 * one reader, and none is kept afterwards. Where the answer fails on its way, reading it rejects: what was read until
 * then is no response.
 */
export class StreamedAnswer implements AsyncIterable<Buffer> {
  readonly #source: PieceSource;
  readonly #pieces: Buffer[] = [];
  #outcome: { readonly error: Error | undefined } | undefined;
  #isPaused = false;
  #wake: () => void = () => undefined;

  constructor(source: PieceSource) {
    this.#source = source;
  }

  /** Adds a piece. */
  push(piece: Buffer): void {
    if (this.#outcome !== undefined) return;
    this.#pieces.push(piece);
    if (!this.#isPaused && this.#pieces.length >= TRACE_PIECES_AHEAD_MAX) {
      this.#isPaused = true;
      this.#source.pause();
    }
    this.#wake();
  }

  /** The answer is whole with the pieces so far, or fails with an error. */
  end(error?: Error): void {
    this.#outcome ??= { error };
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer, void> {
    try {
      for (;;) {
        if (this.#outcome?.error !== undefined) throw this.#outcome.error;
        const piece = this.#pieces.shift();
        if (piece !== undefined) {
          yield piece;
          this.#goOn();
        } else if (this.#outcome === undefined) {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        } else {
          return;
        }
      }
    } finally {
      this.#pieces.length = 0;
      if (this.#outcome === undefined) {
        this.end();
        this.#source.abandon();
      }
    }
  }

  /** A piece is taken. */
  #goOn(): void {
    if (!this.#isPaused || this.#pieces.length > 0) return;
    this.#isPaused = false;
    this.#source.resume();
  }
}

/** A response, or its pieces. */
export type Answer = Response | StreamedAnswer;

/** An answer to somebody who takes no pieces. */
export function wholeAnswer(answer: Answer | Promise<Answer>): Response | Promise<Response> {
  if (answer instanceof Promise) return answer.then(wholeResponse);
  return wholeResponse(answer);
}

function wholeResponse(answer: Answer): Response {
  invariant(!(answer instanceof StreamedAnswer), 'pieces come to those who take them');
  return answer;
}
