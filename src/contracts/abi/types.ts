import { ABI_ARRAY_LENGTH_MAX, ABI_DEPTH_MAX, ABI_MEMBERS_MAX } from '../../limits.ts';

/** A type of Solidity's application binary interface. */
export type AbiType =
  | { readonly kind: 'uint' | 'int'; readonly bits: number }
  | { readonly kind: 'address' | 'bool' | 'string' | 'bytes' | 'function' }
  | { readonly kind: 'fixedBytes'; readonly size: number }
  /** Undefined: as many items as the encoding says. */
  | { readonly kind: 'array'; readonly item: AbiType; readonly length: number | undefined }
  | { readonly kind: 'tuple'; readonly members: readonly AbiParameter[] };

/** A value of a type; of a tuple or an array the values of its members, of bytes and functions the bytes. */
export type AbiValue = bigint | boolean | string | Uint8Array | readonly AbiValue[];

/** A named place of a type; the name may be empty. */
export interface AbiParameter {
  readonly name: string;
  readonly type: AbiType;
}

/** An interface whose types cannot be read. */
export class AbiError extends Error {}

const ARRAY = /^(.*)\[(\d*)\]$/;
const NUMBER = /^(u?int)(\d*)$/;
const FIXED_BYTES = /^bytes(\d+)$/;
const DEFAULT_BITS = 256;
const WORD_BYTES = 32;

/** Counts the members of one function, so that a description cannot grow without end. */
interface Count {
  left: number;
}

/**
 * Reads the parameters of a function, an error or an event out of its JSON description.
 *
 * @throws AbiError for anything else, or more than there may be
 */
export function readParameters(json: unknown): readonly AbiParameter[] {
  return parametersOf(json ?? [], ABI_DEPTH_MAX, { left: ABI_MEMBERS_MAX });
}

function parametersOf(json: unknown, depth: number, count: Count): readonly AbiParameter[] {
  if (!Array.isArray(json)) throw new AbiError('parameters are not a list');
  return json.map((parameter: unknown) => {
    count.left -= 1;
    if (count.left < 0) throw new AbiError(`more than ${ABI_MEMBERS_MAX} parameters`);
    if (typeof parameter !== 'object' || parameter === null)
      throw new AbiError('a parameter is not an object');
    const { name, type, components } = parameter as Record<string, unknown>;
    if (typeof type !== 'string') throw new AbiError('a parameter has no type');
    return { name: typeof name === 'string' ? name : '', type: typeOf(type, components, depth, count) };
  });
}

function typeOf(text: string, components: unknown, depth: number, count: Count): AbiType {
  if (depth === 0) throw new AbiError(`a type is nested deeper than ${ABI_DEPTH_MAX}`);
  const array = ARRAY.exec(text);
  if (array !== null) {
    const [, item = '', digits = ''] = array;
    const length = digits === '' ? undefined : Number(digits);
    if (length !== undefined && length > ABI_ARRAY_LENGTH_MAX)
      throw new AbiError(`an array of ${digits} items`);
    return { kind: 'array', item: typeOf(item, components, depth - 1, count), length };
  }
  if (text === 'tuple') return { kind: 'tuple', members: parametersOf(components, depth - 1, count) };
  const type = elementaryType(text);
  if (type === undefined) throw new AbiError(`unknown type ${text.slice(0, 64)}`);
  return type;
}

/** The type of a name that has no parts, such as `uint256`; undefined for any other text. */
export function elementaryType(text: string): AbiType | undefined {
  const number = NUMBER.exec(text);
  if (number !== null) {
    const bits = number[2] === '' ? DEFAULT_BITS : Number(number[2]);
    if (bits === 0 || bits > DEFAULT_BITS || bits % 8 !== 0) return undefined;
    return { kind: number[1] === 'int' ? 'int' : 'uint', bits };
  }
  const fixed = FIXED_BYTES.exec(text);
  if (fixed !== null) {
    const size = Number(fixed[1]);
    return size === 0 || size > WORD_BYTES ? undefined : { kind: 'fixedBytes', size };
  }
  switch (text) {
    case 'address':
    case 'bool':
    case 'string':
    case 'bytes':
    case 'function':
      return { kind: text };
    default:
      return undefined;
  }
}

/** The name of a type in a signature. */
export function typeName(type: AbiType): string {
  switch (type.kind) {
    case 'uint':
    case 'int':
      return `${type.kind}${type.bits}`;
    case 'fixedBytes':
      return `bytes${type.size}`;
    case 'array':
      return `${typeName(type.item)}[${type.length ?? ''}]`;
    case 'tuple':
      return typeNames(type.members);
    default:
      return type.kind;
  }
}

/** The names of parameters as a signature has them, in parentheses. */
export function typeNames(parameters: readonly AbiParameter[]): string {
  return `(${parameters.map(({ type }) => typeName(type)).join(',')})`;
}
