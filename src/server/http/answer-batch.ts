/** Something that is written out with what else is ready. */
export interface Writable {
  write(): void;
}

/**
 * Writes the responses of one turn of the event loop together, after everything that came in that turn was read: a
 * client that waits for several of them is woken up once. Whatever takes long in that turn has them written first.
 */
export class AnswerBatch {
  #ready: Writable[] = [];
  #isScheduled = false;

  add(answer: Writable): void {
    if (!this.#isScheduled) setImmediate(this.#nextTurn);
    this.#isScheduled = true;
    this.#ready.push(answer);
  }

  /** Writes what is ready now. */
  readonly write = (): void => {
    const ready = this.#ready;
    this.#ready = [];
    for (const answer of ready) answer.write();
  };

  readonly #nextTurn = (): void => {
    this.#isScheduled = false;
    this.write();
  };
}
