import { LONG_ANSWER_CHARACTERS, TURN_WRITE_BYTES_MAX } from '../limits.ts';

/** An answer that waits to be written. */
interface Waiting {
  readonly bytes: number;
  write(): void;
}

/**
 * Has long answers written a few at a time, in the order in which they are ready, and goes on with the next turn of the
 * event loop: many of them would hold up whoever asks for little. The system takes what is written as fast as memory is
 * copied, so that nothing else stops a client that asks for the next one.
 */
export class LongAnswers {
  #waiting: Waiting[] = [];
  /** Bytes of long answers that were written in this turn of the event loop. */
  #written = 0;

  /** Writes an answer at once if it is short, or if this turn has room for it; else in a later turn. */
  write(bytes: number, write: () => void): void {
    if (bytes <= LONG_ANSWER_CHARACTERS) {
      write();
      return;
    }
    this.#waiting.push({ bytes, write });
    if (this.#written > 0) return;
    setImmediate(this.#nextTurn);
    this.#writeTurn();
  }

  readonly #nextTurn = (): void => {
    this.#written = 0;
    if (this.#waiting.length === 0) return;
    setImmediate(this.#nextTurn);
    this.#writeTurn();
  };

  #writeTurn(): void {
    let count = 0;
    for (const { bytes, write } of this.#waiting) {
      if (this.#written >= TURN_WRITE_BYTES_MAX) break;
      count += 1;
      this.#written += bytes;
      write();
    }
    this.#waiting.splice(0, count);
  }
}
