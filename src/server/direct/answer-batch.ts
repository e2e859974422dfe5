/** Something that is written out with what else is ready. */
export interface Writable {
  write(): void;
}

/**
 * Writes the responses of one turn of the event loop together, after everything that came in that turn was read: a
 * client that waits for several of them is woken up once.
 */
export class AnswerBatch {
  #ready: Writable[] = [];

  add(answer: Writable): void {
    if (this.#ready.length === 0) setImmediate(this.#write);
    this.#ready.push(answer);
  }

  readonly #write = (): void => {
    const ready = this.#ready;
    this.#ready = [];
    for (const answer of ready) answer.write();
  };
}
