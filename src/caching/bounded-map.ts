/** A bound of the total size of the entries of several maps, which age together. */
export class SharedBound {
  /** Greatest size of the younger generations of all maps. */
  readonly generationMax: number;
  readonly #maps: { age(): void }[] = [];
  /** Size of the younger generations. */
  #youngSize = 0;

  /** @param most total size of all entries, such as their number */
  constructor(most: number) {
    this.generationMax = most / 2;
  }

  add(map: { age(): void }): void {
    this.#maps.push(map);
  }

  /** Counts an entry of at most `generationMax`. If the younger generations are full, they become the older ones. */
  take(size: number): void {
    if (this.#youngSize + size > this.generationMax) {
      for (const map of this.#maps) map.age();
      this.#youngSize = 0;
    }
    this.#youngSize += size;
  }

  /** Counts entries that left a younger generation. */
  release(size: number): void {
    this.#youngSize -= size;
  }
}

/**
 * A cache of recently used entries within a bound. It has two generations: the younger one takes entries that are set
 * or read, and replaces the older one when it would exceed half of the bound. So an entry is evicted, without a search,
 * after others that fill half of the bound were used.
 */
export class BoundedMap<Key, Value> {
  readonly #bound: SharedBound;
  readonly #sizeOf: (value: Value) => number;
  #young = new Map<Key, Value>();
  #old = new Map<Key, Value>();
  /** Size of the entries of the younger generation. */
  #youngSize = 0;

  /**
   * @param most total size of all entries, such as their number, or a bound that other maps share
   * @param sizeOf size of an entry; one of more than half of the bound is not stored
   */
  constructor(most: number | SharedBound, sizeOf: (value: Value) => number = one) {
    this.#bound = typeof most === 'number' ? new SharedBound(most) : most;
    this.#bound.add(this);
    this.#sizeOf = sizeOf;
  }

  /** Makes the younger generation the older one, whose entries are evicted. */
  age(): void {
    this.#old = this.#young;
    this.#young = new Map();
    this.#youngSize = 0;
  }

  /** Returns the value of a key; undefined for an unknown or evicted one. */
  get(key: Key): Value | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: Key, value: Value): void {
    this.#delete(key);
    const size = this.#sizeOf(value);
    if (size > this.#bound.generationMax) return;
    this.#bound.take(size);
    this.#young.set(key, value);
    this.#youngSize += size;
  }

  clear(): void {
    this.#bound.release(this.#youngSize);
    this.age();
    this.#old.clear();
  }

  /** Removes an entry from both generations. */
  #delete(key: Key): void {
    const before = this.#young.get(key);
    if (before !== undefined) {
      const size = this.#sizeOf(before);
      this.#young.delete(key);
      this.#youngSize -= size;
      this.#bound.release(size);
    }
    this.#old.delete(key);
  }
}

function one(): number {
  return 1;
}
