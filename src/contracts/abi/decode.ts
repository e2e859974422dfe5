import { ABI_VALUES_MAX } from '../../limits.ts';
import type { AbiParameter, AbiType, AbiValue } from './types.ts';

const WORD_BYTES = 32;
const ADDRESS_BYTES = 20;
const FUNCTION_BYTES = 24;

/** Bytes that are no encoding of the types, or of more values than are decoded. */
class EncodingError extends Error {}

/**
 * Decodes the values of parameters, as a call's input has them behind its selector. Lenient as Ethereum's clients are:
 * bytes that no value needs are passed over. Addresses are written in lower case.
 *
 * @returns undefined for bytes that are no such encoding, or that hold more values than are decoded
 */
export function decodeParameters(
  parameters: readonly AbiParameter[],
  bytes: Uint8Array,
): readonly AbiValue[] | undefined {
  const decoder = new Decoder(bytes);
  try {
    return decoder.members(
      parameters.map(({ type }) => type),
      0,
    );
  } catch (error) {
    if (error instanceof EncodingError) return undefined;
    throw error;
  }
}

/** Whether the encoding of a type has its place behind those of fixed size. */
function isDynamic(type: AbiType): boolean {
  switch (type.kind) {
    case 'string':
    case 'bytes':
      return true;
    case 'array':
      return type.length === undefined || (type.length > 0 && isDynamic(type.item));
    case 'tuple':
      return type.members.some((member) => isDynamic(member.type));
    default:
      return false;
  }
}

/** Bytes that a type takes among those of fixed size. */
function headBytes(type: AbiType): number {
  if (isDynamic(type)) return WORD_BYTES;
  if (type.kind === 'array') return (type.length ?? 0) * headBytes(type.item);
  if (type.kind === 'tuple') return type.members.reduce((sum, member) => sum + headBytes(member.type), 0);
  return WORD_BYTES;
}

class Decoder {
  readonly #bytes: Buffer;
  #values = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** Values side by side whose offsets count from the first. */
  members(types: Iterable<AbiType>, start: number): AbiValue[] {
    const values: AbiValue[] = [];
    let head = start;
    for (const type of types) {
      this.#count();
      const place = isDynamic(type) ? start + this.#length(head) : head;
      values.push(this.#value(type, place));
      head += headBytes(type);
    }
    return values;
  }

  #value(type: AbiType, place: number): AbiValue {
    switch (type.kind) {
      case 'uint':
        return this.#inRange(this.#word(place), type.bits);
      case 'int':
        return this.#signed(this.#word(place), type.bits);
      case 'bool':
        return this.#inRange(this.#word(place), 1) === 1n;
      case 'address':
        this.#inRange(this.#word(place), ADDRESS_BYTES * 8);
        return `0x${this.#bytes.toString('hex', place + WORD_BYTES - ADDRESS_BYTES, place + WORD_BYTES)}`;
      case 'fixedBytes':
        return this.#slice(place, WORD_BYTES).subarray(0, type.size);
      case 'function':
        return this.#slice(place, WORD_BYTES).subarray(0, FUNCTION_BYTES);
      case 'bytes':
        return this.#slice(place + WORD_BYTES, this.#length(place));
      case 'string':
        // What is not UTF-8 is shown, with marks in its place.
        return new TextDecoder('utf-8', { ignoreBOM: true }).decode(
          this.#slice(place + WORD_BYTES, this.#length(place)),
        );
      case 'array':
        if (type.length !== undefined) return this.#items(type.item, type.length, place);
        return this.#items(type.item, this.#length(place), place + WORD_BYTES);
      case 'tuple':
        return this.members(
          type.members.map((member) => member.type),
          place,
        );
    }
  }

  #items(item: AbiType, length: number, start: number): AbiValue[] {
    // Before anything of that length is made.
    if (length * headBytes(item) > this.#bytes.length - start || length > ABI_VALUES_MAX) {
      throw new EncodingError('an array is longer than its encoding');
    }
    return this.members(
      Array.from({ length }, () => item),
      start,
    );
  }

  #count(): void {
    this.#values += 1;
    if (this.#values > ABI_VALUES_MAX) throw new EncodingError('too many values');
  }

  #slice(place: number, length: number): Buffer {
    if (place + length > this.#bytes.length) throw new EncodingError('the encoding ends too soon');
    return this.#bytes.subarray(place, place + length);
  }

  #word(place: number): bigint {
    return BigInt(`0x${this.#slice(place, WORD_BYTES).toString('hex')}`);
  }

  /** A word that says a length or an offset, neither of which is beyond the bytes. */
  #length(place: number): number {
    const word = this.#word(place);
    if (word > BigInt(this.#bytes.length)) throw new EncodingError('a length is beyond the encoding');
    return Number(word);
  }

  #inRange(word: bigint, bits: number): bigint {
    if (word >> BigInt(bits) !== 0n) throw new EncodingError('a value is out of its range');
    return word;
  }

  #signed(word: bigint, bits: number): bigint {
    const value = BigInt.asIntN(WORD_BYTES * 8, word);
    if (BigInt.asIntN(bits, value) !== value) throw new EncodingError('a value is out of its range');
    return value;
  }
}
