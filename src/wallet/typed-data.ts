import { concatBytes, keccak256, numberToBytes, readHex, utf8ToBytes } from '../protocol/index.ts';
import { WalletError } from './wallet-errors.ts';

export interface TypedField {
  readonly name: string;
  readonly type: string;
}

/** Typed structured data (EIP-712) as clients send it. */
export interface TypedData {
  /** The fields of each structure by its name; `EIP712Domain` may be absent. */
  readonly types: ReadonlyMap<string, readonly TypedField[]>;
  readonly primaryType: string;
  readonly domain: Readonly<Record<string, unknown>>;
  readonly message: Readonly<Record<string, unknown>>;
}

const DOMAIN_TYPE = 'EIP712Domain';
/** The possible fields of a domain, in their order. */
const DOMAIN_FIELDS: readonly TypedField[] = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
];

const PREFIX = Uint8Array.of(0x19, 0x01);
const WORD_BYTES = 32;
const ADDRESS_BYTES = 20;
const ARRAY = /^(.+)\[([0-9]*)\]$/;
const INTEGER = /^(u?)int([0-9]{1,3})$/;
const FIXED_BYTES = /^bytes([0-9]{1,2})$/;
const INTEGER_TEXT = /^(-?[0-9]{1,78}|0x[0-9a-f]{1,64})$/i;

/**
 * Computes the signed digest: Keccak-256 of 0x1901, the hash of the domain and, unless the primary type is the
 * domain's, the hash of the message (EIP-712).
 *
 * @throws WalletError `INVALID_TYPED_DATA`, with the path of the invalid value
 */
export function typedDataDigest(data: TypedData): Uint8Array {
  const { domain, message, primaryType } = data;
  const types = new Map(data.types);
  if (!types.has(DOMAIN_TYPE)) {
    types.set(
      DOMAIN_TYPE,
      DOMAIN_FIELDS.filter(({ name }) => Object.hasOwn(domain, name)),
    );
  }
  const hasher = new StructureHasher(types);
  const parts = [PREFIX, hasher.hash(DOMAIN_TYPE, domain, 'domain')];
  if (primaryType !== DOMAIN_TYPE) parts.push(hasher.hash(primaryType, message, 'message'));
  return keccak256(concatBytes(...parts));
}

/** Hashes structures; the hash of each type is computed once. */
class StructureHasher {
  readonly #types: TypedData['types'];
  readonly #typeHashes = new Map<string, Uint8Array>();

  constructor(types: TypedData['types']) {
    this.#types = types;
  }

  /** Computes `hashStruct` of EIP-712. `path` is that of the value, for messages. */
  hash(type: string, value: unknown, path: string): Uint8Array {
    const words = [this.#typeHash(type, path)];
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(path, 'an object');
    for (const field of this.#fieldsOf(type, path)) {
      const fieldPath = `${path}.${field.name}`;
      if (!Object.hasOwn(value, field.name)) throw invalid(fieldPath, `a value of type ${field.type}`);
      words.push(this.#encode(field.type, Reflect.get(value, field.name), fieldPath));
    }
    return keccak256(concatBytes(...words));
  }

  #fieldsOf(type: string, path: string): readonly TypedField[] {
    const fields = this.#types.get(type);
    if (fields === undefined) throw invalid(path, `a type that is defined, not ${JSON.stringify(type)}`);
    return fields;
  }

  #typeHash(type: string, path: string): Uint8Array {
    const known = this.#typeHashes.get(type);
    if (known !== undefined) return known;
    const [, ...others] = this.#dependencies(type);
    const text = [type, ...others.sort()].map(
      (name) =>
        `${name}(${this.#fieldsOf(name, path)
          .map((field) => `${field.type} ${field.name}`)
          .join(',')})`,
    );
    const hash = keccak256(utf8ToBytes(text.join('')));
    this.#typeHashes.set(type, hash);
    return hash;
  }

  /** Returns the structures that a type refers to, itself first. */
  #dependencies(type: string): string[] {
    const found = new Set([type]);
    for (const name of found) {
      for (const field of this.#types.get(name) ?? []) {
        const base = field.type.split('[')[0] ?? '';
        if (this.#types.has(base)) found.add(base);
      }
    }
    return [...found];
  }

  /** Computes `encodeData` of EIP-712 of one value: a word. */
  #encode(type: string, value: unknown, path: string): Uint8Array {
    const [, item, length] = ARRAY.exec(type) ?? [];
    if (item !== undefined) return this.#encodeArray(item, length ?? '', value, path);
    if (this.#types.has(type)) return this.hash(type, value, path);
    return encodeAtom(type, value, path);
  }

  #encodeArray(item: string, length: string, value: unknown, path: string): Uint8Array {
    if (!Array.isArray(value) || (length !== '' && value.length !== Number(length))) {
      throw invalid(path, length === '' ? 'an array' : `an array of ${length}`);
    }
    const words = value.map((one, index) => this.#encode(item, one, `${path}[${index}]`));
    return keccak256(concatBytes(...words));
  }
}

function encodeAtom(type: string, value: unknown, path: string): Uint8Array {
  switch (type) {
    case 'string':
      if (typeof value !== 'string') throw invalid(path, 'a string');
      return keccak256(utf8ToBytes(value));
    case 'bytes':
      return keccak256(bytesOf(value, path, 'bytes as 0x-prefixed hex'));
    case 'bool':
      if (typeof value !== 'boolean') throw invalid(path, 'true or false');
      return numberToBytes(value ? 1n : 0n, WORD_BYTES);
    case 'address':
      return padded(bytesOf(value, path, 'an address', ADDRESS_BYTES), 'left');
    default:
      return encodeSized(type, value, path);
  }
}

/** Encodes an integer or bytes of a size that the type name states. */
function encodeSized(type: string, value: unknown, path: string): Uint8Array {
  const size = Number(FIXED_BYTES.exec(type)?.[1] ?? 0);
  if (size >= 1 && size <= WORD_BYTES) return padded(bytesOf(value, path, type, size), 'right');
  const [, unsigned, digits] = INTEGER.exec(type) ?? [];
  const bits = Number(digits ?? 0);
  if (bits < 8 || bits > 256 || bits % 8 !== 0) {
    throw invalid(path, `a type that is known, not ${JSON.stringify(type)}`);
  }
  const number = integerOf(value);
  const fits =
    number !== undefined && (unsigned === 'u' ? BigInt.asUintN : BigInt.asIntN)(bits, number) === number;
  if (!fits) throw invalid(path, `a number of type ${type}`);
  return numberToBytes(BigInt.asUintN(256, number), WORD_BYTES);
}

function integerOf(value: unknown): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  return typeof value === 'string' && INTEGER_TEXT.test(value) ? BigInt(value) : undefined;
}

function bytesOf(value: unknown, path: string, expected: string, size?: number): Uint8Array {
  const bytes = typeof value === 'string' && value.startsWith('0x') ? readHex(value.slice(2)) : undefined;
  if (bytes === undefined || (size !== undefined && bytes.length !== size)) throw invalid(path, expected);
  return bytes;
}

function padded(bytes: Uint8Array, zeros: 'left' | 'right'): Uint8Array {
  const word = new Uint8Array(WORD_BYTES);
  word.set(bytes, zeros === 'left' ? WORD_BYTES - bytes.length : 0);
  return word;
}

function invalid(path: string, expected: string): WalletError {
  return new WalletError('INVALID_TYPED_DATA', `invalid typed data: ${path}: expected ${expected}`);
}
