/** Longest delay of a timer of Node.js, in milliseconds. */
const LONGEST_DELAY_MS = 2 ** 31 - 1;

/** Keeps the process running while a promise is pending, without another active handle. */
export class ProcessHold {
  #holders = 0;
  #timer: NodeJS.Timeout | undefined;

  /** Holds the process until the promise is settled. */
  during<T>(promise: Promise<T>): Promise<T> {
    this.#holders += 1;
    this.#timer ??= setInterval(() => undefined, LONGEST_DELAY_MS);
    return promise.finally(() => {
      this.#holders -= 1;
      if (this.#holders > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    });
  }
}
