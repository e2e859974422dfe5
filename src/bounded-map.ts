/**
 * A table of recently used entries within a bound. Entries lie in two generations: the younger takes those that are set
 * or read, and when it would outgrow half of the bound, it replaces the older one. Thus an entry is dropped, without a
 * search, when others that fill half of the bound were used since.
 */
export class BoundedMap<Key, Value> {
  readonly #generationMax: number;
  readonly #sizeOf: (value: Value) => number;
  #young = new Map<Key, Value>();
  #old = new Map<Key, Value>();
  /** Size of the entries of the younger generation. */
  #youngSize = 0;

  /**
   * @param most size of all entries together, such as their number
   * @param sizeOf size of an entry; one of more than half of the bound is not kept
   */
  constructor(most: number, sizeOf: (value: Value) => number = one) {
    this.#generationMax = most / 2;
    this.#sizeOf = sizeOf;
  }

  /** Returns the value of a key; undefined where it is no longer known. */
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

  /** Removes all entries. */
  clear(): void {
    this.#young.clear();
    this.#old.clear();
    this.#youngSize = 0;
  }

  /** Removes an entry, so that it counts once and its former value is never found again. */
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
