import { ABI_DEPTH_MAX, ABI_PARAMETERS_MAX, SHOWN_NAME_CHARACTERS_MAX } from '../limits.ts';
import { AbiError } from './errors.ts';

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
  /** Whether a log has it, or its hash, as a topic. */
  readonly isIndexed: boolean;
}

const ARRAY = /^(.*)\[(\d{0,10})\]$/s;
const NUMBER = /^(u?int)(\d{0,3})$/;
const FIXED_BYTES = /^bytes(\d{1,2})$/;
const WORD_BITS = 256;
const WORD_BYTES = 32;

/** Counts the parameters of one function, so that a description cannot grow without end. */
interface Count {
  left: number;
}

/**
 * Reads the parameters of a function, an error or an event out of its JSON description.
 *
 * @throws AbiError for anything else, or more than there may be
 */
export function readParameters(json: unknown, place = 'inputs'): readonly AbiParameter[] {
  return parametersOf(json ?? [], place, ABI_DEPTH_MAX, { left: ABI_PARAMETERS_MAX });
}

/** Reads one type by its name, such as `(uint256,address)[2]` or `bytes32`. @throws AbiError */
export function readType(text: string): AbiType {
  return typeOf(text.replaceAll(/\s/g, ''), undefined, 'type', ABI_DEPTH_MAX, { left: ABI_PARAMETERS_MAX });
}

function parametersOf(json: unknown, place: string, depth: number, count: Count): readonly AbiParameter[] {
  if (!Array.isArray(json)) throw new AbiError(place, 'expected a list of parameters');
  return json.map((parameter: unknown, index) => {
    const here = `${place}[${index}]`;
    count.left -= 1;
    if (count.left < 0) throw new AbiError(here, `more than ${ABI_PARAMETERS_MAX} parameters`);
    if (typeof parameter !== 'object' || parameter === null) throw new AbiError(here, 'expected an object');
    const { name, type, components, indexed } = parameter as Record<string, unknown>;
    if (typeof type !== 'string') throw new AbiError(here, 'expected a type');
    return {
      name: typeof name === 'string' ? name : '',
      type: typeOf(type, components, here, depth, count),
      isIndexed: indexed === true,
    };
  });
}

function typeOf(text: string, components: unknown, place: string, depth: number, count: Count): AbiType {
  if (depth === 0) throw new AbiError(place, `nested deeper than ${ABI_DEPTH_MAX}`);
  const array = ARRAY.exec(text);
  if (array !== null) {
    const [, item = '', digits = ''] = array;
    const length = digits === '' ? undefined : Number(digits);
    return { kind: 'array', item: typeOf(item, components, place, depth - 1, count), length };
  }
  if (text === 'tuple') return { kind: 'tuple', members: parametersOf(components, place, depth - 1, count) };
  if (text.startsWith('(') && text.endsWith(')')) {
    const members = splitMembers(text.slice(1, -1)).map((type) => ({ type }));
    const read = members.map(({ type }, index): AbiParameter => {
      count.left -= 1;
      if (count.left < 0) throw new AbiError(place, `more than ${ABI_PARAMETERS_MAX} parameters`);
      const here = `${place}[${index}]`;
      return { name: '', type: typeOf(type, undefined, here, depth - 1, count), isIndexed: false };
    });
    return { kind: 'tuple', members: read };
  }
  const type = elementaryType(text);
  if (type === undefined) {
    throw new AbiError(place, `unknown type ${JSON.stringify(text.slice(0, SHOWN_NAME_CHARACTERS_MAX))}`);
  }
  return type;
}

/** The texts between the commas that stand in no further parentheses. */
export function splitMembers(text: string): string[] {
  if (text === '') return [];
  const members = [''];
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (character === ',' && depth === 0) members.push('');
    else members[members.length - 1] += character;
  }
  return members;
}

function elementaryType(text: string): AbiType | undefined {
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

/** Whether the encoding of a type has its place behind those of fixed size. */
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

/** Bytes that a type takes among those of fixed size. */
export function headBytes(type: AbiType): number {
  if (isDynamic(type)) return WORD_BYTES;
  if (type.kind === 'array') return (type.length ?? 0) * headBytes(type.item);
  if (type.kind === 'tuple') return type.members.reduce((sum, member) => sum + headBytes(member.type), 0);
  return WORD_BYTES;
}
