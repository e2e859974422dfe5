import { ABI_VALUES_MAX } from './limits.ts';
import { AbiError, type AbiParameter, type AbiType, type AbiValue, headBytes, isDynamic } from './types.ts';

const WORD_BYTES = 32;
const ADDRESS_BYTES = 20;
const FUNCTION_BYTES = 24;

/**
 * Decodes the values of parameters, such as those after the selector of a call. Ignores unused bytes, as Ethereum's
 * clients do. Addresses are in lower case.
 *
 * @throws AbiError for a malformed encoding, or too many values
 */
export function decodeParameters(
  parameters: readonly AbiParameter[],
  bytes: Uint8Array,
): readonly AbiValue[] {
  return new Decoder(bytes).members(
    parameters.map(({ name, type }, index) => ({ type, path: name === '' ? `[${index}]` : name })),
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

interface Member {
  readonly type: AbiType;
  readonly path: string;
}

class Decoder {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #values = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Decodes consecutive values. Their offsets count from `start`. */
  members(members: Iterable<Member>, start: number): AbiValue[] {
    const values: AbiValue[] = [];
    let head = start;
    for (const { type, path } of members) {
      this.#values += 1;
      if (this.#values > ABI_VALUES_MAX) throw new AbiError(path, `more than ${ABI_VALUES_MAX} values`);
      const at = isDynamic(type) ? start + this.#length(head, path) : head;
      values.push(this.#value(type, at, path));
      head += headBytes(type);
    }
    return values;
  }

  #value(type: AbiType, at: number, path: string): AbiValue {
    switch (type.kind) {
      case 'uint':
        return this.#inRange(this.#word(at, path), type.bits, path);
      case 'int':
        return this.#signed(this.#word(at, path), type.bits, path);
      case 'bool':
        return this.#inRange(this.#word(at, path), 1, path) === 1n;
      case 'address':
        return addressText(this.#inRange(this.#word(at, path), ADDRESS_BYTES * 8, path));
      case 'fixedBytes':
        return this.#slice(at, WORD_BYTES, path).subarray(0, type.size);
      case 'function':
        return this.#slice(at, WORD_BYTES, path).subarray(0, FUNCTION_BYTES);
      case 'bytes':
        return this.#slice(at + WORD_BYTES, this.#length(at, path), path);
      case 'string':
        // Invalid UTF-8 is replaced by U+FFFD, so that the rest is readable.
        return new TextDecoder('utf-8', { ignoreBOM: true }).decode(
          this.#slice(at + WORD_BYTES, this.#length(at, path), path),
        );
      case 'array':
        if (type.length !== undefined) return this.#items(type.item, type.length, at, path);
        return this.#items(type.item, this.#length(at, path), at + WORD_BYTES, path);
      case 'tuple':
        return this.members(
          type.members.map((member, index) => ({
            type: member.type,
            path: member.name === '' ? `${path}[${index}]` : `${path}.${member.name}`,
          })),
          at,
        );
    }
  }

  #items(item: AbiType, length: number, start: number, path: string): AbiValue[] {
    // Checked before anything of that length is allocated.
    if (length > ABI_VALUES_MAX || length * headBytes(item) > this.#bytes.length - start) {
      throw new AbiError(path, `${length} items are more than the encoding has`);
    }
    return this.members(
      Array.from({ length }, (_, index) => ({ type: item, path: `${path}[${index}]` })),
      start,
    );
  }

  #slice(at: number, length: number, path: string): Uint8Array {
    if (at + length > this.#bytes.length) throw new AbiError(path, 'the encoding ends too soon');
    return this.#bytes.subarray(at, at + length);
  }

  #word(at: number, path: string): bigint {
    if (at + WORD_BYTES > this.#bytes.length) throw new AbiError(path, 'the encoding ends too soon');
    let word = 0n;
    for (let part = 0; part < WORD_BYTES; part += 8) {
      word = (word << 64n) | this.#view.getBigUint64(at + part);
    }
    return word;
  }

  /** Reads a length or an offset within the encoding. */
  #length(at: number, path: string): number {
    const word = this.#word(at, path);
    if (word > BigInt(this.#bytes.length)) throw new AbiError(path, 'a length is beyond the encoding');
    return Number(word);
  }

  #inRange(word: bigint, bits: number, path: string): bigint {
    if (word >> BigInt(bits) !== 0n) throw new AbiError(path, 'out of range');
    return word;
  }

  #signed(word: bigint, bits: number, path: string): bigint {
    const value = BigInt.asIntN(WORD_BYTES * 8, word);
    if (BigInt.asIntN(bits, value) !== value) throw new AbiError(path, 'out of range');
    return value;
  }
}

function addressText(address: bigint): string {
  return `0x${address.toString(16).padStart(2 * ADDRESS_BYTES, '0')}`;
}
