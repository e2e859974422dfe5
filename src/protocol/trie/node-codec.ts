import { copyBytes } from '../bytes/bytes.ts';
import { encodeRlp, LIST, RlpReader, rlpItemAt, STRING } from '../ethereum/rlp.ts';
import { writeKeccak256 } from '../hashing/hashes.ts';

/** Number of children of a branch: one for each value of a nibble. */
export const WIDTH = 16;
/** Bytes of a node from which on its parent has its hash instead of the node (yellow paper, appendix D). */
export const HASHED_NODE_BYTES = 32;
/** First byte of a hash in RLP. */
const HASH_HEAD = STRING + HASHED_NODE_BYTES;
/** Bytes of a hash in RLP. */
const HASH_ITEM_BYTES = 1 + HASHED_NODE_BYTES;
/** The first byte of a list whose length takes one byte. */
const LONG_LIST = LIST + 56;
/** Flags in the first nibble of an encoded path: of odd length; ends at a value. */
const ODD = 1;
const TERMINAL = 2;
/** The RLP of no bytes: the value of every branch, and an absent child. */
const NOTHING = Uint8Array.of(STRING);
/** Bytes before the items of a list under construction, for its head. */
const HEAD_BYTES = 5;

/** Splits bytes into nibbles, one in each byte of the result. */
export function nibblesOf(bytes: Uint8Array): Uint8Array {
  const nibbles = new Uint8Array(2 * bytes.length);
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0;
    nibbles[2 * index] = byte >>> 4;
    nibbles[2 * index + 1] = byte & 0xf;
  }
  return nibbles;
}

/** Decodes a leaf or an extension. @throws {DecodeError} for damaged bytes */
export function decodeShortNode(item: Uint8Array): {
  readonly path: Uint8Array;
  readonly isLeaf: boolean;
  readonly value: Uint8Array;
} {
  const reader = new RlpReader(item).readList('trie node');
  const encoded = reader.readBytes('path');
  const flags = (encoded[0] ?? 0) >>> 4;
  const path = nibblesOf(encoded).subarray((flags & ODD) === 0 ? 2 : 1);
  const isLeaf = (flags & TERMINAL) !== 0;
  return { path, isLeaf, value: isLeaf ? reader.readBytes('value') : item.subarray(reader.offset) };
}

/** Returns true for the item of a stored branch, which is its hash. */
export function isHashItem(item: Uint8Array): boolean {
  return item[0] === HASH_HEAD;
}

/** Returns the item by which a record refers to a branch: its hash. @param rlp of the branch in Ethereum's form */
export function hashItemOf(rlp: Uint8Array): Uint8Array {
  const item = new Uint8Array(HASH_ITEM_BYTES);
  item[0] = HASH_HEAD;
  writeKeccak256(rlp, 0, rlp.length, item, 1);
  return item;
}

/** Returns the hash in such an item. */
export function hashInItem(item: Uint8Array): Uint8Array {
  return item.slice(1);
}

/** Returns the offset of the first item of a list. */
export function firstItem(list: Uint8Array): number {
  const first = list[0] ?? 0;
  return first < LONG_LIST ? 1 : 2 + first - LONG_LIST;
}

/** Returns the end of an item of a record: a list, a hash, or no bytes. */
export function itemEnd(record: Uint8Array, start: number): number {
  const first = record[start] ?? 0;
  if (first < LIST) return first === HASH_HEAD ? start + HASH_ITEM_BYTES : start + 1;
  if (first < LONG_LIST) return start + 1 + first - LIST;
  const end = start + 2 + first - LONG_LIST;
  let length = 0;
  for (let at = start + 1; at < end; at += 1) length = length * 256 + (record[at] ?? 0);
  return end + length;
}

/** Returns true if the record of a root is a branch, which has more than two items. */
export function isBranchRecord(record: Uint8Array): boolean {
  const second = rlpItemAt(record, firstItem(record)).end;
  return rlpItemAt(record, second).end < record.length;
}

/** A list under construction, in memory that the next list overwrites. */
class ListBuffer {
  #bytes = new Uint8Array(4_096);
  #end = HEAD_BYTES;

  begin(): void {
    this.#end = HEAD_BYTES;
  }

  append(source: Uint8Array, start: number, end: number): void {
    const offset = this.#reserve(end - start);
    copyBytes(source, start, end, this.#bytes, offset);
  }

  appendHashOf(source: Uint8Array, start: number, end: number): void {
    const offset = this.#reserve(HASH_ITEM_BYTES);
    this.#bytes[offset] = HASH_HEAD;
    writeKeccak256(source, start, end, this.#bytes, offset + 1);
  }

  /** Appends a path with its flags (yellow paper, appendix C). */
  appendPath(path: Uint8Array, isLeaf: boolean): void {
    const isOdd = path.length % 2 === 1;
    const length = (path.length >>> 1) + 1;
    let at = this.#reserve(length === 1 ? 1 : 1 + length);
    const bytes = this.#bytes;
    // A single byte stands for itself: it is below 64.
    if (length > 1) {
      bytes[at] = STRING + length;
      at += 1;
    }
    const flags = (isLeaf ? TERMINAL : 0) | (isOdd ? ODD : 0);
    bytes[at] = (flags << 4) | (isOdd ? (path[0] ?? 0) : 0);
    for (let nibble = isOdd ? 1 : 0; nibble < path.length; nibble += 2) {
      at += 1;
      bytes[at] = ((path[nibble] ?? 0) << 4) | (path[nibble + 1] ?? 0);
    }
  }

  /** Writes the head of the list. Returns a view of the list. */
  finish(): Uint8Array {
    const length = this.#end - HEAD_BYTES;
    let start = HEAD_BYTES - 1;
    if (length < LONG_LIST - LIST) {
      this.#bytes[start] = LIST + length;
    } else {
      for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) {
        this.#bytes[start] = rest;
        start -= 1;
      }
      this.#bytes[start] = LONG_LIST + HEAD_BYTES - 2 - start;
    }
    return this.#bytes.subarray(start, this.#end);
  }

  #reserve(length: number): number {
    const offset = this.#end;
    this.#end = offset + length;
    if (this.#end > this.#bytes.length) {
      const larger = new Uint8Array(2 * this.#end);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    return offset;
  }
}

const records = new ListBuffer();
const nodes = new ListBuffer();

/** Encodes a leaf or an extension, which has the item of its branch as its value. */
export function encodeShortNode(path: Uint8Array, isLeaf: boolean, value: Uint8Array): Uint8Array {
  nodes.begin();
  nodes.appendPath(path, isLeaf);
  const item = isLeaf ? encodeRlp(value) : value;
  nodes.append(item, 0, item.length);
  return nodes.finish().slice();
}

/**
 * Encodes a branch, as its record and in Ethereum's form: views that the next call overwrites.
 *
 * @param record previous one; undefined for a new branch
 * @param changed items that replace those of the record, by nibble; null for an absent child
 */
export function encodeBranch(
  record: Uint8Array | undefined,
  changed: readonly (Uint8Array | null | undefined)[],
): { readonly record: Uint8Array; readonly rlp: Uint8Array } {
  records.begin();
  nodes.begin();
  let next = record === undefined ? 0 : firstItem(record);
  for (let nibble = 0; nibble < WIDTH; nibble += 1) {
    const start = next;
    if (record !== undefined) next = itemEnd(record, start);
    const item = changed[nibble];
    if (item === undefined && record !== undefined) appendChild(record, start, next);
    else appendChild(item ?? NOTHING, 0, (item ?? NOTHING).length);
  }
  records.append(NOTHING, 0, 1);
  nodes.append(NOTHING, 0, 1);
  return { record: records.finish(), rlp: nodes.finish() };
}

function appendChild(source: Uint8Array, start: number, end: number): void {
  records.append(source, start, end);
  const isHashed = (source[start] ?? 0) >= LIST && end - start >= HASHED_NODE_BYTES;
  if (isHashed) nodes.appendHashOf(source, start, end);
  else nodes.append(source, start, end);
}
