/** Random choices that a seed determines (Mulberry32). */
export class Random {
  #state;

  /** @param {number} seed */
  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /**
   * A whole number from 0 to `bound` - 1.
   *
   * @param {number} bound
   */
  below(bound) {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound);
  }

  /**
   * @template T
   * @param {readonly T[]} list
   * @returns {T}
   */
  pick(list) {
    return /** @type {T} */ (list[this.below(list.length)]);
  }

  /** @param {number} rounds */
  oneIn(rounds) {
    return this.below(rounds) === 0;
  }

  /** @param {number} count */
  hex(count) {
    return Array.from({ length: count }, () => this.below(256).toString(16).padStart(2, '0')).join('');
  }
}
