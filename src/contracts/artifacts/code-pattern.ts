import { recordOf } from '../../json/record.ts';
import { bytesToHex, equalBytes, hexToBytes } from '../../protocol/index.ts';
import { type ByteRange, lengthWithoutMetadata, metadataSections } from './metadata-sections.ts';

/** Bytes of a code that are unknown at compile time: those of an immutable value, or the address of a library. */
export interface CodeGap {
  readonly start: number;
  readonly length: number;
  readonly kind: 'immutable' | 'library';
  /** The number of the variable in the AST, or the library as `path:Name`; empty for an unknown one. */
  readonly name: string;
}

/** Code from a compiler, with gaps for bytes that are unknown at compile time. */
export interface CodePattern {
  /** Unknown bytes are zero. */
  readonly bytes: Uint8Array;
  readonly gaps: readonly CodeGap[];
  /** Bytes without the metadata at the end. */
  readonly length: number;
  /** The metadata of contracts that the code creates. */
  readonly inner: readonly ByteRange[];
  /** Bytes that may differ before the metadata at the end, in their order: gaps, and inner metadata. */
  readonly masked: readonly ByteRange[];
}

/** The compiler's lists of gaps. */
export interface CodeReferences {
  /** By the number of the variable. Absent: each PUSH32 of zero is an immutable value. */
  readonly immutableReferences?: unknown;
  /** By source and library. */
  readonly linkReferences?: unknown;
}

/** The equality of a code and a pattern: with or without the metadata. */
export type CodeMatch = 'exact_match' | 'match';

/** Values of a deployment, in hexadecimal with a prefix. */
export interface DeployedValues {
  readonly immutables: Readonly<Record<string, string>>;
  readonly libraries: Readonly<Record<string, string>>;
}

const DIGITS = /^[0-9a-fA-F]*$/;
/** Digits of a library address. Its placeholder has two underscores and 38 other characters. */
const ADDRESS_DIGITS = 40;
const LIBRARY = /__[^\n]{38}/g;
const PUSH1 = 0x60;
const PUSH32 = 0x7f;
const ADDRESS_BYTES = 20;
const WORD_BYTES = 32;

/** Reads hexadecimal code, with or without placeholders of libraries; undefined for anything else, and for no code. */
export function codePatternOf(text: unknown, references: CodeReferences = {}): CodePattern | undefined {
  if (typeof text !== 'string') return undefined;
  const digits = text.startsWith('0x') ? text.slice(2) : text;
  const gaps: CodeGap[] = [];
  const linked = digits.replace(LIBRARY, (_placeholder, offset: number) => {
    gaps.push({ start: offset / 2, length: ADDRESS_BYTES, kind: 'library', name: '' });
    return '0'.repeat(ADDRESS_DIGITS);
  });
  if (linked === '' || linked.length % 2 !== 0 || !DIGITS.test(linked)) return undefined;
  if (gaps.some(({ start }) => !Number.isInteger(start))) return undefined;
  const bytes = hexToBytes(linked.toLowerCase());
  const length = lengthWithoutMetadata(bytes);
  const { immutableReferences, linkReferences } = references;
  const named = [
    ...Object.entries(recordOf(linkReferences)).flatMap(([path, libraries]) =>
      Object.entries(recordOf(libraries)).flatMap(([name, list]) =>
        gapsOf('library', `${path}:${name}`, list),
      ),
    ),
    ...Object.entries(recordOf(immutableReferences)).flatMap(([id, list]) => gapsOf('immutable', id, list)),
  ].filter((gap) => gap.start + gap.length <= length);
  const known = new Set(named.map(({ start }) => start));
  const unnamed = [...gaps, ...pushedGaps(bytes, length, immutableReferences === undefined)];
  const all = [...named, ...unnamed.filter(({ start }) => !known.has(start))];
  const ranges = all.map(({ start, length: size }): ByteRange => [start, start + size]);
  const inner = metadataSections(bytes, length);
  const masked = [...ranges, ...inner].sort(([one], [other]) => one - other);
  return { bytes, gaps: all, length, inner, masked };
}

/** Finds gaps by instructions: the address that a library begins with, and immutable values. */
function pushedGaps(bytes: Uint8Array, length: number, findsImmutables: boolean): CodeGap[] {
  const gaps: CodeGap[] = [];
  for (let offset = 0; offset < length; offset += instructionBytes(bytes, offset)) {
    const size = instructionBytes(bytes, offset) - 1;
    const isOwnAddress = size === ADDRESS_BYTES && offset === 0;
    if (!isOwnAddress && !(findsImmutables && size === WORD_BYTES)) continue;
    const value = bytes.subarray(offset + 1, offset + 1 + size);
    const kind = isOwnAddress ? 'library' : 'immutable';
    if (value.every((byte) => byte === 0)) gaps.push({ start: offset + 1, length: size, kind, name: '' });
  }
  return gaps;
}

function gapsOf(kind: CodeGap['kind'], name: string, list: unknown): CodeGap[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: unknown) => {
    const { start, length } = recordOf(item);
    const isGap = isCount(start) && isCount(length);
    return isGap ? [{ start, length, kind, name }] : [];
  });
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** Returns the bytes of an instruction, including the value of a PUSH. */
export function instructionBytes(code: Uint8Array, offset: number): number {
  const opcode = code[offset] ?? 0;
  return opcode >= PUSH1 && opcode <= PUSH32 ? opcode - PUSH1 + 2 : 1;
}

/** Compares the code of a contract with a pattern. Returns the first differing offset if they do not match. */
export function matchOfRuntime(pattern: CodePattern, code: Uint8Array): CodeMatch | number {
  const length = lengthWithoutMetadata(code);
  const differing = firstDifference(pattern, code);
  if (differing !== undefined) return differing;
  if (length !== pattern.length) return Math.min(length, pattern.length);
  return equalityOf(pattern, code, code.length);
}

/** Compares creation code, which arguments follow, with a pattern. Returns as `matchOfRuntime`. */
export function matchOfCreation(pattern: CodePattern, input: Uint8Array): CodeMatch | number {
  const { length } = pattern.bytes;
  if (input.length < length) return input.length;
  return firstDifference(pattern, input) ?? equalityOf(pattern, input, length);
}

/** Returns the values in the gaps of a code that matches a pattern. */
export function valuesOf({ gaps }: CodePattern, code: Uint8Array): DeployedValues {
  const valuesOfKind = (kind: CodeGap['kind']): Record<string, string> =>
    Object.fromEntries(
      gaps
        .filter((gap) => gap.kind === kind && gap.name !== '')
        .map(({ name, start, length }) => [name, `0x${bytesToHex(code.subarray(start, start + length))}`]),
    );
  return { immutables: valuesOfKind('immutable'), libraries: valuesOfKind('library') };
}

/** Compares the metadata of a code that matches a pattern. A code without metadata does not name its sources. */
function equalityOf({ bytes, length, inner }: CodePattern, code: Uint8Array, end: number): CodeMatch {
  const isEqual =
    length < bytes.length &&
    equalBytes(bytes.subarray(length), code.subarray(length, end)) &&
    inner.every(([start, to]) => equalBytes(bytes.subarray(start, to), code.subarray(start, to)));
  return isEqual ? 'exact_match' : 'match';
}

/** Returns the first offset that differs outside of the masked bytes and of the metadata at the end. */
function firstDifference({ bytes, length, masked }: CodePattern, code: Uint8Array): number | undefined {
  let from = 0;
  for (const [start, end] of [...masked, [length, length] as const]) {
    // A loop, since most patterns differ early.
    for (let index = from; index < start; index += 1) if (bytes[index] !== code[index]) return index;
    from = Math.max(from, end);
  }
  return undefined;
}
