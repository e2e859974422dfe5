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
import { fromHex } from './hex.ts';

const WORD_BYTES = 32;
const FUNCTION_BYTES = 24;

/**
 * Encodes values by their types, as in call data behind the selector.
 *
 * @throws AbiError for an invalid value, with its path, and for an encoding of more than 1 MiB
 */
export function encodeParameters(
  parameters: readonly AbiParameter[],
  values: readonly AbiValue[],
): Uint8Array {
  if (values.length !== parameters.length) {
    throw new AbiError('', `expected ${parameters.length} values, not ${values.length}`);
  }
  const named = parameters.map(({ name, type }, index) => ({
    type,
    place: name === '' ? `[${index}]` : name,
  }));
  return encodeMembers(named, values);
}

interface Place {
  readonly type: AbiType;
  readonly place: string;
}

/** Encodes consecutive values: those of fixed size, and offsets to the others, which follow. */
function encodeMembers(places: readonly Place[], values: readonly AbiValue[]): Uint8Array {
  const heads: Uint8Array[] = [];
  const tails: Uint8Array[] = [];
  let tail = places.reduce((sum, { type }) => sum + headBytes(type), 0);
  for (const [index, { type, place }] of places.entries()) {
    const value = values[index];
    if (value === undefined) throw new AbiError(place, 'there is no value');
    const encoded = encodeValue(type, value, place);
    if (!isDynamic(type)) {
      heads.push(encoded);
      continue;
    }
    heads.push(wordOf(BigInt(tail)));
    tails.push(encoded);
    tail += encoded.length;
    if (tail > ABI_ENCODED_BYTES_MAX) throw new AbiError(place, `more than ${ABI_ENCODED_BYTES_MAX} bytes`);
  }
  return concat([...heads, ...tails]);
}

function encodeValue(type: AbiType, value: AbiValue, place: string): Uint8Array {
  const wrong = (): AbiError => new AbiError(place, `expected ${typeName(type)}`);
  switch (type.kind) {
    case 'uint':
    case 'int': {
      if (typeof value !== 'bigint') throw wrong();
      const fitted =
        type.kind === 'uint' ? BigInt.asUintN(type.bits, value) : BigInt.asIntN(type.bits, value);
      if (fitted !== value) throw new AbiError(place, `${value} is out of the range of ${typeName(type)}`);
      return wordOf(value);
    }
    case 'bool':
      if (typeof value !== 'boolean') throw wrong();
      return wordOf(value ? 1n : 0n);
    case 'address': {
      const bytes = typeof value === 'string' ? fromHex(value) : undefined;
      if (bytes?.length !== 20) throw new AbiError(place, 'expected an address of 20 bytes');
      return padLeft(bytes);
    }
    case 'fixedBytes':
      if (!(value instanceof Uint8Array)) throw wrong();
      return ofSize(value, type.size, place);
    case 'function':
      if (!(value instanceof Uint8Array)) throw wrong();
      return ofSize(value, FUNCTION_BYTES, place);
    case 'bytes':
      if (!(value instanceof Uint8Array)) throw wrong();
      return withLength(value, place);
    case 'string':
      if (typeof value !== 'string') throw wrong();
      return withLength(new TextEncoder().encode(value), place);
    case 'array':
      return encodeArray(type, value, place);
    case 'tuple': {
      if (!Array.isArray(value)) throw wrong();
      if (value.length !== type.members.length) {
        throw new AbiError(place, `expected ${type.members.length} members, not ${value.length}`);
      }
      const places = type.members.map((member, index) => ({
        type: member.type,
        place: member.name === '' ? `${place}[${index}]` : `${place}.${member.name}`,
      }));
      return encodeMembers(places, value);
    }
  }
}

function encodeArray(type: AbiType & { kind: 'array' }, value: AbiValue, place: string): Uint8Array {
  if (!Array.isArray(value)) throw new AbiError(place, `expected ${typeName(type)}`);
  if (type.length !== undefined && value.length !== type.length) {
    throw new AbiError(place, `expected ${type.length} items, not ${value.length}`);
  }
  if (value.length * headBytes(type.item) > ABI_ENCODED_BYTES_MAX) {
    throw new AbiError(place, `more than ${ABI_ENCODED_BYTES_MAX} bytes`);
  }
  const places = value.map((_, index) => ({ type: type.item, place: `${place}[${index}]` }));
  const items = encodeMembers(places, value);
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

function withLength(bytes: Uint8Array, place: string): Uint8Array {
  if (bytes.length > ABI_ENCODED_BYTES_MAX)
    throw new AbiError(place, `more than ${ABI_ENCODED_BYTES_MAX} bytes`);
  return concat([wordOf(BigInt(bytes.length)), padRight(bytes)]);
}

function ofSize(bytes: Uint8Array, size: number, place: string): Uint8Array {
  if (bytes.length !== size) throw new AbiError(place, `expected ${size} bytes, not ${bytes.length}`);
  return padRight(bytes);
}

function padLeft(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(WORD_BYTES);
  padded.set(bytes, WORD_BYTES - bytes.length);
  return padded;
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
