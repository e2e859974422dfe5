/**
 * A table that keeps what was used of late, and never more than its bound. Entries lie in two generations: the younger
 * takes what is set or asked for, and once it would outgrow half of the bound it becomes the older one, and that goes.
 * So room is made without looking for it, and an entry goes when others that fill half of the bound were used since.
 */
export class BoundedMap<Key, Value> {
  readonly #generationMax: number;
  readonly #sizeOf: (value: Value) => number;
  #young = new Map<Key, Value>();
  #old = new Map<Key, Value>();
  /** What the entries of the younger generation take. */
  #youngSize = 0;

  /**
   * @param most what all entries may take together, such as their number
   * @param sizeOf what an entry takes; what takes more than half of the bound is not kept
   */
  constructor(most: number, sizeOf: (value: Value) => number = one) {
    this.#generationMax = most / 2;
    this.#sizeOf = sizeOf;
  }

  /** The value of a key; undefined where there is none any more. */
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

  /** Forgets everything. */
  clear(): void {
    this.#young.clear();
    this.#old.clear();
    this.#youngSize = 0;
  }

  /** An entry counts once, and its former value is never found again. */
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
