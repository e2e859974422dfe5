import { HANDED_OVER_BYTES_MAX } from '../../limits.ts';

/** A connection that goes to the full server. */
interface Waiting {
  readonly bytes: number;
  handOver(): void;
}

/**
 * Hands connections over to the full server a few at a time: what has come by one of them is read at once, and may take
 * a hundredth of a second, such as a body in chunks of a byte each.
 */
export class HandOvers {
  #waiting: Waiting[] = [];
  /** Bytes that were handed over in this turn of the event loop. */
  #bytes = 0;
  #isScheduled = false;
  readonly #before: () => void;

  /** @param before what is done before any is handed over in a later turn */
  constructor(before: () => void = () => undefined) {
    this.#before = before;
  }

  /** Hands a connection over, at once or in a later turn. */
  add(bytes: number, handOver: () => void): void {
    this.#waiting.push({ bytes, handOver });
    this.#goOn();
  }

  readonly #nextTurn = (): void => {
    this.#isScheduled = false;
    this.#bytes = 0;
    if (this.#waiting.length > 0) this.#before();
    this.#goOn();
  };

  #goOn(): void {
    let count = 0;
    for (const { bytes, handOver } of this.#waiting) {
      // One at least, whatever has come by it.
      if (this.#bytes > 0 && this.#bytes + bytes > HANDED_OVER_BYTES_MAX) break;
      count += 1;
      this.#bytes += bytes;
      handOver();
    }
    this.#waiting.splice(0, count);
    if (this.#isScheduled || (this.#bytes === 0 && this.#waiting.length === 0)) return;
    this.#isScheduled = true;
    setImmediate(this.#nextTurn);
  }
}
