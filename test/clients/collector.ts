/** Collects what arrives, and lets a test wait until enough has. */
export class Collector<T> {
  readonly #items: T[] = [];
  readonly #waiting: { readonly count: number; resolve(items: readonly T[]): void }[] = [];

  /** Everything that arrived, in the order of its arrival. */
  get items(): readonly T[] {
    return this.#items;
  }

  readonly add = (item: T): void => {
    this.#items.push(item);
    for (const { count, resolve } of this.#waiting) if (this.#items.length >= count) resolve(this.#items);
  };

  /** Gives the items once there are so many. */
  reached(count: number): Promise<readonly T[]> {
    if (this.#items.length >= count) return Promise.resolve(this.#items);
    return new Promise((resolve) => this.#waiting.push({ count, resolve }));
  }

  /** Gives the first item that is like this, as soon as there is one. */
  async first(isWanted: (item: T) => boolean): Promise<T> {
    for (let count = 1; ; count += 1) {
      const item = (await this.reached(count))[count - 1];
      if (item !== undefined && isWanted(item)) return item;
    }
  }
}
