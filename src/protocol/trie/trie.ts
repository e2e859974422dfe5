import { bytesToHex, equalBytes, type Hash, toHash } from '../bytes/bytes.ts';
import { keccak256 } from '../hashing/hashes.ts';
import { InvariantError, invariant } from '../protocol-errors.ts';
import {
  encodeShortNode,
  HASHED_NODE_BYTES,
  hashInItem,
  hashItemOf,
  isBranchRecord,
  isHashItem,
  nibblesOf,
  WIDTH,
} from './node-codec.ts';
import {
  Branch,
  type Child,
  extended,
  joined,
  lengthened,
  type StoredNode,
  shortNodeOf,
  type TrieNode,
} from './nodes.ts';

/** The root of a trie without keys: Keccak-256 of the RLP of no bytes. */
export const EMPTY_TRIE_ROOT: Hash = keccak256(Uint8Array.of(0x80));

/** The change of a record by an update of a trie. */
export interface TrieChange {
  /** The prefix of the trie, and the nibbles above the node, one in each byte; none for the root. */
  readonly key: Uint8Array;
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array | undefined;
}

/** The root of a trie after an update, and the records that it changed. */
export interface TrieCommit {
  readonly root: Hash;
  readonly changes: readonly TrieChange[];
}

/** The store of a trie's records. */
export interface TrieRecords {
  /** The first bytes of the keys of all records; not empty in a store with other entries. */
  readonly prefix: Uint8Array;
  /** Returns the record of a key; undefined for none. */
  read(key: Uint8Array): Uint8Array | undefined;
}

type NextValue = (present: Uint8Array | undefined) => Uint8Array | undefined;

/** Length of the path of a key of 32 bytes; no key is longer. */
const PATH_NIBBLES = 64;

const NO_RECORDS: TrieRecords = { prefix: new Uint8Array(), read: () => undefined };

/**
 * A Merkle-Patricia trie of Ethereum (yellow paper, appendix D). It has a record for each branch, which contains its
 * leaves and extensions, by path; and one for the root. The record of a branch is its RLP, except that leaves and
 * extensions in it are whole, whatever their length. Records depend on the content of the trie alone. No key may be a
 * prefix of another one. The caller hashes keys if the trie is to be secure.
 */
export class Trie {
  readonly #records: TrieRecords;
  /** The stored root. */
  readonly #stored: StoredNode | undefined;
  /** Removed branches except the root, by their keys. */
  readonly #removed = new Map<string, StoredNode>();
  readonly #changes: TrieChange[] = [];
  /** The path of the node that is being encoded. */
  readonly #path = new Uint8Array(PATH_NIBBLES);
  #root: TrieNode | undefined;

  /** Reads the root. @param records absent: the trie is empty */
  constructor(records: TrieRecords = NO_RECORDS) {
    this.#records = records;
    const record = records.read(records.prefix);
    this.#stored = record && { key: records.prefix, record };
    if (this.#stored === undefined) this.#root = undefined;
    else if (isBranchRecord(this.#stored.record)) this.#root = new Branch(this.#stored);
    else this.#root = shortNodeOf(this.#stored.record);
  }

  /** Returns the value of a key; undefined for none. */
  get(key: Uint8Array): Uint8Array | undefined {
    return this.#walk(key, () => undefined);
  }

  /** Returns the stored nodes from the root to a key, or to the one that shows its absence, in RLP (EIP-1186). */
  prove(key: Uint8Array): Uint8Array[] {
    const nodes: Uint8Array[] = [];
    this.#walk(key, (node) => {
      const rlp = node.kind === 'branch' ? node.encode(notStored).rlp.slice() : this.#itemOf(node, 0);
      if (nodes.length === 0 || rlp.length >= HASHED_NODE_BYTES) nodes.push(rlp);
    });
    return nodes;
  }

  /**
   * Reads the stored trie. Yields each record and each leaf.
   *
   * @throws {InvariantError} for a record that is missing or has another hash, {DecodeError} for a damaged one
   */
  *scan(): Generator<'record' | 'leaf', void> {
    if (this.#root === undefined) return;
    yield 'record';
    yield* this.#scan(this.#root, new Uint8Array());
  }

  *#scan(node: TrieNode, path: Uint8Array): Generator<'record' | 'leaf', void> {
    switch (node.kind) {
      case 'leaf':
        yield 'leaf';
        break;
      case 'extension':
        yield* this.#scanChild(node.child, joined(path, node.path));
        break;
      case 'branch':
        for (let nibble = 0; nibble < WIDTH; nibble += 1) {
          const child = node.child(nibble);
          if (child !== undefined) yield* this.#scanChild(child, joined(path, Uint8Array.of(nibble)));
        }
    }
  }

  *#scanChild(child: Child, path: Uint8Array): Generator<'record' | 'leaf', void> {
    const node = this.#resolve(child, path, path.length);
    if (node.kind === 'branch') {
      const item = this.#itemOf(node, path.length);
      const isSame = child instanceof Uint8Array && equalBytes(item, child);
      invariant(isSame, `the record ${bytesToHex(this.#keyOf(path))} of the trie has another hash`);
      yield 'record';
    }
    yield* this.#scan(node, path);
  }

  /** Sets the value of a key; undefined removes the key. */
  set(key: Uint8Array, value: Uint8Array | undefined): void {
    this.update(key, () => value);
  }

  /** Replaces the value of a key. @param next returns the new value from the present one; undefined for none */
  update(key: Uint8Array, next: NextValue): void {
    this.#root = this.#update(this.#root, nibblesOf(key), 0, next);
  }

  /** Computes the root and the records that differ from the stored ones. No other method may be called afterwards. */
  commit(): TrieCommit {
    const item = this.#root && this.#itemOf(this.#root, 0);
    const isBranch = item !== undefined && isHashItem(item);
    if (!isBranch) this.#note(this.#records.prefix, this.#stored?.record, item);
    for (const { key, record } of this.#removed.values()) this.#note(key, record, undefined);
    const root = isBranch ? toHash(hashInItem(item)) : item === undefined ? EMPTY_TRIE_ROOT : keccak256(item);
    return { root, changes: this.#changes };
  }

  /**
   * Returns the item of a node in the record of its parent. Notes the changed branches from the node on.
   *
   * @param depth of the node, whose path is at the beginning of `#path`
   */
  #itemOf(node: Child, depth: number): Uint8Array {
    if (node instanceof Uint8Array) return node;
    switch (node.kind) {
      case 'leaf':
        return encodeShortNode(node.path, true, node.value);
      case 'extension':
        this.#path.set(node.path, depth);
        return encodeShortNode(node.path, false, this.#itemOf(node.child, depth + node.path.length));
      case 'branch': {
        const { record, rlp } = node.encode((child, nibble) => {
          this.#path[depth] = nibble;
          return this.#itemOf(child, depth + 1);
        });
        const { key, record: before } = node.stored ?? this.#storedAt(this.#path.subarray(0, depth));
        if (before === undefined || !equalBytes(before, record)) {
          this.#changes.push({ key, before, after: record.slice() });
        }
        return hashItemOf(rlp);
      }
    }
  }

  /** Returns the key of a new branch, and the record of a removed one there. */
  #storedAt(path: Uint8Array): { readonly key: Uint8Array; readonly record: Uint8Array | undefined } {
    const key = this.#keyOf(path);
    if (path.length === 0) return { key, record: this.#stored?.record };
    const name = bytesToHex(key);
    const removed = this.#removed.get(name);
    this.#removed.delete(name);
    return removed ?? { key, record: undefined };
  }

  #note(key: Uint8Array, before: Uint8Array | undefined, after: Uint8Array | undefined): void {
    const isSame = before === undefined || after === undefined ? before === after : equalBytes(before, after);
    if (!isSame) this.#changes.push({ key, before, after });
  }

  #keyOf(path: Uint8Array): Uint8Array {
    const { prefix } = this.#records;
    const key = new Uint8Array(prefix.length + path.length);
    key.set(prefix);
    key.set(path, prefix.length);
    return key;
  }

  /** Returns a child after an update of the keys below it; undefined if it has none. @param depth of the child */
  #update(child: Child | undefined, key: Uint8Array, depth: number, next: NextValue): TrieNode | undefined {
    if (child === undefined) return leafOf(key.subarray(depth), next(undefined));
    const node = this.#resolve(child, key, depth);
    if (node.kind === 'branch') return this.#updateBranch(node, key, depth, next);
    const { path } = node;
    const shared = sharedLength(path, key, depth);
    if (shared === path.length) {
      if (node.kind === 'leaf') return leafOf(path, next(node.value));
      const below = this.#update(node.child, key, depth + shared, next);
      invariant(below !== undefined, 'a branch has two children or more');
      return lengthened(path, below);
    }
    const value = next(undefined);
    if (value === undefined) return node;
    const branch = new Branch();
    const rest = path.subarray(shared + 1);
    const other: Child = node.kind === 'leaf' ? { ...node, path: rest } : extended(rest, node.child);
    branch.setChild(path[shared] ?? 0, other);
    branch.setChild(key[depth + shared] ?? 0, leafOf(key.subarray(depth + shared + 1), value));
    return extended(path.subarray(0, shared), branch);
  }

  #updateBranch(branch: Branch, key: Uint8Array, depth: number, next: NextValue): TrieNode | undefined {
    const nibble = key[depth] ?? 0;
    const child = this.#update(branch.child(nibble), key, depth + 1, next);
    branch.setChild(nibble, child);
    const only = child === undefined ? branch.onlyChild() : undefined;
    const remaining = only === undefined ? undefined : branch.child(only);
    if (only === undefined || remaining === undefined) return branch;
    if (depth > 0 && branch.stored !== undefined) {
      this.#removed.set(bytesToHex(branch.stored.key), branch.stored);
    }
    return lengthened(Uint8Array.of(only), remaining);
  }

  #walk(key: Uint8Array, visit: (node: TrieNode) => void): Uint8Array | undefined {
    const nibbles = nibblesOf(key);
    let depth = 0;
    let node = this.#root;
    while (node !== undefined) {
      visit(node);
      let child: Child | undefined;
      if (node.kind === 'branch') {
        child = node.child(nibbles[depth] ?? 0);
        depth += 1;
      } else {
        if (sharedLength(node.path, nibbles, depth) < node.path.length) return undefined;
        if (node.kind === 'leaf') return node.value;
        child = node.child;
        depth += node.path.length;
      }
      node = child && this.#resolve(child, nibbles, depth);
    }
    return undefined;
  }

  /** Returns a child as a node in memory. @param depth of the child on the path of a key */
  #resolve(child: Child, nibbles: Uint8Array, depth: number): TrieNode {
    if (!(child instanceof Uint8Array)) return child;
    if (!isHashItem(child)) return shortNodeOf(child);
    const key = this.#keyOf(nibbles.subarray(0, depth));
    const record = this.#records.read(key);
    invariant(record !== undefined, `the trie has no record ${bytesToHex(key)}`);
    return new Branch({ key, record });
  }
}

function leafOf(path: Uint8Array, value: Uint8Array | undefined): TrieNode | undefined {
  return value && { kind: 'leaf', path, value };
}

function notStored(): never {
  throw new InvariantError('a proof reads a stored trie');
}

/** Returns the number of nibbles that a path shares with a key from a depth on. */
function sharedLength(path: Uint8Array, key: Uint8Array, depth: number): number {
  let length = 0;
  while (length < path.length && path[length] === key[depth + length]) length += 1;
  return length;
}
