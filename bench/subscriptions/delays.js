/** Stores millions of delays compactly. */

/** Resolution of a millisecond. */
const PARTS = 10;
/** Greatest recorded delay; longer ones count as this. */
const MOST_MS = 60_000;

/** A histogram of delays in tenths of a millisecond. */
export class Delays {
  #counts = new Uint32Array(MOST_MS * PARTS + 1);
  #count = 0;
  #most = 0;

  /** @param {number} ms */
  add(ms) {
    const part = Math.min(this.#counts.length - 1, Math.max(0, Math.floor(ms * PARTS)));
    this.#counts[part] = (this.#counts[part] ?? 0) + 1;
    this.#count += 1;
    if (ms > this.#most) this.#most = ms;
  }

  /**
   * Returns the quantile of delays for a share.
   *
   * @param {number} share
   */
  #quantile(share) {
    let left = Math.floor(share * this.#count);
    for (const [part, count] of this.#counts.entries()) {
      left -= count;
      if (left < 0) return part / PARTS;
    }
    return this.#most;
  }

  /** Summarises the delays for the report. */
  summary() {
    const [p50, p99] = [this.#quantile(0.5), this.#quantile(0.99)];
    return { count: this.#count, p50, p99, max: this.#most };
  }
}

/** @typedef {ReturnType<Delays['summary']>} Summary */
