import { bytesToHex, hexToBytes, keccak256, utf8ToBytes } from '../../protocol/index.ts';
import { AbiError, type AbiParameter, readParameters, typeNames } from '../../solidity/index.ts';

/** A function or an error of a contract. */
export interface InterfaceEntry {
  readonly name: string;
  readonly inputs: readonly AbiParameter[];
  readonly outputs: readonly AbiParameter[];
}

export interface ContractInterface {
  /** By selector in hexadecimal. */
  readonly functions: ReadonlyMap<string, InterfaceEntry>;
  readonly errors: ReadonlyMap<string, InterfaceEntry>;
  readonly constructorInputs: readonly AbiParameter[];
}

/** Bytes of a selector, before the encoded arguments. */
export const SELECTOR_BYTES = 4;

/** Reads the JSON ABI of a contract. @throws AbiError for anything else */
export function readInterface(abi: unknown): ContractInterface {
  if (!Array.isArray(abi)) throw new AbiError('', 'the ABI is not a list');
  const functions = new Map<string, InterfaceEntry>();
  const errors = new Map<string, InterfaceEntry>();
  let constructorInputs: readonly AbiParameter[] = [];
  for (const [index, entry] of abi.entries()) {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
      throw new AbiError(`abi[${index}]`, 'expected an object');
    }
    const { type, name, inputs, outputs } = entry as Record<string, unknown>;
    if (type === 'constructor') constructorInputs = readParameters(inputs);
    if ((type !== 'function' && type !== 'error') || typeof name !== 'string') continue;
    const described = { name, inputs: readParameters(inputs), outputs: readParameters(outputs, 'outputs') };
    const selector = selectorOf(`${name}${typeNames(described.inputs)}`);
    (type === 'function' ? functions : errors).set(selector, described);
  }
  return { functions, errors, constructorInputs };
}

/** Returns the selector of a signature in hexadecimal. */
export function selectorOf(signature: string): string {
  return bytesToHex(keccak256(utf8ToBytes(signature)).subarray(0, SELECTOR_BYTES));
}

/** Code from a compiler, with gaps for bytes that are unknown at compile time. */
export interface CodePattern {
  /** Unknown bytes are zero. */
  readonly bytes: Uint8Array;
  /** Offsets and lengths of unknown bytes: addresses of libraries, immutable values. */
  readonly gaps: readonly (readonly [start: number, length: number])[];
  /** Bytes without the metadata at the end. */
  readonly length: number;
}

const DIGITS = /^[0-9a-fA-F]*$/;
/** Digits of a library address. Its placeholder has two underscores and 38 other characters. */
const ADDRESS_DIGITS = 40;
const LIBRARY = /__[^\n]{38}/g;
const PUSH1 = 0x60;
const PUSH32 = 0x7f;
const ADDRESS_BYTES = 20;
const WORD_BYTES = 32;
/** Bytes of the length after the metadata. */
const LENGTH_BYTES = 2;
/** First byte of a CBOR map of one to four entries (RFC 8949). */
const MAP_OF_ONE = 0xa1;
const MAP_OF_FOUR = 0xa4;

/** The compiler's lists of unknown bytes. */
export interface CodeReferences {
  /** By the number of the variable. Absent: each PUSH32 of zero is an immutable value. */
  readonly immutableReferences?: unknown;
  /** By source and library. */
  readonly linkReferences?: unknown;
}

/** Reads hexadecimal code, with or without placeholders of libraries; undefined for anything else, and for no code. */
export function codePatternOf(text: unknown, references: CodeReferences = {}): CodePattern | undefined {
  if (typeof text !== 'string') return undefined;
  const digits = text.startsWith('0x') ? text.slice(2) : text;
  const gaps: [number, number][] = [];
  const linked = digits.replace(LIBRARY, (_placeholder, offset: number) => {
    gaps.push([offset / 2, ADDRESS_BYTES]);
    return '0'.repeat(ADDRESS_DIGITS);
  });
  if (linked === '' || linked.length % 2 !== 0 || !DIGITS.test(linked)) return undefined;
  if (gaps.some(([start]) => !Number.isInteger(start))) return undefined;
  const bytes = hexToBytes(linked.toLowerCase());
  const length = lengthWithoutMetadata(bytes);
  const { immutableReferences, linkReferences } = references;
  gaps.push(...gapsOf(immutableReferences, bytes.length));
  for (const libraries of valuesOf(linkReferences)) gaps.push(...gapsOf(libraries, bytes.length));
  for (let offset = 0; offset < length; offset += instructionBytes(bytes, offset)) {
    const size = instructionBytes(bytes, offset) - 1;
    // A library begins with its address, which it gets when it is deployed.
    const isImmutable = immutableReferences === undefined && size === WORD_BYTES;
    const isUnknown = isImmutable || (size === ADDRESS_BYTES && offset === 0);
    const value = bytes.subarray(offset + 1, offset + 1 + size);
    if (isUnknown && value.every((byte) => byte === 0)) gaps.push([offset + 1, size]);
  }
  return { bytes, gaps: gaps.sort(([one], [other]) => one - other), length };
}

/** Returns the listed ranges inside of a code. */
function gapsOf(references: unknown, codeBytes: number): [number, number][] {
  return valuesOf(references)
    .flatMap(valuesOf)
    .map(
      ({ start, length }: { start?: unknown; length?: unknown }) =>
        [Number(start), Number(length)] as [number, number],
    )
    .filter(([start, length]) => start >= 0 && length > 0 && start + length <= codeBytes);
}

function valuesOf(value: unknown): object[] {
  const inner = typeof value === 'object' && value !== null ? Object.values(value) : [];
  return inner.filter((one: unknown) => typeof one === 'object' && one !== null);
}

/** Returns the bytes of an instruction, including the value of a PUSH. */
export function instructionBytes(code: Uint8Array, offset: number): number {
  const opcode = code[offset] ?? 0;
  return opcode >= PUSH1 && opcode <= PUSH32 ? opcode - PUSH1 + 2 : 1;
}

/** Returns the bytes of code before its metadata, which is CBOR and its length. */
function lengthWithoutMetadata(code: Uint8Array): number {
  const size = ((code.at(-2) ?? 0) << 8) | (code.at(-1) ?? 0);
  const start = code.length - LENGTH_BYTES - size;
  const first = code[start] ?? 0;
  return start > 0 && size > 0 && first >= MAP_OF_ONE && first <= MAP_OF_FOUR ? start : code.length;
}

/** Returns true for code that matches a pattern, except its gaps and the metadata. */
export function isSameCode(pattern: CodePattern, code: Uint8Array): boolean {
  return lengthWithoutMetadata(code) === pattern.length && hasPrefix(pattern, code);
}

/** Returns true for creation code that matches a pattern and is followed by arguments. */
export function isCreationOf(pattern: CodePattern, code: Uint8Array): boolean {
  return code.length >= pattern.bytes.length && hasPrefix(pattern, code);
}

function hasPrefix({ bytes, gaps, length }: CodePattern, code: Uint8Array): boolean {
  // A loop, since most patterns differ early.
  const isDifferent = (from: number, to: number): boolean => {
    for (let index = from; index < to; index += 1) if (bytes[index] !== code[index]) return true;
    return false;
  };
  let from = 0;
  for (const [start, size] of gaps) {
    if (start >= length) break;
    if (isDifferent(from, start)) return false;
    from = start + size;
  }
  return !isDifferent(from, length);
}
