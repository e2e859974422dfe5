import { bytesToNumber } from '../bytes/bytes.ts';
import { DecodeError } from '../protocol-errors.ts';

/** An item to encode: bytes, or a list of items. */
export type RlpItem = Uint8Array | readonly RlpItem[];

/** First bytes of strings and lists, and the shortest payload that a separate length precedes. */
export const STRING = 0x80;
export const LIST = 0xc0;
const LONG_PAYLOAD_BYTES = 56;

/** Offset of a long payload's first byte: the number of bytes of its length is added to it. */
const LONG_FORM = LONG_PAYLOAD_BYTES - 1;

/** Encodes an item in RLP (yellow paper, appendix B). */
export function encodeRlp(item: RlpItem): Uint8Array {
  if (item instanceof Uint8Array) {
    const [first] = item;
    if (item.length === 1 && first !== undefined && first < STRING) return item;
    return withHead(STRING, item.length, [item]);
  }
  return listOfRlp(item.map(encodeRlp));
}

/** Encodes a list of any number of encoded items. */
export function listOfRlp(items: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const item of items) length += item.length;
  return withHead(LIST, length, items);
}

/** Encodes a payload of `length` bytes in parts. */
function withHead(kind: number, length: number, parts: readonly Uint8Array[]): Uint8Array {
  let lengthBytes = 0;
  if (length >= LONG_PAYLOAD_BYTES) {
    for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) lengthBytes += 1;
  }
  const bytes = new Uint8Array(1 + lengthBytes + length);
  bytes[0] = kind + (lengthBytes === 0 ? length : LONG_FORM + lengthBytes);
  for (let at = lengthBytes, rest = length; at > 0; at -= 1, rest = Math.floor(rest / 256)) bytes[at] = rest;
  let offset = 1 + lengthBytes;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}

/** Greatest length of a number that is read by arithmetic on numbers, without conversion to a text. */
const SMALL_NUMBER_BYTES = 6;

/** Position and kind of an item's payload. */
interface RlpItemHead {
  readonly isList: boolean;
  /** Bytes of the length before a long payload; 0 for a short one. */
  readonly lengthBytes: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Reads the head of the item at `offset`, canonical or not (yellow paper, appendix B). The item fits the input if its
 * `end` does. The `end` of an extremely long item is inexact, but still beyond the input.
 */
export function rlpItemAt(bytes: Uint8Array, offset: number): RlpItemHead {
  const first = bytes[offset] ?? 0;
  if (first < STRING) return { isList: false, lengthBytes: 0, start: offset, end: offset + 1 };
  const isList = first >= LIST;
  const short = first - (isList ? LIST : STRING);
  const lengthBytes = Math.max(short - LONG_PAYLOAD_BYTES + 1, 0);
  const start = offset + 1 + lengthBytes;
  let length = lengthBytes === 0 ? short : 0;
  for (let at = start - lengthBytes; at < start; at += 1) length = length * 256 + (bytes[at] ?? 0);
  return { isList, lengthBytes, start, end: start + length };
}

/**
 * A reader of the items of an RLP list, each in its canonical form only, and never past the list. It returns views of
 * the input and reads nothing ahead, so that the caller bounds depth and number of items.
 */
export class RlpReader {
  readonly #bytes: Uint8Array;
  readonly #end: number;
  #offset: number;

  /** Items from `offset` on, up to `end`. */
  constructor(bytes: Uint8Array, offset = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#offset = offset;
    this.#end = end;
  }

  /** Offset of the next item. */
  get offset(): number {
    return this.#offset;
  }

  /** True if an item follows. */
  get hasMore(): boolean {
    return this.#offset < this.#end;
  }

  /** @throws {DecodeError} if another item follows */
  finish(field: string): void {
    if (this.hasMore) throw this.failure(field, `${this.#end - this.#offset} bytes too many`);
  }

  /** Returns the error for the item at `offset`. */
  failure(field: string, reason: string, offset = this.#offset): DecodeError {
    return new DecodeError(field, offset, reason);
  }

  readList(field: string): RlpReader {
    const { start, end } = this.#take(field, true);
    return new RlpReader(this.#bytes, start, end);
  }

  /** Reads a string of any length; a view of the input. */
  readBytes(field: string): Uint8Array {
    const { start, end } = this.#take(field, false);
    return this.#bytes.subarray(start, end);
  }

  /** Reads a number of at most `bits` bits, without leading zeros. */
  readInteger(field: string, bits: number): bigint {
    const begin = this.#offset;
    const { start, end } = this.#take(field, false);
    const length = end - start;
    if (length > 0 && this.#bytes[start] === 0) {
      throw this.failure(field, 'a number with zeros in front', begin);
    }
    if (length * 8 > bits) {
      throw this.failure(field, `a number of ${length} bytes, at most ${bits / 8} are allowed`, begin);
    }
    if (length > SMALL_NUMBER_BYTES) return bytesToNumber(this.#bytes.subarray(start, end));
    let value = 0;
    for (let at = start; at < end; at += 1) value = value * 256 + (this.#bytes[at] ?? 0);
    return BigInt(value);
  }

  /** Advances over the next item, which must be a list or a string as required. */
  #take(field: string, isList: boolean): RlpItemHead {
    if (this.#offset >= this.#end) throw this.failure(field, 'is missing: too few items');
    const item = rlpItemAt(this.#bytes, this.#offset);
    this.#checkForm(field, item);
    if (item.isList !== isList) {
      throw this.failure(field, isList ? 'must be a list, not a string' : 'must be a string, not a list');
    }
    this.#offset = item.end;
    return item;
  }

  #checkForm(field: string, { isList, lengthBytes, start, end }: RlpItemHead): void {
    const length = end - start;
    if (lengthBytes > 0) {
      if (start > this.#end) throw this.failure(field, 'ends within its length');
      if (this.#bytes[start - lengthBytes] === 0) {
        throw this.failure(field, 'not canonical: a length with zeros in front');
      }
      if (length < LONG_PAYLOAD_BYTES) {
        throw this.failure(field, `not canonical: the long form for ${length} bytes`);
      }
    }
    if (end > this.#end) {
      throw this.failure(field, `needs ${length} bytes, ${Math.max(this.#end - start, 0)} are left`);
    }
    const hasHead = start !== this.#offset;
    if (!isList && hasHead && length === 1 && (this.#bytes[start] ?? 0) < STRING) {
      throw this.failure(field, 'not canonical: a byte below 128 stands for itself');
    }
  }
}
