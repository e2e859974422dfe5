/**
 * Shares of a bounded resource by holder, for the eviction rule of a full pool: the largest holder is evicted first,
 * and a holder without a share is never rejected. Every operation takes constant time.
 */
export class FairShares {
  readonly #amounts = new Map<string, number>();
  /** Holders by the level of their amounts, in the order in which they reached it. */
  readonly #levels = new Map<number, Set<string>>();
  readonly #levelOf: (amount: number) => number;
  #highest = 0;
  #total = 0;

  /** @param levelOf maps amounts to levels, which are compared: few levels make changes of any size fast */
  constructor(levelOf: (amount: number) => number = (amount) => amount) {
    this.#levelOf = levelOf;
  }

  /** Sum of the amounts of all. */
  get total(): number {
    return this.#total;
  }

  of(holder: string): number {
    return this.#amounts.get(holder) ?? 0;
  }

  /** Adds a difference, which may be negative, to the amount of a holder. */
  change(holder: string, difference: number): void {
    const before = this.of(holder);
    const after = before + difference;
    this.#total += difference;
    if (after === 0) this.#amounts.delete(holder);
    else this.#amounts.set(holder, after);
    const from = this.#levelOf(before);
    const to = this.#levelOf(after);
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

  /** Returns the largest holder, among equals the one that has held as much for longest; undefined without holders. */
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
