/**
 * Keeps the event loop looking for requests for a moment after one was answered, instead of letting the process
 * sleep: a client that sends its next request at once is heard sooner than the system can wake a process up.
 */
export class BusyPolling {
  readonly #milliseconds: number;
  #until = 0;
  #isPolling = false;

  /** @param microseconds how long to look after each response; 0 for not at all */
  constructor(microseconds: number) {
    this.#milliseconds = microseconds / 1_000;
  }

  /** A request was answered. */
  begin(): void {
    if (this.#milliseconds === 0) return;
    this.#until = performance.now() + this.#milliseconds;
    if (this.#isPolling) return;
    this.#isPolling = true;
    setImmediate(this.#look);
  }

  readonly #look = (): void => {
    this.#isPolling = performance.now() < this.#until;
    // The event loop does not sleep while something is to be done next.
    if (this.#isPolling) setImmediate(this.#look);
  };
}
