/** A type of Solidity's application binary interface (ABI). */
export type AbiType =
  | { readonly kind: 'uint' | 'int'; readonly bits: number }
  | { readonly kind: 'address' | 'bool' | 'string' | 'bytes' | 'function' }
  | { readonly kind: 'fixedBytes'; readonly size: number }
  /** The length of a dynamic array is undefined. */
  | { readonly kind: 'array'; readonly item: AbiType; readonly length: number | undefined }
  | { readonly kind: 'tuple'; readonly members: readonly AbiParameter[] };

/** A value: for tuples and arrays the values of their members, for bytes and functions the bytes. */
export type AbiValue = bigint | boolean | string | Uint8Array | readonly AbiValue[];

/** A parameter, or a member of a tuple; the name may be empty. */
export interface AbiParameter {
  readonly name: string;
  readonly type: AbiType;
}

const NUMBER = /^(u?int)(\d{0,3})$/;
const FIXED_BYTES = /^bytes(\d{1,2})$/;
const WORD_BITS = 256;
const WORD_BYTES = 32;

/** Reads an elementary type, such as `uint256`; undefined for any other text. */
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

/** Returns true for a dynamic type, which is encoded after the heads. */
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

/** Returns the bytes of a type in the head of an encoding. */
export function headBytes(type: AbiType): number {
  if (isDynamic(type)) return WORD_BYTES;
  if (type.kind === 'array') return (type.length ?? 0) * headBytes(type.item);
  if (type.kind === 'tuple') return type.members.reduce((sum, member) => sum + headBytes(member.type), 0);
  return WORD_BYTES;
}

/** The error of a malformed interface, value or encoding. */
export class AbiError extends Error {
  override readonly name = 'AbiError';
  readonly problem: string;

  /** @param path of the parameter, such as `orders[2].amount`; may be empty */
  constructor(path: string, problem: string) {
    super(path === '' ? problem : `${path}: ${problem}`);
    this.problem = problem;
  }
}
