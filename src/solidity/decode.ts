import { ABI_VALUES_MAX } from './limits.ts';
import { AbiError, type AbiParameter, type AbiType, type AbiValue, headBytes, isDynamic } from './types.ts';

const WORD_BYTES = 32;
const ADDRESS_BYTES = 20;
const FUNCTION_BYTES = 24;

/**
 * Decodes the values of parameters, such as those behind the selector of a call. Skips bytes that no value needs, as
 * Ethereum's clients do. Addresses are in lower case. Throws AbiError for a malformed encoding, or too many values.
 */
export function decodeParameters(
  parameters: readonly AbiParameter[],
  bytes: Uint8Array,
): readonly AbiValue[] {
  return new Decoder(bytes).members(
    parameters.map(({ name, type }, index) => ({ type, place: name === '' ? `[${index}]` : name })),
    0,
  );
}

/** Decodes like `decodeParameters`, but returns undefined instead of throwing. */
export function decodedOrNone(
  parameters: readonly AbiParameter[],
  bytes: Uint8Array,
): readonly AbiValue[] | undefined {
  try {
    return decodeParameters(parameters, bytes);
  } catch (error) {
    if (error instanceof AbiError) return undefined;
    throw error;
  }
}

interface Place {
  readonly type: AbiType;
  readonly place: string;
}

class Decoder {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #values = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Values side by side whose offsets count from the first. */
  members(places: Iterable<Place>, start: number): AbiValue[] {
    const values: AbiValue[] = [];
    let head = start;
    for (const { type, place } of places) {
      this.#values += 1;
      if (this.#values > ABI_VALUES_MAX) throw new AbiError(place, `more than ${ABI_VALUES_MAX} values`);
      const at = isDynamic(type) ? start + this.#length(head, place) : head;
      values.push(this.#value(type, at, place));
      head += headBytes(type);
    }
    return values;
  }

  #value(type: AbiType, at: number, place: string): AbiValue {
    switch (type.kind) {
      case 'uint':
        return this.#inRange(this.#word(at, place), type.bits, place);
      case 'int':
        return this.#signed(this.#word(at, place), type.bits, place);
      case 'bool':
        return this.#inRange(this.#word(at, place), 1, place) === 1n;
      case 'address':
        return addressText(this.#inRange(this.#word(at, place), ADDRESS_BYTES * 8, place));
      case 'fixedBytes':
        return this.#slice(at, WORD_BYTES, place).subarray(0, type.size);
      case 'function':
        return this.#slice(at, WORD_BYTES, place).subarray(0, FUNCTION_BYTES);
      case 'bytes':
        return this.#slice(at + WORD_BYTES, this.#length(at, place), place);
      case 'string':
        // What is not UTF-8 is shown, with marks in its place.
        return new TextDecoder('utf-8', { ignoreBOM: true }).decode(
          this.#slice(at + WORD_BYTES, this.#length(at, place), place),
        );
      case 'array':
        if (type.length !== undefined) return this.#items(type.item, type.length, at, place);
        return this.#items(type.item, this.#length(at, place), at + WORD_BYTES, place);
      case 'tuple':
        return this.members(
          type.members.map((member, index) => ({
            type: member.type,
            place: member.name === '' ? `${place}[${index}]` : `${place}.${member.name}`,
          })),
          at,
        );
    }
  }

  #items(item: AbiType, length: number, start: number, place: string): AbiValue[] {
    // Before anything of that length is made.
    if (length > ABI_VALUES_MAX || length * headBytes(item) > this.#bytes.length - start) {
      throw new AbiError(place, `${length} items are more than the encoding has`);
    }
    return this.members(
      Array.from({ length }, (_, index) => ({ type: item, place: `${place}[${index}]` })),
      start,
    );
  }

  #slice(at: number, length: number, place: string): Uint8Array {
    if (at + length > this.#bytes.length) throw new AbiError(place, 'the encoding ends too soon');
    return this.#bytes.subarray(at, at + length);
  }

  #word(at: number, place: string): bigint {
    if (at + WORD_BYTES > this.#bytes.length) throw new AbiError(place, 'the encoding ends too soon');
    let word = 0n;
    for (let part = 0; part < WORD_BYTES; part += 8) {
      word = (word << 64n) | this.#view.getBigUint64(at + part);
    }
    return word;
  }

  /** Reads a length or an offset, which is not beyond the bytes. */
  #length(at: number, place: string): number {
    const word = this.#word(at, place);
    if (word > BigInt(this.#bytes.length)) throw new AbiError(place, 'a length is beyond the encoding');
    return Number(word);
  }

  #inRange(word: bigint, bits: number, place: string): bigint {
    if (word >> BigInt(bits) !== 0n) throw new AbiError(place, 'out of range');
    return word;
  }

  #signed(word: bigint, bits: number, place: string): bigint {
    const value = BigInt.asIntN(WORD_BYTES * 8, word);
    if (BigInt.asIntN(bits, value) !== value) throw new AbiError(place, 'out of range');
    return value;
  }
}

function addressText(address: bigint): string {
  return `0x${address.toString(16).padStart(2 * ADDRESS_BYTES, '0')}`;
}
