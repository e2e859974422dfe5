import {
  AbiError,
  type AbiParameter,
  type AbiType,
  type AbiValue,
  headBytes,
  isDynamic,
  typeName,
} from '../../../src/solidity/index.ts';
import { ABI_ENCODED_BYTES_MAX } from '../limits.ts';

const WORD_BYTES = 32;

/**
 * Encodes values that `parseValue` has checked against their types, as in call data behind the selector.
 *
 * @throws AbiError for an encoding of more than 1 MiB
 */
export function encodeParameters(
  parameters: readonly AbiParameter[],
  values: readonly AbiValue[],
): Uint8Array {
  const encoded = encodeMembers(
    parameters.map(({ type }) => type),
    values,
  );
  if (encoded.length <= ABI_ENCODED_BYTES_MAX) return encoded;
  throw new AbiError('', `the values have more than ${ABI_ENCODED_BYTES_MAX} bytes`);
}

/** Encodes consecutive values: those of fixed size, and offsets to the others, which follow. */
function encodeMembers(types: readonly AbiType[], values: readonly AbiValue[]): Uint8Array {
  const heads: Uint8Array[] = [];
  const tails: Uint8Array[] = [];
  let tail = types.reduce((sum, type) => sum + headBytes(type), 0);
  for (const [index, type] of types.entries()) {
    const value = values[index];
    if (value === undefined) throw new AbiError('', `expected ${types.length} values, not ${values.length}`);
    const encoded = encodeValue(type, value);
    if (!isDynamic(type)) {
      heads.push(encoded);
      continue;
    }
    heads.push(wordOf(BigInt(tail)));
    tails.push(encoded);
    tail += encoded.length;
  }
  return concat([...heads, ...tails]);
}

function encodeValue(type: AbiType, value: AbiValue): Uint8Array {
  if (typeof value === 'bigint' || typeof value === 'boolean') return wordOf(BigInt(value));
  if (typeof value === 'string') {
    return type.kind === 'address' ? wordOf(BigInt(value)) : withLength(new TextEncoder().encode(value));
  }
  if (value instanceof Uint8Array) return type.kind === 'bytes' ? withLength(value) : padRight(value);
  if (type.kind === 'tuple') {
    return encodeMembers(
      type.members.map((member) => member.type),
      value,
    );
  }
  if (type.kind !== 'array') throw new AbiError('', `expected ${typeName(type)}`);
  const items = encodeMembers(
    value.map(() => type.item),
    value,
  );
  return type.length === undefined ? concat([wordOf(BigInt(value.length)), items]) : items;
}

/** 32 bytes of an integer, in two's complement where it is negative. */
function wordOf(value: bigint): Uint8Array {
  const word = new Uint8Array(WORD_BYTES);
  const view = new DataView(word.buffer);
  let rest = BigInt.asUintN(WORD_BYTES * 8, value);
  for (let part = WORD_BYTES - 8; part >= 0; part -= 8) {
    view.setBigUint64(part, rest);
    rest >>= 64n;
  }
  return word;
}

function withLength(bytes: Uint8Array): Uint8Array {
  return concat([wordOf(BigInt(bytes.length)), padRight(bytes)]);
}

function padRight(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil(bytes.length / WORD_BYTES) * WORD_BYTES);
  padded.set(bytes);
  return padded;
}

/** Several pieces as one. */
export function concat(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
