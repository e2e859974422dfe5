/**
 * A cache of recently used entries within a bound. It has two generations: the younger one takes entries that are set
 * or read, and replaces the older one when it would exceed half of the bound. So an entry is evicted, without a search,
 * after others that fill half of the bound were used.
 */
export class BoundedMap<Key, Value> {
  readonly #generationMax: number;
  readonly #sizeOf: (value: Value) => number;
  #young = new Map<Key, Value>();
  #old = new Map<Key, Value>();
  /** Size of the entries of the younger generation. */
  #youngSize = 0;

  /**
   * @param most total size of all entries, such as their number
   * @param sizeOf size of an entry; one of more than half of the bound is not stored
   */
  constructor(most: number, sizeOf: (value: Value) => number = one) {
    this.#generationMax = most / 2;
    this.#sizeOf = sizeOf;
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
    if (size > this.#generationMax) return;
    if (this.#youngSize + size > this.#generationMax) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#youngSize = 0;
    }
    this.#young.set(key, value);
    this.#youngSize += size;
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
    this.#youngSize = 0;
  }

  /** Removes an entry from both generations. */
  #delete(key: Key): void {
    const before = this.#young.get(key);
    if (before !== undefined) {
      this.#young.delete(key);
      this.#youngSize -= this.#sizeOf(before);
    }
    this.#old.delete(key);
  }
}

function one(): number {
  return 1;
}
