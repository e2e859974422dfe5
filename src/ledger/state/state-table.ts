import type { StateChange } from '../../store/index.ts';

/** Key and codec of one kind of native record. */
export interface StateTableDefinition<Key extends string | number, Value> {
  /** The store's key of a record. */
  keyBytes(key: Key): Uint8Array;
  encode(value: Value): Uint8Array;
  decode(bytes: Uint8Array): Value;
}

/** Undoes writes to state tables back to a mark; shared by all tables of one state. */
export class UndoLog {
  readonly #steps: (() => void)[] = [];

  mark(): number {
    return this.#steps.length;
  }

  push(step: () => void): void {
    this.#steps.push(step);
  }

  /** Undoes everything since `mark`, newest first. */
  revertTo(mark: number): void {
    while (this.#steps.length > mark) this.#steps.pop()?.();
  }

  clear(): void {
    this.#steps.length = 0;
  }
}

/**
 * One kind of native record over the store: reads are cached, writes stay in memory (and can be undone) until
 * the block is committed. Values are immutable: a change is a new value.
 */
export class StateTable<Key extends string | number, Value> {
  readonly #definition: StateTableDefinition<Key, Value>;
  readonly #load: (key: Uint8Array) => Uint8Array | undefined;
  readonly #undo: UndoLog;
  readonly #cacheEntriesMax: number;
  readonly #current = new Map<Key, Value | undefined>();
  readonly #originals = new Map<Key, Value | undefined>();

  constructor(
    definition: StateTableDefinition<Key, Value>,
    load: (key: Uint8Array) => Uint8Array | undefined,
    undo: UndoLog,
    cacheEntriesMax: number,
  ) {
    this.#definition = definition;
    this.#load = load;
    this.#undo = undo;
    this.#cacheEntriesMax = cacheEntriesMax;
  }

  /** Returns the record, or undefined for none. */
  get(key: Key): Value | undefined {
    const cached = this.#current.get(key);
    if (cached !== undefined || this.#current.has(key)) return cached;
    const stored = this.#load(this.#definition.keyBytes(key));
    const value = stored === undefined ? undefined : this.#definition.decode(stored);
    this.#current.set(key, value);
    return value;
  }

  /** Returns the stored record. */
  original(key: Key): Value | undefined {
    return this.#originals.has(key) ? this.#originals.get(key) : this.get(key);
  }

  set(key: Key, value: Value): void {
    const previous = this.get(key);
    if (!this.#originals.has(key)) this.#originals.set(key, previous);
    this.#undo.push(() => this.#current.set(key, previous));
    this.#current.set(key, value);
  }

  /** Adds the entries that differ from the store to a list. */
  addChanges(changes: StateChange[]): void {
    if (this.#originals.size === 0) return;
    for (const [key, original] of this.#originals) {
      const current = this.#current.get(key);
      if (current === original) continue;
      const { keyBytes, encode } = this.#definition;
      changes.push({
        key: keyBytes(key),
        before: original === undefined ? undefined : encode(original),
        after: current === undefined ? undefined : encode(current),
      });
    }
  }

  /** Marks the current values as stored. */
  settle(): void {
    // Clearing an empty map allocates a table.
    if (this.#originals.size > 0) this.#originals.clear();
    if (this.#current.size > this.#cacheEntriesMax) this.#current.clear();
  }

  /** Discards all changes and cached records. */
  clear(): void {
    this.#originals.clear();
    this.#current.clear();
  }

  /** Restores the values of the store. */
  discard(): void {
    for (const [key, original] of this.#originals) this.#current.set(key, original);
    this.#originals.clear();
  }
}
