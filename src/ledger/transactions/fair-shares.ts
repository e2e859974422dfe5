/**
 * Shares of a bounded resource by holder, for the eviction rule of a full pool: the largest holder is evicted first,
 * and a holder without a share is never rejected. Every operation takes constant time.
 */
export class FairShares {
  readonly #amounts = new Map<string, number>();
  /** Holders by the level of their amounts; those that reached a level first come first. */
  readonly #levels = new Map<number, Set<string>>();
  readonly #levelOf: (amount: number) => number;
  #highest = 0;
  #total = 0;

  /** @param levelOf holders of the same level count as equal: few levels keep changes of any size short */
  constructor(levelOf: (amount: number) => number = (amount) => amount) {
    this.#levelOf = levelOf;
  }

  /** Sum of the amounts of all. */
  get total(): number {
    return this.#total;
  }

  /** The amount of a holder. */
  of(holder: string): number {
    return this.#amounts.get(holder) ?? 0;
  }

  /** Adds to the amount of a holder, or takes from it where the difference is negative. */
  change(holder: string, difference: number): void {
    const before = this.of(holder);
    const after = before + difference;
    this.#total += difference;
    if (after === 0) this.#amounts.delete(holder);
    else this.#amounts.set(holder, after);
    const [from, to] = [this.#levelOf(before), this.#levelOf(after)];
    if (from === to) return;
    const left = this.#levels.get(from);
    left?.delete(holder);
    if (left?.size === 0) this.#levels.delete(from);
    if (to > 0) this.#enter(holder, to);
    while (this.#highest > 0 && !this.#levels.has(this.#highest)) this.#highest -= 1;
  }

  #enter(holder: string, level: number): void {
    const entered = this.#levels.get(level) ?? new Set<string>();
    this.#levels.set(level, entered.add(holder));
    if (level > this.#highest) this.#highest = level;
  }

  /** The holder of most, of several the one that has held as much for longest; undefined where nobody holds any. */
  largest(): string | undefined {
    const [first] = this.#levels.get(this.#highest) ?? [];
    return first;
  }

  /** Returns true if the largest holder must yield to a further amount of a smaller holder. */
  hasClaim(holder: string, further: number): boolean {
    const largest = this.largest();
    return largest !== undefined && this.of(holder) + further < this.of(largest);
  }
}
