import { bytesToNumber, concatBytes, numberToBytes } from '../bytes/bytes.ts';
import { DecodeError } from '../errors.ts';

/** What RLP writes: bytes, or a list of such things. */
export type RlpItem = Uint8Array | readonly RlpItem[];

/** First bytes of strings and of lists, and the payload from which on a length of its own precedes it. */
export const STRING = 0x80;
export const LIST = 0xc0;
const LONG_PAYLOAD_BYTES = 56;

/** What is added to the first byte of a long payload, beside the number of bytes that its length takes. */
const LONG_FORM = LONG_PAYLOAD_BYTES - 1;

/** Writes an item by the rules of RLP. Source: yellow paper, appendix B. */
export function encodeRlp(item: RlpItem): Uint8Array {
  if (item instanceof Uint8Array) {
    const [first] = item;
    if (item.length === 1 && first !== undefined && first < STRING) return item;
    return concatBytes(rlpHead(STRING, item.length), item);
  }
  return encodeRlpList(...item.map(encodeRlp));
}

/** A list of items that are written already. */
export function encodeRlpList(...items: readonly Uint8Array[]): Uint8Array {
  const length = items.reduce((sum, { length: bytes }) => sum + bytes, 0);
  return concatBytes(rlpHead(LIST, length), ...items);
}

/** What precedes a payload of `length` bytes. */
function rlpHead(kind: number, length: number): Uint8Array {
  if (length < LONG_PAYLOAD_BYTES) return Uint8Array.of(kind + length);
  const digits = numberToBytes(BigInt(length));
  return concatBytes(Uint8Array.of(kind + LONG_FORM + digits.length), digits);
}

/** Bytes of a number that is read without the help of a text. */
const SMALL_NUMBER_BYTES = 6;

/** Where the payload of an item lies, and what it is. */
interface RlpItemHead {
  readonly isList: boolean;
  /** Bytes of the length that precedes a long payload; 0 for a short one. */
  readonly lengthBytes: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Reads the head of the item at `offset`, canonical or not (yellow paper, appendix B). The item fits into the bytes if
 * its `end` does: a length beyond all inputs loses its last digits, and does not fit all the same.
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
 * Reads the items of an RLP list one after the other, each in its one canonical form only, and never past the list.
 * What it gives are views of the input. Nothing is read ahead, so that depth and number of items are those that are
 * asked for.
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

  /** Where the next item begins. */
  get offset(): number {
    return this.#offset;
  }

  /** Whether an item follows. */
  get hasMore(): boolean {
    return this.#offset < this.#end;
  }

  /** @throws {DecodeError} where anything follows. */
  finish(field: string): void {
    if (this.hasMore) throw this.failure(field, `${this.#end - this.#offset} bytes too many`);
  }

  /** The error for the item that begins at `offset`. */
  failure(field: string, reason: string, offset = this.#offset): DecodeError {
    return new DecodeError(field, offset, reason);
  }

  /** A reader of the list that follows. */
  readList(field: string): RlpReader {
    const { start, end } = this.#take(field, true);
    return new RlpReader(this.#bytes, start, end);
  }

  /** A string of any length; a view of the input. */
  readBytes(field: string): Uint8Array {
    const { start, end } = this.#take(field, false);
    return this.#bytes.subarray(start, end);
  }

  /** A number of at most `bits` bits, without zeros in front. */
  readInteger(field: string, bits: number): bigint {
    const begin = this.#offset;
    const bytes = this.readBytes(field);
    if (bytes[0] === 0) throw this.failure(field, 'a number with zeros in front', begin);
    if (bytes.length * 8 > bits) {
      throw this.failure(field, `a number of ${bytes.length} bytes, at most ${bits / 8} are allowed`, begin);
    }
    if (bytes.length > SMALL_NUMBER_BYTES) return bytesToNumber(bytes);
    let value = 0;
    for (const byte of bytes) value = value * 256 + byte;
    return BigInt(value);
  }

  /** Takes the item that follows, which has to be a list, or has to be none. */
  #take(field: string, isList: boolean): RlpItemHead {
    if (!this.hasMore) throw this.failure(field, 'is missing: too few items');
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
    const standsForItself = start === this.#offset;
    if (!isList && !standsForItself && length === 1 && (this.#bytes[start] ?? 0) < STRING) {
      throw this.failure(field, 'not canonical: a byte below 128 stands for itself');
    }
  }
}
