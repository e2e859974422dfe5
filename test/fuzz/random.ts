/** Random choices that a seed determines: the same seed makes the same choices on every machine. */
export class Random {
  #state: number;

  /** @param seed any whole number; its low 32 bits count */
  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A uint32 (Mulberry32: a counter in steps of an odd constant, mixed). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  /** A whole number from 0 to `bound` - 1. */
  below(bound: number): number {
    return Math.floor((this.next() / 2 ** 32) * bound);
  }

  /** True once in `rounds` times. */
  oneIn(rounds: number): boolean {
    return this.below(rounds) === 0;
  }

  /** @throws RangeError for an empty list */
  pick<T>(list: readonly T[]): T {
    const index = this.below(list.length);
    if (index >= list.length) throw new RangeError('there is nothing to pick');
    // The index is within the list, whose elements may be undefined.
    return list[index] as T;
  }

  /** @throws RangeError unless a weight is above 0 */
  pickWeighted<T>(weighted: readonly (readonly [weight: number, value: T])[]): T {
    let rest = this.below(weighted.reduce((sum, [weight]) => sum + weight, 0));
    for (const [weight, value] of weighted) {
      if (rest < weight) return value;
      rest -= weight;
    }
    throw new RangeError('there is nothing to pick');
  }

  bytes(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => this.next());
  }

  /** `0x` and the digits of random bytes. */
  hex(count: number): string {
    return `0x${Buffer.from(this.bytes(count)).toString('hex')}`;
  }
}
