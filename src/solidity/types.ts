/** A type of Solidity's application binary interface. */
export type AbiType =
  | { readonly kind: 'uint' | 'int'; readonly bits: number }
  | { readonly kind: 'address' | 'bool' | 'string' | 'bytes' | 'function' }
  | { readonly kind: 'fixedBytes'; readonly size: number }
  /** The length is undefined where the encoding has it. */
  | { readonly kind: 'array'; readonly item: AbiType; readonly length: number | undefined }
  | { readonly kind: 'tuple'; readonly members: readonly AbiParameter[] };

/** A value of a type; of a tuple or an array the values of its members, of bytes and functions the bytes. */
export type AbiValue = bigint | boolean | string | Uint8Array | readonly AbiValue[];

/** A named place of a type; the name may be empty. */
export interface AbiParameter {
  readonly name: string;
  readonly type: AbiType;
}

const NUMBER = /^(u?int)(\d{0,3})$/;
const FIXED_BYTES = /^bytes(\d{1,2})$/;
const WORD_BITS = 256;
const WORD_BYTES = 32;

/** Reads a type without parts, such as `uint256`; undefined for any other text. */
export function elementaryType(text: string): AbiType | undefined {
  const number = NUMBER.exec(text);
  if (number !== null) {
    const bits = number[2] === '' ? WORD_BITS : Number(number[2]);
    if (bits === 0 || bits > WORD_BITS || bits % 8 !== 0) return undefined;
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

/** Returns the name of a type in a signature. */
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

/** Returns the names of types in a signature, in parentheses. */
export function typeNames(parameters: readonly AbiParameter[]): string {
  return `(${parameters.map(({ type }) => typeName(type)).join(',')})`;
}

/** Tests whether a type is encoded behind those of fixed size. */
export function isDynamic(type: AbiType): boolean {
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

/** Returns the bytes that a type takes among those of fixed size. */
export function headBytes(type: AbiType): number {
  if (isDynamic(type)) return WORD_BYTES;
  if (type.kind === 'array') return (type.length ?? 0) * headBytes(type.item);
  if (type.kind === 'tuple') return type.members.reduce((sum, member) => sum + headBytes(member.type), 0);
  return WORD_BYTES;
}

/** An interface, a value or an encoding that is not what it should be; the message says which part of it. */
export class AbiError extends Error {
  override readonly name = 'AbiError';
  /** Path of the parameter, such as `orders[2].amount`; may be empty. */
  readonly place: string;
  readonly problem: string;

  constructor(place: string, problem: string) {
    super(place === '' ? problem : `${place}: ${problem}`);
    this.place = place;
    this.problem = problem;
  }
}
