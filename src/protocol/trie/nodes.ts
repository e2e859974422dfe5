import { decodeShortNode, encodeBranch, firstItem, isHashItem, itemEnd, WIDTH } from './node-codec.ts';

/** The end of a key: the rest of its path, a nibble in each byte, and its value. */
export interface Leaf {
  readonly kind: 'leaf';
  readonly path: Uint8Array;
  readonly value: Uint8Array;
}

/** A path, of at least one nibble, that all keys below it share. Its child is a branch. */
export interface Extension {
  readonly kind: 'extension';
  readonly path: Uint8Array;
  readonly child: Branch | Uint8Array;
}

export type TrieNode = Leaf | Extension | Branch;

/** A child: a node in memory, or its item in the record of its parent. */
export type Child = TrieNode | Uint8Array;

/** The stored entry of a node. */
export interface StoredNode {
  readonly key: Uint8Array;
  readonly record: Uint8Array;
}

/** A node with at least two children. No key ends at it, since no key is a prefix of another. */
export class Branch {
  readonly kind = 'branch';
  /** Undefined for a new branch. */
  readonly stored: StoredNode | undefined;
  /** Children that differ from those of the stored record, by nibble; null for none. */
  readonly #changed = new Array<Child | null | undefined>(WIDTH).fill(undefined);

  constructor(stored?: StoredNode) {
    this.stored = stored;
  }

  child(nibble: number): Child | undefined {
    const changed = this.#changed[nibble];
    if (changed !== undefined || this.stored === undefined) return changed ?? undefined;
    const { record } = this.stored;
    let start = firstItem(record);
    for (let before = 0; before < nibble; before += 1) start = itemEnd(record, start);
    const end = itemEnd(record, start);
    return end === start + 1 ? undefined : record.subarray(start, end);
  }

  setChild(nibble: number, child: Child | undefined): void {
    this.#changed[nibble] = child ?? null;
  }

  /** Returns the nibble of the only child; undefined if there are several. */
  onlyChild(): number | undefined {
    let only: number | undefined;
    for (let nibble = 0; nibble < WIDTH; nibble += 1) {
      if (this.child(nibble) === undefined) continue;
      if (only !== undefined) return undefined;
      only = nibble;
    }
    return only;
  }

  /**
   * Encodes the branch, as its record and in Ethereum's form: views that the next call overwrites.
   *
   * @param itemOf returns the item of a child in memory
   */
  encode(itemOf: (child: TrieNode, nibble: number) => Uint8Array): ReturnType<typeof encodeBranch> {
    const items = this.#changed.map((child, nibble) =>
      child && !(child instanceof Uint8Array) ? itemOf(child, nibble) : child,
    );
    return encodeBranch(this.stored?.record, items);
  }
}

/** Returns a leaf or an extension in memory. @throws {DecodeError} for a damaged item */
export function shortNodeOf(item: Uint8Array): Leaf | Extension {
  const { path, isLeaf, value } = decodeShortNode(item);
  return isLeaf ? { kind: 'leaf', path, value } : { kind: 'extension', path, child: value };
}

/** Puts a path, which may be empty, in front of a child. */
export function extended<T extends Child>(path: Uint8Array, child: T): T | Leaf | Extension {
  return path.length === 0 ? child : lengthened(path, child);
}

/** Puts a path of at least one nibble in front of a child: extends the path of a leaf or an extension. */
export function lengthened(path: Uint8Array, child: Child): Leaf | Extension {
  if (child instanceof Uint8Array) {
    return isHashItem(child) ? { kind: 'extension', path, child } : lengthened(path, shortNodeOf(child));
  }
  if (child.kind === 'branch') return { kind: 'extension', path, child };
  return { ...child, path: joined(path, child.path) };
}

/** Concatenates two paths. */
export function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const path = new Uint8Array(first.length + second.length);
  path.set(first);
  path.set(second, first.length);
  return path;
}
